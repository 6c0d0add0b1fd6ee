import { EventEmitter } from "node:events";
import type { Http2Session, ServerHttp2Stream } from "node:http2";
import * as assert from "uvu/assert";
import { GracefulClose } from "../../../../../extensions/proxy/data-thread/network/http2/graceful-close.ts";
import { describe } from "../../../../support/describe.ts";
import { answered, http2ByHand } from "../../../../support/http2-by-hand.ts";
import { END_HEADERS, END_STREAM, fields, frame, GREETING } from "../../../../support/http2-frames.ts";
import { http2Server } from "../../../../support/http2-server.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** Errors that end a whole connection (RFC 9113, 5.4.1). */
const ERRORS: readonly (readonly [title: string, bytes: Buffer])[] = [
  ["a DATA frame of no stream", frame("data", 0, 0, "x")],
  ["invalid SETTINGS", frame("settings", 0, 0, "abc")],
  ["a PING of three bytes", frame("ping", 0, 0, "abc")],
  ["a frame over the size limit", frame("data", 0, 1, "", 20_000)],
  ["a CONTINUATION of no head", frame("continuation", END_HEADERS, 1, "x")],
  ["unreadable fields", frame("headers", END_HEADERS, 1, Buffer.alloc(6, 0xff))],
];

const HEAD = fields([":method", "GET"], [":scheme", "http"], [":authority", "a.test"], [":path", "/"]);
const PING = frame("ping", 0, 0, Buffer.alloc(8));

function goaway(last: number): Buffer {
  return frame("goaway", 0, 0, Buffer.from([0, 0, 0, last, 0, 0, 0, 0]));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe("HTTP/2 graceful close", (test) => {
  for (const [title, bytes] of ERRORS) {
    for (const [how, leave] of [
      ["stays connected", () => {}],
      ["disconnects", (client: RawPeer) => client.socket.resetAndDestroy()],
    ] as const) {
      test(`given a waiting client that sends GOAWAY and ${title}, and ${how}, closes its stream and connection`, () =>
        withProxy({ limits: { linger: 50 } }, async (proxy) => {
          let take: (stream: ServerHttp2Stream) => void = () => {};
          const taken = new Promise<ServerHttp2Stream>((resolve) => {
            take = resolve;
          });
          const server = await http2Server(proxy, (stream) => take(stream), { clear: true });
          const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
          client.send(Buffer.concat([GREETING, frame("headers", END_HEADERS | END_STREAM, 1, HEAD)]));
          const stream = await taken;
          client.send(Buffer.concat([goaway(0), bytes]));
          leave(client);
          await until(() => stream.destroyed && proxy.listener.connections === 0);
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
          client.close();
          await server.stop();
        }));
    }

    test(`given a request, GOAWAY and ${title} in one piece, closes the connection and records client-aborted`, () =>
      withProxy({ limits: { linger: 50 } }, async (proxy) => {
        const server = await http2Server(proxy, () => {}, { clear: true });
        const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
        client.send(Buffer.concat([GREETING, frame("headers", END_HEADERS | END_STREAM, 1, HEAD), goaway(0), bytes]));
        await until(() => proxy.listener.connections === 0);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
        client.close();
        await server.stop();
      }));

    for (const [when, begun, errorType] of [
      ["before the response", false, "response-malformed"],
      ["within the response", true, "response-truncated"],
    ] as const) {
      test(`given a server that sends GOAWAY and ${title} ${when}, fails the exchange in flight`, () =>
        withProxy({}, async (proxy) => {
          const server = await http2ByHand(proxy, (id) => {
            const beginning = begun ? [answered(id, END_HEADERS), frame("data", 0, id, "part")] : [];
            return Buffer.concat([...beginning, goaway(id), bytes]);
          });
          const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
          client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
          await client.rest();
          const { outcome } = (await proxy.traffic.row(0)).ended;
          assert.is(outcome.kind === "failed" && outcome.errorType, errorType);
          client.close();
          await server.stop();
        }));
    }
  }

  test("given more GOAWAY frames than sixteen, ends the connection; it looks for open streams once a turn", async () => {
    for (const count of [16, 17, 10_000]) {
      const session = Object.assign(new EventEmitter(), { close: () => {}, destroyed: 0, destroy: () => {} });
      session.destroy = () => {
        session.destroyed += 1;
      };
      let looks = 0;
      const graceful = new GracefulClose(session as unknown as Http2Session, () => {
        looks += 1;
        return true;
      });
      for (let frames = 0; frames < count; frames += 1) {
        session.emit("goaway", 0, 0);
        session.close();
      }
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(graceful.isWanted);
      assert.equal([session.destroyed, looks], [count > 16 ? 1 : 0, 1]);
    }
  });

  test("given a client's flood of GOAWAY frames, ends its connection and streams", () =>
    withProxy({ limits: { linger: 50 } }, async (proxy) => {
      const server = await http2Server(proxy, () => {}, { clear: true });
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      const flood = Array.from({ length: 17 }, () => goaway(0));
      client.send(Buffer.concat([GREETING, frame("headers", END_HEADERS | END_STREAM, 1, HEAD), ...flood]));
      await until(() => proxy.listener.connections === 0);
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      client.close();
      await server.stop();
    }));

  test("given a server's GOAWAY, closes its connection once the last accepted stream has ended", () =>
    withProxy({}, async (proxy) => {
      const server = await http2ByHand(proxy, (id, peer) => {
        peer.send(Buffer.concat([answered(id, END_HEADERS), goaway(id), PING]));
        return Buffer.alloc(0);
      });
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await client.head();
      (await server.peer(0)).send(frame("data", END_STREAM, 1, "late"));
      assert.match((await client.rest()).toString(), "late");
      await (await server.peer(0)).over;
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
      client.close();
      await server.stop();
    }));
});
