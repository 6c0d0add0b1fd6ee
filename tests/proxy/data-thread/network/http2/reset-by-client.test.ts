import { once } from "node:events";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { http2Client } from "../../../../support/http2-peer.ts";
import { withinLoopTime } from "../../../../support/loop-time.ts";
import type { RawPeer } from "../../../../support/raw-peer.ts";
import { standstill } from "../../../../support/standstill.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const { NGHTTP2_CANCEL, NGHTTP2_NO_ERROR } = http2.constants;

const MIB = 1024 * 1024;
const EARLY = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nearly";

/** A stream's stage: `serve` is the server's part after the head, `reach` the client's. */
interface Moment {
  readonly title: string;
  readonly headers?: http2.OutgoingHttpHeaders;
  readonly serve?: (peer: RawPeer) => void;
  readonly reach: (stream: http2.ClientHttp2Stream, peer: RawPeer) => unknown;
  readonly isAnswered?: boolean;
}

/** Sends until nothing more is accepted. */
async function stalled(stream: http2.ClientHttp2Stream): Promise<void> {
  let sent = 0;
  const more = (): void => {
    if (!stream.closed) stream.write(Buffer.alloc(MIB / 16), () => more());
    sent += 1;
  };
  more();
  await standstill(() => sent);
}

const MOMENTS: readonly Moment[] = [
  { title: "while waiting for the response", reach: () => {} },
  {
    title: "within the request's body",
    reach: async (stream, peer) => {
      stream.write("part");
      await peer.until("part");
    },
  },
  {
    title: "after the last byte of its Content-Length, before its end",
    headers: { "content-length": 4 },
    reach: async (stream, peer) => {
      stream.write("part");
      await peer.until("part");
    },
  },
  {
    title: "within a body that the server does not read",
    serve: (peer) => peer.socket.pause(),
    reach: stalled,
  },
  {
    title: "within the response",
    serve: (peer) => peer.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart"),
    reach: (stream) => once(stream, "data"),
  },
  {
    title: "within the request's body, after the whole response",
    serve: (peer) => peer.send(EARLY),
    reach: (stream) => once(stream, "data"),
    isAnswered: true,
  },
  {
    title: "within a body that the server does not read, after the whole response",
    serve: (peer) => {
      peer.socket.pause();
      peer.send(EARLY);
    },
    reach: stalled,
    isAnswered: true,
  },
];

/**
 * A client that resets its stream, with any code, wants nothing more of the stream: the server learns of the reset
 * within a second, and nothing is left over.
 */
describe("HTTP/2 stream resets by clients", (test) => {
  for (const { title, headers, serve, reach, isAnswered = false } of MOMENTS) {
    for (const [name, code] of [
      ["CANCEL", NGHTTP2_CANCEL],
      ["NO_ERROR", NGHTTP2_NO_ERROR],
    ] as const) {
      test(`given ${name} ${title}, closes the server's connection within 1 s`, () =>
        withProxy({ limits: { linger: 50 } }, async (proxy) => {
          const server = await proxy.tlsServer(async (peer) => {
            await peer.head();
            serve?.(peer);
          });
          const session = await http2Client(proxy, `https://a.test:${server.port}`);
          // Node ends a stream before resetting it, unless this option keeps the stream open.
          const held = { endStream: false, waitForTrailers: true };
          const stream = session.request({ ":path": "/", ":method": "POST", ...headers }, held);
          stream.on("error", () => {});
          stream.on("response", () => {});
          const peer = await server.peer(0);
          await reach(stream, peer);
          // Node 26 aborts if a stream is cancelled while its end is being read.
          await new Promise((resolve) => setImmediate(resolve));
          stream.close(code);
          const { outcome } = (await withinLoopTime(1_000, proxy.traffic.row(0))).ended;
          peer.socket.resume();
          await peer.over;
          assert.is(
            outcome.kind === "failed" ? outcome.errorType : "answered",
            isAnswered ? "answered" : "client-aborted",
          );
          // A connection without streams closes with the proxy; one with a stream would delay it.
          await proxy.listener.stop(60_000);
        }));
    }
  }
});
