import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { END_HEADERS, END_STREAM, fields, frame, frameThat, GREETING, TYPES } from "../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../support/http2-peer.ts";
import { http2Server } from "../../../support/http2-server.ts";
import { RawPeer } from "../../../support/raw-peer.ts";
import { answering, ok } from "../../../support/raw-server.ts";
import { withProxy } from "../../../support/test-proxy.ts";

const HEAD = fields([":method", "GET"], [":scheme", "https"], [":authority", "a.test"], [":path", "/"]);
const WHOLE = END_STREAM | END_HEADERS;
const { NGHTTP2_REFUSED_STREAM, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INTERNAL_ERROR } = http2.constants;
const CANCEL = Buffer.from([0, 0, 0, 8]);

function many(count: number, make: (index: number) => Buffer): Buffer {
  return Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));
}

/**
 * Floods by one client that must not affect the others, and the code with which its connection ends; `null`: without
 * GOAWAY.
 */
const FLOODS: readonly (readonly [title: string, flood: Buffer, code: number | null])[] = [
  [
    "streams opened and reset",
    many(2_000, (index) =>
      Buffer.concat([frame("headers", WHOLE, 2 * index + 1, HEAD), frame("reset", 0, 2 * index + 1, CANCEL)]),
    ),
    NGHTTP2_INTERNAL_ERROR,
  ],
  [
    "a head without an end",
    Buffer.concat([frame("headers", 0, 1, HEAD), many(200, () => frame("continuation", 0, 1, fields(["a", "b"])))]),
    NGHTTP2_INTERNAL_ERROR,
  ],
  ["settings", many(20_000, () => frame("settings", 0, 0)), NGHTTP2_INTERNAL_ERROR],
  ["pings", many(20_000, () => frame("ping", 0, 0, Buffer.alloc(8))), null],
];

describe("http2 floods", (test) => {
  for (const [title, flood, code] of FLOODS) {
    test(`${title}: the connection ends, the others go on`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.tlsServer(answering(() => ok("x")));
        const other = await http2Client(proxy, `https://a.test:${server.port}`);
        const peer = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
        peer.socket.pause();
        peer.send(Buffer.concat([GREETING, flood]));
        assert.is((await ask(other, { ":path": "/" })).status, 200);
        peer.socket.resume();
        const last = await frameThat(peer, ({ type }) => type === TYPES.goaway);
        assert.is(last?.payload.readUInt32BE(4) ?? null, code);
        await peer.over;
        assert.is((await ask(other, { ":path": "/" })).status, 200);
        other.destroy();
      }));
  }

  test("more streams at once than were allowed are refused, each by itself", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, () => {});
      const peer = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
      // It has not acknowledged the limit yet; a client that has, and exceeds it, loses the whole connection (nghttp2).
      peer.send(Buffer.concat([GREETING, many(300, (index) => frame("headers", WHOLE, 2 * index + 1, HEAD))]));
      const refused = await frameThat(peer, ({ type }) => type === TYPES.reset);
      assert.is(refused?.payload.readUInt32BE(0), NGHTTP2_REFUSED_STREAM);
      assert.is(refused?.stream, 2 * 256 + 1);
      peer.close();
      await server.stop();
    }));

  test("a head that grows by decompressing ends its stream, whether it is long or has many fields", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await http2Client(proxy, `https://a.test:${server.port}`, { maxSendHeaderBlockLength: 1_000_000 });
      // Added to the table once (RFC 7541, 6.2.1), then referenced by one byte again and again.
      const value = "v".repeat(3_000);
      const put = Buffer.concat([
        Buffer.from([0x40, 1]),
        Buffer.from("x"),
        Buffer.from([0x7f, 0xb9, 0x16]),
        Buffer.from(value),
      ]);
      const bomb = Buffer.concat([HEAD, put, Buffer.alloc(10_000, 0xbe)]);
      const peer = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, ["h2"]);
      peer.send(Buffer.concat([GREETING, frame("headers", WHOLE, 1, bomb)]));
      const reset = await frameThat(peer, ({ type }) => type === TYPES.reset || type === TYPES.goaway);
      assert.is(reset?.type, TYPES.reset);
      assert.is(reset?.payload.readUInt32BE(0), NGHTTP2_ENHANCE_YOUR_CALM);
      peer.close();
      const cookies = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, "v".repeat(1_000)]));
      assert.is((await ask(client, { ":path": "/", ...cookies })).status, 200, "60 KB are no bomb");
      client.destroy();
    }));
});
