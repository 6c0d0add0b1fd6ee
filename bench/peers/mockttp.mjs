// Plain JavaScript, so that the type check does not need packages that are installed only for a bench run.
import { generateCACertificate, getLocal } from "mockttp";

const authority = await generateCACertificate({ subject: { commonName: "mockttp bench" } });
const server = getLocal({ https: authority, http2: process.argv[3] === "http2", recordTraffic: true });
await server.start();
await server.forAnyRequest().thenPassThrough({ additionalTrustedCAs: [{ certPath: process.env.NODE_EXTRA_CA_CERTS }] });
await server
  .forAnyWebSocket()
  .thenPassThrough({ additionalTrustedCAs: [{ certPath: process.env.NODE_EXTRA_CA_CERTS }] });

// Subscribes to all exchanges and messages, and keeps them, like a debugging proxy that uses mockttp.
const kept = [];
for (const event of ["request", "response", "websocket-message-received", "websocket-message-sent"]) {
  await server.on(event, (what) => kept.push(what));
}
process.send({ ready: { port: server.port, ca: authority.cert } });
