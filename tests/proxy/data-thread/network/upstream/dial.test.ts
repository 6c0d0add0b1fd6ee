import { once } from "node:events";
import { connect } from "node:net";
import * as assert from "uvu/assert";
import type { Resolver } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { errorTypeOf } from "../../../../../extensions/proxy/data-thread/network/sockets/error-type.ts";
import { DialledSockets } from "../../../../../extensions/proxy/data-thread/network/upstream/dial.ts";
import { phasesOf } from "../../../../../src/engine/model/phases.ts";
import { describe } from "../../../../support/describe.ts";
import { failsWith } from "../../../../support/failing-request.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const server = await rawServer();
  await server.stop();
  return server.port;
}

describe("dialling a server", (test) => {
  test("given a name without an address, responds 502 with name-not-resolved", () =>
    withProxy({}, (proxy) => failsWith(proxy, "http://nowhere.invalid/", "name-not-resolved", 502, "ENOTFOUND")));

  test("given a look-up that never ends, responds 502 with name-not-resolved after its time limit", () =>
    withProxy({ limits: { lookup: 50 }, resolver: { lookup: () => new Promise(() => {}) } }, (proxy) =>
      failsWith(proxy, "http://slow.test/", "name-not-resolved", 502, "took too long"),
    ));

  test("given a port where nothing listens, responds 502 with connection-refused", () =>
    withProxy({}, async (proxy) => {
      await failsWith(proxy, `http://a.test:${await freePort()}/`, "connection-refused", 502, "ECONNREFUSED");
    }));

  test("given an address that does not answer, responds 502 or 504 with the reason", () =>
    // 192.0.2.0/24 is reserved (RFC 5737); a network may reject it at once.
    withProxy(
      { limits: { connect: 50 }, resolver: { lookup: async () => [{ address: "192.0.2.1", family: 4 }] } },
      async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.send("GET http://a.test/ HTTP/1.1\r\nHost: a\r\n\r\n");
        assert.match(await client.head(), /^HTTP\/1\.1 50[24] /);
        const { outcome } = (await proxy.traffic.row(0)).ended;
        const errorType = outcome.kind === "failed" ? outcome.errorType : "";
        assert.ok(["connection-timeout", "host-unreachable", "connection-refused"].includes(errorType), errorType);
        client.close();
      },
    ));

  test("given a TLS handshake that is never answered, responds 504 with tls-timeout", () =>
    withProxy({ limits: { handshake: 50 } }, async (proxy) => {
      const server = await proxy.server();
      await failsWith(proxy, `https://a.test:${server.port}/`, "tls-timeout", 504, "TLS handshake");
    }));

  test("given a server that resets after the request, responds 502 with server-reset", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.socket.resetAndDestroy();
      });
      await failsWith(proxy, `http://a.test:${server.port}/`, "server-reset", 502, "ECONNRESET");
    }));

  test("given a server that closes without a response, responds 502 with server-closed", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.socket.end();
      });
      await failsWith(proxy, `http://a.test:${server.port}/`, "server-closed", 502, "without a response");
    }));

  for (const begun of ["HTTP/1.1 200 OK\r\nX-Half: ", "<html>"])
    test(`given a server that closes after ${JSON.stringify(begun)}, responds 502 and says that the head is incomplete`, () =>
      withProxy({}, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(begun);
          peer.socket.end();
        });
        await failsWith(
          proxy,
          `http://a.test:${server.port}/`,
          "server-closed",
          502,
          "before the response's head was complete",
        );
      }));

  for (const [title, said, detail] of [
    ["takes the request and stays silent", "", "sent nothing"],
    ["begins a response's head and never ends it", "HTTP/1.1 200 OK\r\nX-Half: ", "no complete response head"],
  ] as const)
    test(`given a server that ${title}, responds 504 with response-timeout`, () => {
      const clock = new HeldClock();
      return withProxy({ clock, limits: { response: 50 } }, async (proxy) => {
        const server = await proxy.server(async (peer) => {
          await peer.head();
          peer.send(said);
          // A later client gets its response only after the proxy has read that.
          const later = await RawPeer.to(proxy.port);
          later.send("GET / HTTP/1.1\r\nHost: weir.test\r\nConnection: close\r\n\r\n");
          await later.rest();
          clock.release();
        });
        await failsWith(proxy, `http://a.test:${server.port}/`, "response-timeout", 504, detail);
      });
    });

  test("given a response that is not HTTP, responds 502 with response-malformed", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => "SSH-2.0-OpenSSH_9.9\r\n\r\n"));
      await failsWith(proxy, `http://a.test:${server.port}/`, "response-malformed", 502, "malformed");
    }));

  test("given a server that closes during the TLS handshake, responds 502 with server-closed", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.bytes(10);
        peer.socket.end();
      });
      await failsWith(proxy, `https://a.test:${server.port}/`, "server-closed", 502, "during the TLS handshake");
    }));

  test("given a first address that fails, connects to the next one and records the connect phase", () =>
    withProxy(
      {
        resolver: {
          lookup: async () => [
            { address: "::1", family: 6 },
            { address: "127.0.0.1", family: 4 },
          ],
        },
      },
      async (proxy) => {
        const server = await proxy.server(answering(() => ok("second")));
        const client = await RawPeer.to(proxy.port);
        client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
        await client.until("second");
        const { instants } = (await proxy.traffic.row(0)).ended;
        assert.ok(phasesOf(instants).connect !== null);
        client.close();
      },
    ));

  test("given addresses of one family that do not work, tries those that are found later", () => {
    const resolver: Resolver = {
      lookup: async (_, events) => {
        events?.late(Promise.resolve([{ address: "127.0.0.1", family: 4 }]));
        return [{ address: "::1", family: 6 }];
      },
    };
    return withProxy({ resolver }, async (proxy) => {
      const server = await proxy.server(answering(() => ok("later")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("later");
      client.close();
    });
  });

  test("given a look-up that has to wait for a process, counts only the look-up itself as DNS", () => {
    const clock = new HeldClock();
    const resolver: Resolver = {
      lookup: async (_, events) => {
        clock.pass(700);
        events?.begun();
        clock.pass(30);
        return [{ address: "127.0.0.1", family: 4 }];
      },
    };
    return withProxy({ clock, resolver }, async (proxy) => {
      const server = await proxy.server(answering(() => ok("found")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("found");
      const { dns, weir } = phasesOf((await proxy.traffic.row(0)).ended.instants);
      assert.is(Math.round(dns ?? 0), 30);
      assert.ok((weir ?? 0) >= 699);
      client.close();
    });
  });

  test("given a host override, connects to its address without a look-up", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("there")));
      proxy.settings.hostOverrides = [`made-up.example=127.0.0.1:${server.port}`];
      const client = await RawPeer.to(proxy.port);
      client.send("GET http://made-up.example/ HTTP/1.1\r\nHost: made-up.example\r\n\r\n");
      await client.until("there");
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, "http://made-up.example");
      assert.is(phasesOf(row.ended.instants).dns, null);
      client.close();
    }));
});

