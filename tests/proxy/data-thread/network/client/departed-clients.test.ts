import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withinLoopTime } from "../../../../support/loop-time.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import type { RawServer } from "../../../../support/raw-server.ts";
import { stalled } from "../../../../support/stalled.ts";
import { swept } from "../../../../support/swept.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

/** A client that has sent a head, in plain text or over TLS. `lines`: the head's lines, each with its line end. */
async function asked(
  proxy: TestProxy,
  scheme: "http" | "https",
  method: string,
  serve: (peer: RawPeer) => Promise<void> = async () => {},
  lines = "",
): Promise<{ readonly server: RawServer; readonly client: RawPeer }> {
  const server = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
  const authority = `a.test:${server.port}`;
  const client = await (scheme === "http"
    ? RawPeer.to(proxy.port)
    : RawPeer.secure(proxy.port, authority, proxy.clientCa));
  const target = scheme === "http" ? `http://${authority}/` : "/";
  client.send(`${method} ${target} HTTP/1.1\r\nHost: ${authority}\r\n${lines}\r\n`);
  return { server, client };
}

describe("clients that disconnect", (test) => {
  test("given a client that resets within its response, closes the server's connection and records client-aborted", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("abc");
      client.socket.resetAndDestroy();
      await (await server.peer(0)).over;
      const { ended } = await proxy.traffic.row(0);
      assert.equal(ended.outcome.kind === "failed" ? ended.outcome.errorType : "", "client-aborted");
      assert.is(ended.outcome.status, 200);
      assert.is(ended.encodedBodySize, 3);
      assert.is(ended.instants.responseEnd, null);
    }));

  for (const scheme of ["http"] as const) {
    test(`given a client over ${scheme} that half-closes and a response that does not begin in time, records client-aborted`, () => {
      const clock = new HeldClock();
      return withProxy({ clock, limits: { lateAnswer: 50 } }, async (proxy) => {
        const { server, client } = await asked(proxy, scheme, "GET");
        const peer = await server.peer(0);
        await peer.head();
        client.socket.end();
        await swept(proxy.port, clock, 120_001);
        await peer.over;
        // The first row to end is that of the client that the sweep has to detect.
        const { outcome } = (await proxy.traffic.row(1)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
        assert.is(client.total, 0, "nothing was sent to find out");
      });
    });
  }

  test("given an upload that stalls, sends the client no byte before the server's response", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { idle: 50 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Content-Length: 100000000"));
      const peer = await server.peer(0);
      peer.socket.pause();
      await stalled(client);
      await swept(proxy.port, clock, 1_000);
      assert.is(client.total, 0);
      peer.send("HTTP/1.1 413 Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
      await client.until("HTTP/1.1 413");
      client.close();
    });
  });

  test("given a client that half-closes within its response, delivers the rest of the response", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      const peer = await server.peer(0);
      await peer.head();
      peer.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npart");
      await client.until("part");
      client.socket.end();
      // A later client gets its response only after the proxy has read that end.
      const later = await RawPeer.to(proxy.port);
      later.send("GET / HTTP/1.1\r\nHost: weir.test\r\nConnection: close\r\n\r\n");
      await later.rest();
      peer.send("rest");
      assert.match((await client.rest()).toString(), /rest$/);
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
    }));

  for (const scheme of ["http"] as const) {
    test(`given a half-closed client over ${scheme} that disconnects within an event stream, detects the disconnect by the reset`, () =>
      withProxy({ limits: { linger: 50 } }, async (proxy) => {
        const serve = async (peer: RawPeer): Promise<void> => {
          await peer.head();
          peer.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n");
        };
        const { server, client } = await asked(proxy, scheme, "GET", serve);
        client.socket.end();
        await client.until("data: 1\n\n");
        client.socket.destroy();
        await once(client.socket, "close");
        const peer = await server.peer(0);
        // The client's system answers that with a reset; nothing more is sent.
        peer.send("data: 2\n\n");
        await peer.over;
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      }));
  }

  for (const scheme of ["http", "https"] as const) {
    test(`given a client over ${scheme} that disconnects in an upload that the server does not read, detects that within 1 s`, () =>
      withProxy({}, async (proxy) => {
        const serve = async (peer: RawPeer): Promise<void> => {
          await peer.head();
          peer.socket.pause();
        };
        const { client } = await asked(proxy, scheme, "POST", serve, "Content-Length: 1000000000\r\n");
        client.send(Buffer.alloc(7_000_000));
        while (client.socket.writableLength > 0) await once(client.socket, "drain");
        client.socket.destroy();
        const { outcome } = (await withinLoopTime(1_000, proxy.traffic.row(0))).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      }));
  }

  test("given a request body that is cut off, responds 400 and closes the server's connection", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`POST http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc`);
      await (await server.peer(0)).until("abc");
      client.socket.end();
      assert.match((await client.rest()).toString(), "400 Bad Request");
      await (await server.peer(0)).over;
      const { outcome, requestBodySize } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      assert.is(requestBodySize, 3);
    }));

  test("given a client that disconnects after its response, with its upload unread, ends the exchange as responded", () =>
    withProxy({ limits: { stall: 500 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.socket.pause();
        peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("POST", server.port, "/", "Content-Length: 1000000000"));
      await client.until("413");
      await stalled(client);
      client.close();
      assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 413 });
    }));

  for (const [title, reads, length] of [
    ["has sent much beyond its request", true, 0],
    ["is in an upload that the server does not read", false, 1_000_000_000],
  ] as const) {
    test(`given a client that ${title} and resets within its response, records client-aborted and closes its connection`, () =>
      withProxy({ limits: { linger: 50 } }, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          if (!reads) peer.socket.pause();
          peer.send("HTTP/1.1 200 OK\r\n\r\npart");
        });
        const client = await RawPeer.to(proxy.port);
        client.send(request("POST", server.port, "/", `Content-Length: ${length}`));
        await client.until("part");
        await stalled(client);
        client.socket.resetAndDestroy();
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
        while (proxy.listener.connections > 0) await pause(10);
      }));
  }

  test("given a half-closed client that stops reading its response, gives up and closes the server's connection", () =>
    withProxy({ limits: { stall: 100 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 200 OK\r\n\r\n");
        await stalled(peer);
      });
      const client = await RawPeer.to(proxy.port);
      client.socket.pause();
      client.send(request("GET", server.port));
      client.socket.end();
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      await (await server.peer(0)).over;
      client.close();
    }));
});
