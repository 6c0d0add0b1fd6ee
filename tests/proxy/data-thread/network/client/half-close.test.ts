import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import * as tls from "node:tls";
import * as assert from "uvu/assert";
import { hasReceivedFin } from "../../../../../extensions/proxy/data-thread/network/client/half-close.ts";
import { request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { seeded } from "../../../../support/seeded.ts";
import { swept } from "../../../../support/swept.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

const WHOLE = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nwhole";

/** TLS through the proxy whose end sends close_notify (RFC 8446, 6.1) and no FIN. */
async function withoutFin(
  proxy: TestProxy,
  authority: string,
): Promise<{ readonly client: RawPeer; readonly tcp: Socket }> {
  const { socket: tcp } = await RawPeer.tunnel(proxy.port, authority);
  tcp.removeAllListeners("data");
  const carrier = new Duplex({
    read: () => {},
    write: (bytes: Buffer, _encoding, done) => void tcp.write(bytes, () => done()),
    final: (done) => done(),
  });
  tcp.on("data", (bytes: Buffer) => carrier.push(bytes));
  tcp.on("end", () => carrier.push(null));
  const secured = tls.connect({
    socket: carrier,
    servername: "a.test",
    ca: [proxy.clientCa],
    ALPNProtocols: ["http/1.1"],
  });
  await once(secured, "secureConnect");
  return { client: new RawPeer(secured), tcp };
}

function aborted(outcome: { readonly kind: string; readonly errorType?: string }): boolean {
  return outcome.kind === "failed" && outcome.errorType === "client-aborted";
}

describe("clients that half-close", (test) => {
  test("given a FIN, and a reset in answer to the response, the exchange was aborted at the FIN", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      const peer = await server.peer(0);
      await peer.head();
      client.close();
      await once(client.socket, "close");
      // A later client gets its response only after the proxy has read that FIN.
      const later = await RawPeer.to(proxy.port);
      later.send("GET / HTTP/1.1\r\nHost: weir.test\r\nConnection: close\r\n\r\n");
      await later.rest();
      const { ended: sentLater } = await proxy.traffic.row(0);
      peer.send(WHOLE);
      const { started, ended } = await proxy.traffic.row(1);
      assert.ok(aborted(ended.outcome));
      assert.is(ended.outcome.status, null);
      assert.ok(ended.at <= sentLater.at, "the end is the instant of the FIN");
      assert.ok(ended.at >= started.at);
      assert.is(ended.instants.responseStart, null);
      assert.is(ended.instants.responseEnd, null);
    }));

  test("given TLS and a FIN, the request to the server is cancelled, with nothing sent", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer();
      const authority = `a.test:${server.port}`;
      const client = await RawPeer.secure(proxy.port, authority, proxy.clientCa);
      client.send(`GET / HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
      const peer = await server.peer(0);
      await peer.head();
      client.close();
      await peer.over;
      assert.ok(aborted((await proxy.traffic.row(0)).ended.outcome));
    }));

  test("given close_notify without FIN, the response is delivered; given the FIN later, the request is cancelled", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer();
      const authority = `a.test:${server.port}`;
      for (const [index, leaves] of [false, true].entries()) {
        const { client, tcp } = await withoutFin(proxy, authority);
        client.send(`GET / HTTP/1.1\r\nHost: ${authority}\r\nConnection: close\r\n\r\n`);
        const peer = await server.peer(index);
        await peer.head();
        client.socket.end();
        await once(client.socket, "finish");
        if (leaves) {
          tcp.end();
          await peer.over;
        } else {
          peer.send(WHOLE);
          await client.until("whole");
        }
        tcp.destroy();
        const { outcome } = (await proxy.traffic.row(index)).ended;
        assert.is(aborted(outcome), leaves);
        peer.close();
      }
    }));

  for (const [title, version, response] of [
    ["with a length", "1.1", WHOLE],
    ["in chunks", "1.1", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nwhole\r\n0\r\n\r\n"],
    ["until the connection ends", "1.0", "HTTP/1.1 200 OK\r\n\r\nwhole"],
  ] as const) {
    test(`given a client that shuts down its sending side, a response ${title} is delivered and counted`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server();
        const client = await RawPeer.to(proxy.port);
        client.send(request("GET", server.port).replace("HTTP/1.1", `HTTP/${version}`));
        client.socket.end();
        const peer = await server.peer(0);
        await peer.head();
        peer.send(response);
        if (version === "1.0") peer.socket.end();
        assert.match((await client.rest()).toString(), "whole");
        assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
      }));
  }

  test("given pipelined requests and a FIN, each gets its response", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        for (;;) {
          await peer.head();
          peer.send(WHOLE);
        }
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port).repeat(3));
      client.socket.end();
      assert.is((await client.rest()).toString().match(/whole/g)?.length, 3);
      for (const row of [0, 1, 2])
        assert.equal((await proxy.traffic.row(row)).ended.outcome, { kind: "responded", status: 200 });
    }));

  test("given a response that begins too late, the exchange was aborted at the FIN", () => {
    const clock = new HeldClock();
    return withProxy({ clock, limits: { lateAnswer: 50 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      await (await server.peer(0)).head();
      client.close();
      await swept(proxy.port, clock, 120_001);
      const row = await proxy.traffic.row(1);
      assert.ok(aborted(row.ended.outcome));
      assert.ok(row.ended.at - row.started.at < 120_000);
    });
  });

  for (const [scheme, batches] of [
    ["http", rounds(45)],
    ["https", rounds(5)],
  ] as const) {
    test(`given ${batches * 20} ${scheme} clients that leave at drawn times, no exchange whose client had the whole response is aborted`, () =>
      withProxy({}, async (proxy) => {
        const random = seeded(scheme.length);
        const turns = async (count: number): Promise<void> => {
          for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        };
        const serve = async (peer: RawPeer): Promise<void> => {
          for (;;) {
            const waits = Number(/\/(\d+)/.exec(await peer.head())?.[1]);
            await turns(waits);
            peer.send(WHOLE.slice(0, -2));
            await turns(waits % 3);
            peer.send(WHOLE.slice(-2));
          }
        };
        const server = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
        const authority = `a.test:${server.port}`;
        const hadAll = new Set<string>();
        const ask = async (target: string, [waits, stays, way]: readonly number[]): Promise<void> => {
          const client = await (scheme === "http"
            ? RawPeer.to(proxy.port)
            : RawPeer.secure(proxy.port, authority, proxy.clientCa));
          const url = scheme === "http" ? `http://${authority}${target}` : target;
          client.send(`GET ${url} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
          if (way === 0) await client.until("whole");
          else await turns((waits ?? 0) + (stays ?? 0));
          if (way === 0 || client.received.includes("whole")) hadAll.add(target);
          if (way === 1 && scheme === "http") client.socket.resetAndDestroy();
          else client.close();
        };
        for (let batch = 0; batch < batches; batch += 1)
          await Promise.all(
            Array.from({ length: 20 }, (_, index) => {
              const drawn = [Math.floor(random() * 20), Math.floor(random() * 40), Math.floor(random() * 3)];
              return ask(`/${drawn[0]}?${batch}-${index}`, drawn);
            }),
          );
        const { rows } = proxy.traffic;
        const finished = rows.filter(({ started }) => hadAll.has(started.target));
        assert.ok(
          finished.length > batches && rows.some(({ ended }) => aborted(ended.outcome)),
          "both kinds were drawn",
        );
        for (const { ended } of finished) assert.equal(ended.outcome, { kind: "responded", status: 200 });
      }));
  }
});

const skip = process.platform === "win32" ? "needs descriptors of sockets" : null;

describe("detection of a received FIN", (test) => {
  test(
    "given an open peer, is not seen; given one that has ended, is seen each time",
    async () => {
      const server = createServer({ allowHalfOpen: true }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
      const accepted = once(server, "connection");
      const client = connect(address.port, "127.0.0.1");
      const [socket] = (await accepted) as [Socket];
      assert.is(hasReceivedFin(socket), false);
      client.end();
      socket.resume();
      await once(socket, "end");
      assert.is(hasReceivedFin(socket), true);
      assert.is(hasReceivedFin(socket), true);
      socket.destroy();
      assert.is(hasReceivedFin(socket), null, "a closed socket has no descriptor");
      client.destroy();
      server.close();
    },
    { skip },
  );
});
