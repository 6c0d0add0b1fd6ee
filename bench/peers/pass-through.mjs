// A simple proxy: node:http for clients, undici for servers, nothing recorded.
import http from "node:http";
import https from "node:https";
import net from "node:net";
import { Agent } from "undici";
import { LeafCertificates } from "../../extensions/proxy/certificates/leaf-certificates.ts";
import { newRoot } from "../../extensions/proxy/certificates/root.ts";

const HOP_BY_HOP = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "te",
  "expect",
]);

const root = newRoot("pass-through", new Date());
const leaves = new LeafCertificates(root);
const agent = new Agent({ connections: 128 });
const inside = https.createServer(
  { SNICallback: (name, done) => done(null, leaves.contextFor(name)), keepAliveTimeout: 60_000 },
  (request, response) => forward(`https://${request.headers.host}`, request.url, request, response),
);
const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const { origin, pathname, search } = new URL(request.url);
  forward(origin, pathname + search, request, response);
});
server.on("connect", (_request, socket) => {
  socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
  inside.emit("connection", socket);
});
inside.on("upgrade", (request, socket, early) => {
  const [host, port] = request.headers.host.split(":");
  void import("node:tls").then(({ connect }) => {
    const up = connect({ host, port: Number(port), servername: host });
    const lines = request.rawHeaders.flatMap((name, at, all) => (at % 2 === 0 ? [`${name}: ${all[at + 1]}`] : []));
    up.write([`${request.method} ${request.url} HTTP/1.1`, ...lines, "\r\n"].join("\r\n"));
    up.write(early);
    join(socket, up);
  });
});
server.listen(0, "127.0.0.1", () => process.send({ ready: { port: server.address().port, ca: root.chain } }));

function forward(origin, path, request, response) {
  const headers = withoutHops(request.rawHeaders);
  const body =
    request.headers["content-length"] === undefined && request.headers["transfer-encoding"] === undefined
      ? null
      : request;
  agent.stream(
    { origin, path, method: request.method, headers, body, opaque: response, responseHeaders: "raw" },
    ({ statusCode, headers: answered, opaque }) => {
      opaque.writeHead(statusCode, withoutHops(answered.map(String)));
      return opaque;
    },
    (error) => {
      if (error) response.destroy(error);
    },
  );
}

function withoutHops(raw) {
  const kept = [];
  for (let at = 0; at < raw.length; at += 2) {
    if (!HOP_BY_HOP.has(raw[at].toLowerCase())) kept.push(raw[at], raw[at + 1]);
  }
  return kept;
}

function join(one, other) {
  one.pipe(other);
  other.pipe(one);
  for (const socket of [one, other]) {
    socket.on("error", () => {
      one.destroy();
      other.destroy();
    });
  }
  if (one instanceof net.Socket) one.setNoDelay(true);
}
