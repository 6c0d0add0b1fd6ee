import { randomBytes } from "node:crypto";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { withHoldingServer } from "../../../../support/holding-server.ts";
import { withHttp2Ends } from "../../../../support/http2-ends.ts";
import { ask, http2Client, type StreamReply } from "../../../../support/http2-peer.ts";
import { hello, http2Server } from "../../../../support/http2-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const { NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM } = http2.constants;

/** The status of a response, or the text of the stream's error. */
async function endOf(asked: Promise<StreamReply>): Promise<string> {
  return await asked.then(({ status }) => String(status), String);
}

describe("retried HTTP/2 requests", (test) => {
  test("given REFUSED_STREAM, sends a request of any method once more, but not a third time", async () => {
    for (const [method, refusals, end] of [
      ["GET", 1, /^200$/],
      ["GET", 2, /REFUSED_STREAM/],
      ["POST", 1, /^200$/],
      ["POST", 2, /REFUSED_STREAM/],
    ] as const) {
      let seen = 0;
      await withHttp2Ends(
        (stream) => {
          seen += 1;
          if (seen <= refusals) stream.close(NGHTTP2_REFUSED_STREAM);
          else hello(stream);
        },
        async ({ session }) => {
          assert.match(await endOf(ask(session, { ":method": method, ":path": "/" })), end);
          assert.is(seen, 2);
        },
      );
    }
  });

  test("given REFUSED_STREAM after a body, sends the request again only while all of the body is kept", async () => {
    for (const [size, sent, end] of [
      [10_000, 2, /^200$/],
      [200_000, 1, /REFUSED_STREAM/],
    ] as const) {
      const seen: Buffer[][] = [];
      await withHttp2Ends(
        (stream) => {
          const pieces: Buffer[] = [];
          seen.push(pieces);
          const isFirst = seen.length === 1;
          stream.on("data", (bytes: Buffer) => pieces.push(bytes));
          stream.on("end", () => {
            if (isFirst) stream.close(NGHTTP2_REFUSED_STREAM);
            else hello(stream);
          });
        },
        async ({ session }) => {
          const body = randomBytes(size);
          assert.match(await endOf(ask(session, { ":method": "POST", ":path": "/" }, body)), end);
          assert.is(seen.length, sent);
          for (const pieces of seen) assert.ok(Buffer.concat(pieces).equals(body));
        },
      );
    }
  });

  test("given GOAWAY, finishes streams in flight and sends unprocessed requests over another connection", () =>
    withHoldingServer(async ({ server, session }) => {
      const first = ask(session, { ":path": "/held" });
      await server.holds(1);
      server.sessions[0]?.goaway(NGHTTP2_NO_ERROR, server.held[0]?.id ?? 0);
      for (let round = 0; round < 3; round += 1) assert.is((await ask(session, { ":path": "/next" })).status, 200);
      for (const stream of server.held) hello(stream);
      assert.is((await first).body.toString(), "hello");
      assert.is(server.sessions.length, 2);
    }));

  test("given HTTP_1_1_REQUIRED, uses HTTP/1.1 for this request and the next", () =>
    withProxy({}, async (proxy) => {
      let streams = 0;
      const server = await http2Server(
        proxy,
        (stream) => {
          streams += 1;
          stream.close(NGHTTP2_HTTP_1_1_REQUIRED);
        },
        { allowHTTP1: true },
        (_request, response) => response.end("over 1.1"),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (let round = 0; round < 2; round += 1)
        assert.is((await ask(session, { ":path": "/" })).body.toString(), "over 1.1");
      assert.is(streams, 1);
      session.destroy();
      await server.stop();
    }));

  test("given connections that the server closes while idle, still answers each next request", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, hello);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (let round = 0; round < 3; round += 1) {
        assert.is((await ask(session, { ":path": "/" })).status, 200);
        server.sessions[round]?.destroy();
      }
      session.destroy();
      await server.stop();
    }));
});
