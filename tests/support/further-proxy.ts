import { connect } from "node:net";
import type { TlsOptions } from "node:tls";
import type { RawPeer } from "./raw-peer.ts";
import { type RawServer, rawServer } from "./raw-server.ts";

/** An upstream HTTP proxy for CONNECT and absolute-form. For every name, it connects to this computer. */
export interface FurtherProxy extends RawServer {
  /** The heads of the requests that arrived. */
  readonly heads: readonly string[];
}

/** `authorization`: the Proxy-Authorization that is required; `null`: none. */
export async function furtherProxy(
  authorization: string | null = null,
  secure: TlsOptions | null = null,
): Promise<FurtherProxy> {
  const heads: string[] = [];
  const serve = async (peer: RawPeer): Promise<void> => {
    for (;;) {
      const head = await peer.head();
      heads.push(head);
      const given = /\r\nProxy-Authorization: (.*)\r\n/.exec(head)?.[1] ?? null;
      if (given !== authorization) {
        peer.send("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
        continue;
      }
      const port = Number(/^\S+ \S*?:(\d+)(?:\/| )/.exec(head.replace("http://", ""))?.[1]);
      const server = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      server.on("error", () => peer.close());
      peer.socket.on("close", () => server.destroy());
      if (head.startsWith("CONNECT ")) peer.send("HTTP/1.1 200 OK\r\nX-Via: further\r\n\r\n");
      else server.write(`${head.replace(/ http:\/\/[^/ ]*/, " ").replace(/^(\S+) {2}/, "$1 / ")}`);
      peer.socket.removeAllListeners("data");
      peer.socket.pipe(server).pipe(peer.socket);
      return;
    }
  };
  return { ...(await rawServer(serve, secure)), heads };
}
