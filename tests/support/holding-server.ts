import type { ServerHttp2Stream } from "node:http2";
import type { Http2Ends } from "./http2-ends.ts";
import { http2Client } from "./http2-peer.ts";
import { type Http2Server, hello, http2Server } from "./http2-server.ts";
import { type TestProxy, withProxy } from "./test-proxy.ts";

/** A server that holds back responses for /held until they are released. */
export interface HoldingServer extends Http2Server {
  /** The held requests, in order of arrival. */
  readonly held: readonly ServerHttp2Stream[];
  /** Resolves when `count` requests have arrived. */
  holds(count: number): Promise<void>;
  /** The greatest number of requests held at the same time. */
  readonly most: number;
}

/** `maxConcurrentStreams`: the server's limit per HTTP/2 connection. */
export async function holdingServer(
  proxy: Pick<TestProxy, "servers">,
  maxConcurrentStreams = 100,
): Promise<HoldingServer> {
  const held: ServerHttp2Stream[] = [];
  let arrived = (): void => {};
  let open = 0;
  let most = 0;
  const server = await http2Server(
    proxy,
    (stream, headers) => {
      if (headers[":path"] !== "/held") return hello(stream);
      open += 1;
      most = Math.max(most, open);
      stream.on("close", () => {
        open -= 1;
      });
      held.push(stream);
      arrived();
    },
    { settings: { maxConcurrentStreams } },
  );
  const holds = async (count: number): Promise<void> => {
    while (held.length < count)
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
  };
  return {
    ...server,
    held,
    holds,
    get most() {
      return most;
    },
  };
}

/** Calls `body` with a holding server and a client's HTTP/2 connection to it through a proxy. */
export async function withHoldingServer(
  body: (ends: Http2Ends & { readonly server: HoldingServer }) => Promise<unknown>,
  maxConcurrentStreams?: number,
): Promise<void> {
  await withProxy({}, async (proxy) => {
    const server = await holdingServer(proxy, maxConcurrentStreams);
    const session = await http2Client(proxy, `https://a.test:${server.port}`);
    try {
      await body({ proxy, server, session });
    } finally {
      session.destroy();
      await server.stop();
    }
  });
}
