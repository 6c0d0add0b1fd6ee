import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { answered, http2ByHand } from "../../../../support/http2-by-hand.ts";
import {
  END_HEADERS,
  END_STREAM,
  type Frame,
  fields,
  frame,
  frameThat,
  PREFACE,
  TYPES,
} from "../../../../support/http2-frames.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rawServer } from "../../../../support/raw-server.ts";
import { servedBy } from "../../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const CANCEL = 8;

/** An HTTP/1.1 client, and a server that speaks handwritten frames. */
async function withFrames(
  body: (client: RawPeer, next: (type: number) => Promise<Frame | null>, server: RawPeer, proxy: TestProxy) => unknown,
): Promise<void> {
  await withProxy({ limits: { halfClosed: 0 } }, async (proxy) => {
    const server = await rawServer(() => {}, { ...servedBy(proxy.servers), ALPNProtocols: ["h2"] });
    const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
    client.send("GET /1 HTTP/1.1\r\nHost: a.test\r\n\r\n");
    const peer = await server.peer(0);
    await peer.until(PREFACE.toString("latin1"));
    peer.send(frame("settings", 0, 0));
    await frameThat(peer, ({ type }) => type === TYPES.headers);
    peer.send(answered(1, END_HEADERS | END_STREAM));
    await client.until("\r\n\r\n0\r\n\r\n");
    await body(client, (wanted) => frameThat(peer, ({ type }) => type === wanted), peer, proxy);
    client.close();
    await server.stop();
  });
}

/** Responses that are complete although their stream has not ended. */
const OPEN: readonly (readonly [title: string, method: string, answer: (stream: number) => Buffer, end: string])[] = [
  ["a 204", "GET", (id) => frame("headers", END_HEADERS, id, fields([":status", "204"])), "\r\n\r\n"],
  ["a 304", "GET", (id) => frame("headers", END_HEADERS, id, fields([":status", "304"])), "\r\n\r\n"],
  ["a response with a length of 0", "POST", (id) => answered(id, END_HEADERS, ["content-length", "0"]), "\r\n\r\n"],
  ["a response to HEAD", "HEAD", (id) => answered(id, END_HEADERS), "\r\n\r\n"],
  [
    "a response of its whole length",
    "GET",
    (id) => Buffer.concat([answered(id, END_HEADERS, ["content-length", "4"]), frame("data", 0, id, "body")]),
    "body",
  ],
];

describe("HTTP/2 streams with a late or missing end", (test) => {
  for (const [title, method, answer, end] of OPEN)
    test(`given ${title} without the stream's end, ends the exchange of a client of HTTP/1.1 and cancels the stream`, () =>
      withFrames(async (client, next, server, proxy) => {
        for (const stream of [3, 5]) {
          client.send(`${method} / HTTP/1.1\r\nHost: a.test\r\n\r\n`);
          assert.is((await next(TYPES.headers))?.stream, stream);
          server.send(answer(stream));
          await client.until(end);
        }
        for (const at of [1, 2]) assert.is((await proxy.traffic.row(at)).ended.outcome.kind, "responded");
        for (const stream of [3, 5]) {
          const reset = await next(TYPES.reset);
          assert.equal([reset?.stream, reset?.payload.readUInt32BE(0)], [stream, CANCEL]);
        }
      }));

  for (const [title, method, answer] of OPEN)
    test(`given ${title} without the stream's end, records a success for a client of HTTP/2`, () =>
      withProxy({}, async (proxy) => {
        const server = await http2ByHand(proxy, answer);
        const session = await http2Client(proxy, `https://a.test:${server.port}`);
        for (const row of [0, 1]) {
          const { status } = await ask(session, { ":method": method, ":path": "/" });
          const { ended } = await proxy.traffic.row(row);
          assert.equal(ended.outcome, { kind: "responded", status });
          assert.is.not(ended.instants.responseEnd, null);
        }
        session.destroy();
        await server.stop();
      }));

  test("given a server that responds without reading the whole request, cancels the stream", () =>
    withFrames(async (client, next, server, proxy) => {
      // More than a stream's initial window, and too little to stop the client.
      const body = "b".repeat(70_000);
      client.send(`POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
      let taken = 0;
      while (taken < 65_535) taken += (await next(TYPES.data))?.payload.length ?? body.length;
      server.send(answered(3, END_HEADERS | END_STREAM));
      assert.is((await proxy.traffic.row(1)).ended.requestBodySize, body.length);
      const reset = await next(TYPES.reset);
      assert.equal([reset?.stream, reset?.payload.readUInt32BE(0)], [3, CANCEL]);
    }));
});
