import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { http2ByHand } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM, fields, frame } from "../../../../support/http2-frames.ts";
import { ask, http2Client, replyOn } from "../../../../support/http2-peer.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import type { RawServer } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

type Serve = (proxy: TestProxy) => Promise<RawServer>;

/** Sends `bytes` and closes. */
function http1(bytes: string): Serve {
  return (proxy) =>
    proxy.tlsServer(async (peer) => {
      await peer.head();
      peer.send(bytes);
      peer.socket.end();
    });
}

/** Sends a head with these fields, then `after`. */
function http2(lines: readonly (readonly [string, string])[], after: (stream: number) => Buffer): Serve {
  return (proxy) =>
    http2ByHand(proxy, (id) =>
      Buffer.concat([frame("headers", END_HEADERS, id, fields([":status", "205"], ...lines)), after(id)]),
    );
}

const HEAD = "HTTP/1.1 205 Reset Content\r\n";
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`;

const WITH_BODY: readonly (readonly [title: string, serve: Serve])[] = [
  ["HTTP/1.1, with a length", http1(`${HEAD}Content-Length: 5\r\n\r\nhello`)],
  ["HTTP/1.1, in chunks", http1(`${CHUNKED}5\r\nhello\r\n0\r\n\r\n`)],
  ["HTTP/1.1, until it closes", http1(`${HEAD}\r\nhello`)],
  ["HTTP/2, with a length", http2([["content-length", "5"]], (id) => frame("data", END_STREAM, id, "hello"))],
  ["HTTP/2, without a length", http2([], (id) => frame("data", END_STREAM, id, "hello"))],
];

const WITHOUT_BODY: readonly (readonly [title: string, serve: Serve])[] = [
  ["HTTP/1.1, with a length of 0", http1(`${HEAD}Content-Length: 0\r\n\r\n`)],
  ["HTTP/1.1, with no chunk", http1(`${CHUNKED}0\r\n\r\n`)],
  ["HTTP/1.1, with no chunk and a trailer", http1(`${CHUNKED}0\r\nX-Sum: 7\r\n\r\n`)],
  ["HTTP/1.1, which closes", http1(`${HEAD}\r\n`)],
  ["HTTP/2, with an empty frame", http2([], (id) => frame("data", END_STREAM, id))],
  ["HTTP/2, with a length of 0", http2([["content-length", "0"]], (id) => frame("data", END_STREAM, id))],
];

/** The status and the body that a client receives, without a last chunk. */
type Client = (proxy: TestProxy, port: number) => Promise<readonly [status: number, body: string]>;

const CLIENTS: readonly (readonly [title: string, receive: Client])[] = [
  [
    "HTTP/1.1",
    async (proxy, port) => {
      const client = await RawPeer.secure(proxy.port, `a.test:${port}`, proxy.clientCa);
      client.send("POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      const text = (await client.rest()).toString("latin1");
      client.close();
      const [, status = "", body = ""] = /^HTTP\/1\.1 (\d{3}).*?\r\n\r\n(.*)$/s.exec(text) ?? [];
      return [Number(status), body.replace(/^0\r\n.*/s, "")];
    },
  ],
  [
    "HTTP/2",
    async (proxy, port) => {
      const session = await http2Client(proxy, `https://a.test:${port}`);
      const { status, body } = await ask(session, { ":method": "POST", ":path": "/" });
      session.destroy();
      return [status, body.toString()];
    },
  ],
];

describe("205 Reset Content responses (RFC 9110, 15.3.6)", (test) => {
  test("given a trailer and HTTP/2, before the request's end, delivers the 205 and ends the stream", () =>
    withProxy({}, async (proxy) => {
      const server = await http1(`${CHUNKED}0\r\nX-Sum: 7\r\n\r\n`)(proxy);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
      assert.is((await replyOn(stream)).status, 205);
      session.destroy();
      await server.stop();
    }));

  for (const [protocol, receive] of CLIENTS) {
    for (const [title, serve] of WITH_BODY)
      test(`given a body, from ${title}, to ${protocol}, refuses it with a reason`, () =>
        withProxy({}, async (proxy) => {
          const server = await serve(proxy);
          const [status, body] = await receive(proxy, server.port);
          assert.is(status, 502);
          assert.match(body, "a body on a 205 response");
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], ["response-malformed", 502]);
          await server.stop();
        }));

    for (const [title, serve] of WITHOUT_BODY)
      test(`given no body, from ${title}, to ${protocol}, forwards the 205`, () =>
        withProxy({}, async (proxy) => {
          const server = await serve(proxy);
          const [status, body] = await receive(proxy, server.port);
          assert.equal([status, body], [205, ""]);
          const { ended } = await proxy.traffic.row(0);
          assert.equal([ended.outcome, ended.encodedBodySize], [{ kind: "responded", status: 205 }, 0]);
          await server.stop();
        }));

    test(`given a response cut off before its end, to ${protocol}, responds 502`, () =>
      withProxy({}, async (proxy) => {
        const server = await http1(CHUNKED)(proxy);
        assert.is((await receive(proxy, server.port))[0], 502);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.equal([outcome.kind === "failed" && outcome.errorType, outcome.status], ["response-truncated", 502]);
        await server.stop();
      }));
  }
});
