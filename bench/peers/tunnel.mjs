// The least that a proxy can do: accept CONNECT and pipe bytes unread.
import net from "node:net";

const server = net.createServer({ noDelay: true }, (client) => {
  client.on("error", () => client.destroy());
  client.once("data", (head) => {
    const [, host, port] = /^CONNECT ([^:]+):(\d+)/.exec(head.toString("latin1"));
    const up = net.connect({ host, port: Number(port), noDelay: true }, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(up);
      up.pipe(client);
    });
    up.on("error", () => client.destroy());
    client.on("close", () => up.destroy());
    up.on("close", () => client.destroy());
  });
});
server.listen(0, "127.0.0.1", () => process.send({ ready: { port: server.address().port, ca: "" } }));
