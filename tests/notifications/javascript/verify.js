// Verifies one request of a webhook, given as JSON; prints the event.
//
//   node verify.js '{"secret": "whsec_…", "body": "{…}", "headers": {"webhook-id": "msg_…"}}'

import { Webhook } from 'standardwebhooks';

const { secret, body, headers } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)));
