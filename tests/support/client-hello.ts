import { once } from "node:events";
import { createServer } from "node:net";
import { type ConnectionOptions, connect } from "node:tls";

/** The ClientHello that OpenSSL sends with these options. */
export async function clientHello(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a TCP server has an address");
  const taken = once(server, "connection");
  const client = connect({ ...options, port: address.port, host: "127.0.0.1" });
  client.on("error", () => {});
  const [peer] = await taken;
  const [bytes] = await once(peer, "data");
  client.destroy();
  peer.destroy();
  server.close();
  return bytes;
}
