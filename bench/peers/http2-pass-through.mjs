// A simple HTTP/2 proxy: node:http2 on both sides, one session to each server, streams piped, nothing recorded.
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import { LeafCertificates } from "../../extensions/proxy/certificates/leaf-certificates.ts";
import { newRoot } from "../../extensions/proxy/certificates/root.ts";

const root = newRoot("http2-pass-through", new Date());
const leaves = new LeafCertificates(root);
const ca = readFileSync(process.env.NODE_EXTRA_CA_CERTS);
const sessions = new Map();

// Flow-control windows of the same size as Weir's. With Node's default of 64 KB, a download waits most of the time.
const WINDOWS = { settings: { initialWindowSize: 1024 * 1024 }, connection: 16 * 1024 * 1024 };

const inside = http2.createSecureServer({
  SNICallback: (name, done) => done(null, leaves.contextFor(name)),
  settings: WINDOWS.settings,
});
inside.on("session", (session) => {
  session.setLocalWindowSize(WINDOWS.connection);
  session.on("error", () => session.destroy());
});
inside.on("stream", (client, { ":authority": authority, ":method": method, ":path": path, ...fields }) => {
  const request = { ...fields, ":authority": authority, ":method": method, ":path": path, ":scheme": "https" };
  const server = sessionTo(authority).request(request);
  server.on("response", (answered) => {
    if (!client.destroyed) client.respond(answered);
  });
  server.pipe(client);
  client.pipe(server);
  // If one side ends early, the other is ended too.
  client.on("error", () => {});
  server.on("error", () => client.close());
  client.on("close", () => server.close());
});

const server = http.createServer();
server.on("connect", (_request, socket) => {
  socket.on("error", () => socket.destroy());
  socket.setNoDelay(true);
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  inside.emit("connection", socket);
});
server.listen(0, "127.0.0.1", () => process.send({ ready: { port: server.address().port, ca: root.chain } }));

function sessionTo(authority) {
  const known = sessions.get(authority);
  if (known !== undefined && !known.closed && !known.destroyed) return known;
  const session = http2.connect(`https://${authority}`, { ca, settings: WINDOWS.settings });
  session.once("connect", () => session.setLocalWindowSize(WINDOWS.connection));
  session.on("error", () => session.destroy());
  sessions.set(authority, session);
  return session;
}