describe("dialled sockets", (test) => {
  test("given a connection that arrives from our own end for the same host, breaks ours off as a loop", async () => {
    const [server, dialled] = [await rawServer(), new DialledSockets()];
    const ours = connect(server.port, "127.0.0.1");
    await once(ours, "connect");
    dialled.add(ours, ["a.test"]);
    const { socket: arrived } = await server.peer(0);
    assert.is(dialled.breakLoop(arrived, "b.test"), false);
    const [failed, closed] = [once(ours, "error"), new Promise((resolve) => ours.once("close", resolve))];
    assert.is(dialled.breakLoop(arrived, "a.test"), true);
    const [error] = await failed;
    const { errorType, detail } = errorTypeOf(error);
    assert.is(errorType, "loop-refused");
    assert.match(detail, "Let the redirect leave out the user as whom Weir runs.");
    await closed;
    assert.is(dialled.breakLoop(arrived, "a.test"), false, "a closed connection is forgotten");
    await server.stop();
  });

  test("given a connection of another program, knows it is not ours", async () => {
    const [server, dialled] = [await rawServer(), new DialledSockets()];
    const [ours, others] = [connect(server.port, "127.0.0.1"), connect(server.port, "127.0.0.1")];
    await Promise.all([once(ours, "connect"), once(others, "connect")]);
    dialled.add(ours, ["a.test"]);
    for (const index of [0, 1]) {
      const { socket } = await server.peer(index);
      if (socket.remotePort === others.localPort) assert.is(dialled.breakLoop(socket, "a.test"), false);
    }
    ours.destroy();
    others.destroy();
    await server.stop();
  });
});
