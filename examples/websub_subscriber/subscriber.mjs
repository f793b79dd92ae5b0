import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";

const [HUB, TOPIC, CALLBACK, CERTIFICATE, SECRET] = process.argv.slice(2);
const METHODS = new Set(["sha256", "sha384", "sha512"]);
const MAX_BYTES = 100_000_000;
const callback = new URL(CALLBACK);

async function subscribe() {
  const body = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.topic": TOPIC,
    "hub.callback": CALLBACK,
    "hub.secret": SECRET,
  });
  const answer = await fetch(HUB, { method: "POST", body });
  console.log("Asked to subscribe:", answer.status, await answer.text());
}

function isSigned(body, header) {
  const [method, given] = header.split("=", 2);
  if (!METHODS.has(method)) return false;
  const expected = createHmac(method, SECRET).update(body).digest();
  const found = Buffer.from(given ?? "", "hex");
  return found.length === expected.length && timingSafeEqual(found, expected);
}

function received(body) {
  console.log("Received", body.length, "bytes"); // Put them into a queue of yours here.
}

function confirm(query, response) {
  const mode = query.get("hub.mode");
  if (query.get("hub.topic") !== TOPIC) {
    response.writeHead(404).end();
  } else if (mode === "subscribe") {
    // A timer of Node holds at most 24 days.
    const half = (Number(query.get("hub.lease_seconds")) / 2) * 1000;
    setTimeout(subscribe, Math.min(half, 2 ** 31 - 1)).unref();
    console.log("Confirmed");
    response.writeHead(200, { "Content-Type": "text/plain" }).end(query.get("hub.challenge"));
  } else if (mode === "denied") {
    console.log("Denied:", JSON.stringify(query.get("hub.reason")));
    response.writeHead(200).end();
  } else {
    response.writeHead(404).end();
  }
}

const pem = readFileSync(CERTIFICATE);
const server = createServer({ cert: pem, key: pem }, (request, response) => {
  const url = new URL(request.url, CALLBACK);
  if (url.pathname !== callback.pathname) return response.writeHead(404).end();
  if (request.method === "GET") return confirm(url.searchParams, response);
  const pieces = [];
  let length = 0;
  request.on("data", (piece) => {
    length += piece.length;
    if (length > MAX_BYTES) request.destroy();
    pieces.push(piece);
  });
  request.on("end", () => {
    const body = Buffer.concat(pieces);
    if (isSigned(body, request.headers["x-hub-signature"] ?? "")) received(body);
    else console.log("Ignored: the signature does not fit");
    response.writeHead(200).end();
  });
});
server.listen(Number(callback.port || 443), subscribe);
