// Starts a receiver, has the program of the first argument send to it, and verifies what comes with the official library. It exits with 1 when
// a good delivery is refused or a bad one is not.
import { spawn } from "node:child_process";
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const newSecret = () => "whsec_" + randomBytes(32).toString("base64");
const [newest, older, foreign] = [newSecret(), newSecret(), newSecret()];

const deliveries = [];
const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  deliveries.push({ path: request.url, headers: request.headers, body: Buffer.concat(pieces) });
  response.end();
});
await new Promise((listens) => server.listen(0, "127.0.0.1", listens));

const sender = spawn(process.argv[2], [`http://127.0.0.1:${server.address().port}`, newest, older], { stdio: ["ignore", "pipe", "inherit"] });
let shown = "";
sender.stdout.on("data", (piece) => (shown += piece));
const code = await new Promise((ended) => sender.on("close", ended));
server.close();

let checks = 0;
let wrong = code === 0 ? 0 : 1;
function check(what, holds) {
  checks++;
  if (!holds) {
    wrong++;
    console.log("WRONG: " + what);
  }
}

// verdict returns "" for a delivery that the library verifies, and otherwise why it does not.
function verdict(secret, delivery, headers = delivery.headers, body = delivery.body) {
  try {
    new Webhook(secret).verify(body.toString(), headers);
    return "";
  } catch (error) {
    return error.message;
  }
}

// publicKey reads whpk_ and base64.
function publicKey(text) {
  const x = Buffer.from(text.trim().replace(/^whpk_/, ""), "base64").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

function verifiesByKey(delivery, body = delivery.body) {
  const { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": signature } = delivery.headers;
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
  return verify(null, signed, publicKey(shown), Buffer.from(signature.replace(/^v1a,/, ""), "base64"));
}

function alter(body) {
  const other = Buffer.from(body);
  other[other.length - 2] ^= 1;
  return other;
}

for (const d of deliveries) {
  const name = `${d.path} ${d.headers["webhook-id"]}`;
  switch (d.path) {
    case "/v1":
    case "/rotated":
      check(`${name} is refused`, verdict(newest, d) === "");
      check(`${name}, the older secret`, (verdict(older, d) === "") === (d.path === "/rotated"));
      check(`${name} passes with a foreign secret`, verdict(foreign, d) !== "");
      check(`${name} passes with another body`, verdict(newest, d, d.headers, alter(d.body)) !== "");
      check(`${name} passes with another id`, verdict(newest, d, { ...d.headers, "webhook-id": "msg_x" }) !== "");
      check(`${name} passes with another time`, verdict(newest, d, { ...d.headers, "webhook-timestamp": String(+d.headers["webhook-timestamp"] + 1) }) !== "");
      check(`${name} is no event`, JSON.parse(d.body).type === "report.done" && d.body.length < 20_000);
      break;
    case "/old":
      check(`${name} passes`, verdict(newest, d) === "Message timestamp too old");
      break;
    case "/early":
      check(`${name} passes`, verdict(newest, d) === "Message timestamp too new");
      break;
    case "/v1a": // which the library does not know, so Node.js verifies it
      check(`${name} is refused`, verifiesByKey(d));
      check(`${name} passes with another body`, !verifiesByKey(d, alter(d.body)));
      break;
  }
}
check(`${deliveries.length} deliveries came, not 15`, deliveries.length === 15);
console.log(`${deliveries.length} deliveries, ${checks} checks, ${wrong} wrong`);
process.exit(wrong ? 1 : 0);
