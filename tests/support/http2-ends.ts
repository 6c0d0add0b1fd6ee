import type { ClientHttp2Session } from "node:http2";
import { http2Client } from "./http2-peer.ts";
import { type Http2Server, http2Server, type ServeStream } from "./http2-server.ts";
import { type TestProxy, type TestProxyOptions, withProxy } from "./test-proxy.ts";

/** Both ends of a proxy that speak HTTP/2: a server, and a client's connection to it. */
export interface Http2Ends {
  readonly proxy: TestProxy;
  readonly server: Http2Server;
  readonly session: ClientHttp2Session;
}

/** `clear`: both ends use prior knowledge instead of TLS. */
export async function withHttp2Ends(
  serve: ServeStream,
  body: (ends: Http2Ends) => Promise<unknown>,
  { clear = false, ...options }: TestProxyOptions & { readonly clear?: boolean } = {},
): Promise<void> {
  await withProxy(options, async (proxy) => {
    const server = await http2Server(proxy, serve, { clear });
    const session = await http2Client(proxy, `${clear ? "http" : "https"}://a.test:${server.port}`);
    try {
      await body({ proxy, server, session });
    } finally {
      session.destroy();
      await server.stop();
    }
  });
}
