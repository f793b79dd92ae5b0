// One connection of an official client, as JSON on standard output: what it was told, and found.
// Requests go to the given ports in turn, as behind a balancer.
//
//   node client.js '{"client": "2", "mode": "auto", "ports": [8000, 8001], "calls": [["get_topics", {}]]}'

const { client: generation, mode, ports, calls } = JSON.parse(process.argv[2]);
const address = `http://127.0.0.1:${ports[0]}/mcp`;

let turn = 0;
const served = new Set();

function balanced(input, init) {
  const url = new URL(input);
  url.port = ports[turn++ % ports.length];
  if (init?.method === 'POST') served.add(url.port);
  return fetch(url, init);
}

async function connected() {
  const information = { name: 'tests', version: '1' };
  const options = { fetch: balanced };
  if (generation === '1') {
    const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
    const { StreamableHTTPClientTransport } = await import(
      '@modelcontextprotocol/sdk/client/streamableHttp.js'
    );
    const transport = new StreamableHTTPClientTransport(new URL(address), options);
    const client = new Client(information);
    await client.connect(transport);
    return { client, transport };
  }
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const transport = new StreamableHTTPClientTransport(new URL(address), options);
  const client = new Client(information, { versionNegotiation: { mode } });
  await client.connect(transport);
  return { client, transport };
}

async function called(client, [name, given]) {
  const result = await client.callTool({ name, arguments: given });
  return { name, isError: result.isError, structured: result.structuredContent, content: result.content };
}

async function pingAfterEnd(session) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Mcp-Session-Id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  return response.status;
}

const { client, transport } = await connected();
const session = transport.sessionId;
const { tools } = await client.listTools();
const { resources } = await client.listResources();
const { prompts } = await client.listPrompts();
const prompt = await client.getPrompt({
  name: 'summarize_reviews',
  arguments: { since: '2026-01-01' },
});
const completed = await client.complete({
  ref: { type: 'ref/prompt', name: 'summarize_reviews' },
  argument: { name: 'service', value: '' },
});
const read = [];
for (const { uri } of resources) {
  const { contents } = await client.readResource({ uri });
  read.push([uri, contents[0].text.length]);
}
const seen = {
  revision: transport.protocolVersion ?? client.getNegotiatedProtocolVersion(),
  server: client.getServerVersion().name,
  tools: tools.map((tool) => tool.name),
  templates: (await client.listResourceTemplates()).resourceTemplates.length,
  prompts: prompts.map((each) => each.name),
  prompt: prompt.messages[0].content.text,
  completed: completed.completion.values,
  read,
  calls: await Promise.all(calls.map((call) => called(client, call))),
};
if (session !== undefined) await transport.terminateSession();
seen.afterEnd = session === undefined ? null : await pingAfterEnd(session);
seen.ports = [...served].map(Number).sort();
await client.close();
console.log(JSON.stringify(seen));
