import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { withinLoopTime } from "../../../../support/loop-time.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import type { RawServer } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** docs/security.md F5. */
const LIMIT = 100;

/** How a server's response starts, how it is cut, and the result. */
const CUTS: readonly {
  readonly title: string;
  readonly scheme: "http" | "https";
  readonly begun: string;
  readonly cut: (server: RawServer) => void;
  readonly seen: string;
  readonly told: string;
}[] = [
  {
    title: "with a length, cut by the server's end",
    scheme: "http",
    begun: "Content-Length: 100\r\n\r\n3\r\nabc\r\n",
    cut: (server) => server.peers[0]?.socket.end(),
    seen: "end",
    told: "after 8 of 100 bytes",
  },
  {
    title: "with chunks, cut by the server's end",
    scheme: "http",
    begun: "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
    cut: (server) => server.peers[0]?.socket.end(),
    seen: "end",
    told: "after 3 bytes",
  },
  {
    title: "without length or chunks, cut by a reset",
    scheme: "http",
    begun: "\r\nabc\r\n",
    cut: resetAll,
    seen: "ECONNRESET",
    told: "after 5 bytes",
  },
  {
    title: "without length or chunks, cut by a reset beneath TLS",
    scheme: "https",
    begun: "\r\nabc\r\n",
    cut: resetAll,
    seen: "ECONNRESET",
    told: "after 5 bytes",
  },
  {
    title: "with a length, cut by a reset beneath TLS",
    scheme: "https",
    begun: "Content-Length: 100\r\n\r\n3\r\nabc\r\n",
    cut: resetAll,
    seen: "end",
    told: "after 8 of 100 bytes",
  },
];

function resetAll({ transports }: RawServer): void {
  for (const socket of transports) socket.resetAndDestroy();
}

async function clientOf(proxy: TestProxy, scheme: "http" | "https", port: number): Promise<RawPeer> {
  const authority = `a.test:${port}`;
  const client = await (scheme === "http"
    ? RawPeer.to(proxy.port)
    : RawPeer.secure(proxy.port, authority, proxy.clientCa));
  client.send(`GET ${scheme === "http" ? `http://${authority}/` : "/"} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  return client;
}

describe("truncated responses", (test) => {
  for (const { title, scheme, begun, cut, seen, told } of CUTS) {
    test(`given a body ${title}, ends the client's connection uncompleted within ${LIMIT} ms`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: RawPeer): Promise<void> => {
          await peer.head();
          peer.send(`HTTP/1.1 200 OK\r\n${begun}`);
        };
        const server = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
        const client = await clientOf(proxy, scheme, server.port);
        await client.until("abc\r\n");
        cut(server);
        assert.is(await withinLoopTime(LIMIT, client.over), seen);
        assert.is((await client.rest()).toString(), "");
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "response-truncated");
        assert.match(outcome.kind === "failed" ? outcome.detail : "", told);
      }));
  }
});
