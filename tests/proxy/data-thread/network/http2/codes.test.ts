import { randomBytes } from "node:crypto";
import { once } from "node:events";
import * as http2 from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { brokenOff, http2ByHand, reset } from "../../../../support/http2-by-hand.ts";
import { ask, http2Client } from "../../../../support/http2-peer.ts";
import { http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { someOf } from "../../../../support/rounds.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const {
  NGHTTP2_NO_ERROR: NO_ERROR,
  NGHTTP2_PROTOCOL_ERROR: PROTOCOL_ERROR,
  NGHTTP2_INTERNAL_ERROR: INTERNAL_ERROR,
  NGHTTP2_FLOW_CONTROL_ERROR: FLOW_CONTROL_ERROR,
  NGHTTP2_STREAM_CLOSED: STREAM_CLOSED,
  NGHTTP2_FRAME_SIZE_ERROR: FRAME_SIZE_ERROR,
  NGHTTP2_REFUSED_STREAM: REFUSED_STREAM,
  NGHTTP2_CANCEL: CANCEL,
  NGHTTP2_COMPRESSION_ERROR: COMPRESSION_ERROR,
  NGHTTP2_CONNECT_ERROR: CONNECT_ERROR,
  NGHTTP2_ENHANCE_YOUR_CALM: ENHANCE_YOUR_CALM,
  NGHTTP2_INADEQUATE_SECURITY: INADEQUATE_SECURITY,
  NGHTTP2_HTTP_1_1_REQUIRED: HTTP_1_1_REQUIRED,
} = http2.constants;

const UNKNOWN = 0x77;

/**
 * The code with which a server resets a stream, and the code that its client then gets; `null`: a response of ours
 * instead.
 */
const DOWN: readonly (readonly [code: number, before: number | null, within: number])[] = [
  [NO_ERROR, null, INTERNAL_ERROR],
  [PROTOCOL_ERROR, null, INTERNAL_ERROR],
  [INTERNAL_ERROR, INTERNAL_ERROR, INTERNAL_ERROR],
  [FLOW_CONTROL_ERROR, null, INTERNAL_ERROR],
  [STREAM_CLOSED, null, INTERNAL_ERROR],
  [FRAME_SIZE_ERROR, null, INTERNAL_ERROR],
  [REFUSED_STREAM, REFUSED_STREAM, REFUSED_STREAM],
  [CANCEL, CANCEL, CANCEL],
  [COMPRESSION_ERROR, null, INTERNAL_ERROR],
  [CONNECT_ERROR, null, INTERNAL_ERROR],
  [ENHANCE_YOUR_CALM, ENHANCE_YOUR_CALM, ENHANCE_YOUR_CALM],
  [INADEQUATE_SECURITY, null, INTERNAL_ERROR],
  [UNKNOWN, null, INTERNAL_ERROR],
];

/** The code with which a client resets its stream, and the code that the server gets. */
const UP: readonly (readonly [code: number, told: number])[] = [
  [NO_ERROR, CANCEL],
  [PROTOCOL_ERROR, CANCEL],
  [INTERNAL_ERROR, INTERNAL_ERROR],
  [REFUSED_STREAM, CANCEL],
  [CANCEL, CANCEL],
  [ENHANCE_YOUR_CALM, ENHANCE_YOUR_CALM],
  [HTTP_1_1_REQUIRED, CANCEL],
  [UNKNOWN, CANCEL],
];

/** A stream's end: its status, its body, whether it ended in order, and the code. */
async function endOf(stream: http2.ClientHttp2Stream): Promise<readonly [number | null, string, boolean, number]> {
  let status: number | null = null;
  let body = "";
  let aborted = false;
  stream.on("response", (headers) => {
    status = Number(headers[":status"]);
  });
  stream.on("data", (bytes: Buffer) => {
    body += bytes.toString();
  });
  stream.on("error", () => {});
  stream.on("aborted", () => {
    aborted = true;
  });
  await new Promise<void>((resolve) => {
    stream.on("close", resolve);
  });
  return [status, body, !aborted, stream.rstCode ?? 0];
}

describe("HTTP/2 error codes, server to client", (test) => {
  for (const [code, before, within] of someOf(DOWN)) {
    test(`given code ${code} before or within a response, sends the client the matching code or a 502`, () =>
      withProxy({}, async (proxy) => {
        for (const isWithin of [false, true]) {
          const server = await http2ByHand(proxy, (id) => (isWithin ? brokenOff(id, code) : reset(id, code)));
          const session = await http2Client(proxy, `https://a.test:${server.port}`);
          // Held open, so that a regular end and a reset can be told apart.
          const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
          const [status, body, isInOrder, told] = await endOf(stream);
          const { outcome } = await proxy.traffic.event("exchange-ended", ({ id }) => id === (isWithin ? 2 : 1));
          const cause = outcome.kind === "failed" ? outcome.errorType : "none";
          if (isWithin) {
            assert.equal([status, isInOrder, told], [200, false, within]);
            assert.ok("part".startsWith(body));
            assert.equal([cause, outcome.status], ["response-truncated", 200]);
          } else {
            assert.equal([status, told], before === null ? [502, NO_ERROR] : [null, before]);
            assert.is(outcome.status, before === null ? 502 : null);
            assert.match(cause, /^server-(reset|closed)$/);
          }
          session.destroy();
          await server.stop();
        }
      }));
  }

  test("given a reset and a client of HTTP/1.1, responds 502 with the code, or cuts a response that has begun", () =>
    withProxy({}, async (proxy) => {
      for (const code of [INTERNAL_ERROR, CANCEL, ENHANCE_YOUR_CALM]) {
        for (const isWithin of [false, true]) {
          const server = await http2ByHand(proxy, (id) => (isWithin ? brokenOff(id, code) : reset(id, code)));
          const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
          client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
          const answer = (await client.rest()).toString();
          if (isWithin) assert.match(answer, /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n(4\r\npart\r\n)?$/);
          else assert.match(answer, /^HTTP\/1\.1 502 [\s\S]*\((INTERNAL_ERROR|CANCEL|ENHANCE_YOUR_CALM)\)/);
          client.close();
          await server.stop();
        }
      }
    }));

  test("given a server that disconnects before its response, over HTTP/2 or HTTP/1.1, responds 502", () =>
    withProxy({}, async (proxy) => {
      const cut = await http2ByHand(proxy, (_id, peer) => {
        peer.socket.destroy();
        return Buffer.alloc(0);
      });
      const old = await proxy.tlsServer(async (peer) => {
        await peer.head();
        peer.close();
      });
      for (const { port } of [cut, old]) {
        const session = await http2Client(proxy, `https://a.test:${port}`);
        assert.is((await ask(session, { ":method": "POST", ":path": "/" })).status, 502);
        session.destroy();
      }
      await cut.stop();
    }));

  test("given HTTP_1_1_REQUIRED for a request too long to repeat, forwards the code and uses HTTP/1.1 from then on", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(
        proxy,
        (stream) => {
          stream.resume();
          stream.on("end", () => stream.close(HTTP_1_1_REQUIRED));
        },
        { allowHTTP1: true },
        (_request, response) => response.end("over 1.1"),
      );
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
      stream.end(randomBytes(200_000));
      assert.is((await endOf(stream))[3], HTTP_1_1_REQUIRED);
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "over 1.1");
      session.destroy();
      await server.stop();
    }));
});

describe("HTTP/2 error codes, client to server", (test) => {
  for (const [code, told] of someOf(UP)) {
    test(`given code ${code} before or within a response, sends the server the matching code`, () =>
      withProxy({}, async (proxy) => {
        for (const isWithin of [false, true]) {
          let end = (_code: number): void => {};
          const ended = new Promise<number>((resolve) => {
            end = resolve;
          });
          let arrive = (): void => {};
          const arrived = new Promise<void>((resolve) => {
            arrive = resolve;
          });
          const server = await http2Server(proxy, (stream) => {
            stream.on("close", () => end(stream.rstCode ?? 0));
            if (isWithin) {
              stream.respond({ ":status": 200 });
              stream.write("part");
            }
            arrive();
          });
          const session = await http2Client(proxy, `https://a.test:${server.port}`);
          const stream = session.request({ ":method": "POST", ":path": "/" }, { endStream: false });
          stream.on("error", () => {});
          await (isWithin ? once(stream, "data") : arrived);
          stream.close(code);
          assert.is(await ended, told);
          session.destroy();
          await server.stop();
        }
      }));
  }

  test("given a client of HTTP/1.1 that disconnects within a response, sends the server CANCEL", () =>
    withProxy({}, async (proxy) => {
      let end = (_code: number): void => {};
      const ended = new Promise<number>((resolve) => {
        end = resolve;
      });
      const server = await http2Server(proxy, (stream) => {
        stream.on("close", () => end(stream.rstCode ?? 0));
        stream.respond({ ":status": 200 });
        stream.write("part");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET https://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("part");
      client.socket.resetAndDestroy();
      assert.is(await ended, CANCEL);
      await server.stop();
    }));
});
