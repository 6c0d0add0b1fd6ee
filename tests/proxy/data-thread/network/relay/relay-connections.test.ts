import * as assert from "uvu/assert";
import { phasesOf } from "../../../../../src/engine/model/phases.ts";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("relay of connections", (test) => {
  test("given pipelined requests, answers them in order over one connection to the server", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head.split(" ")[1] ?? "")));
      const client = await RawPeer.to(proxy.port);
      client.send(Array.from({ length: 20 }, (_, index) => get(server.port, `/n${index + 10}`)).join(""));
      for (let index = 0; index < 20; index += 1) {
        await client.head();
        assert.is((await client.bytes(4)).toString(), `/n${index + 10}`);
      }
      assert.is(server.peers.length, 1);
      await proxy.traffic.row(19);
      const reused = proxy.traffic.rows.map(({ ended }) => ended.reused);
      assert.equal(reused, [false, ...new Array<boolean>(19).fill(true)]);
      client.close();
    }));

  test("given a connection that a first client left, reuses it for a second client", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x")));
      for (let round = 0; round < 2; round += 1) {
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port, "/", "Connection: close"));
        assert.match((await client.rest()).toString(), /Connection: close\r\n\r\nx$/);
      }
      assert.is(server.peers.length, 1);
      const { instants } = (await proxy.traffic.row(1)).ended;
      const { dns, connect, tls, ttfb } = phasesOf(instants);
      assert.equal([dns, connect, tls], [null, null, null]);
      assert.ok(ttfb !== null && ttfb >= 0);
    }));

  test("given a stale pooled connection, repeats a GET on a new connection", () =>
    withProxy({}, async (proxy) => {
      let connections = 0;
      const server = await proxy.server(async (peer) => {
        connections += 1;
        await peer.head();
        peer.send(ok("x"));
        await peer.head();
        if (connections === 1) peer.socket.resetAndDestroy();
        else peer.send(ok("x"));
      });
      const client = await RawPeer.to(proxy.port);
      for (let round = 0; round < 2; round += 1) {
        client.send(get(server.port));
        await client.head();
        await client.bytes(1);
      }
      assert.is(connections, 2);
      const row = await proxy.traffic.row(1);
      assert.is(row.ended.reused, false);
      assert.ok(phasesOf(row.ended.instants).connect !== null);
      client.close();
    }));

  test("given requests that wait for the turn's end when their connections are reset, repeats them on new ones", () =>
    withProxy({}, async (proxy) => {
      const many = 8;
      let asked = 0;
      let allAsked: () => void = () => {};
      const all = new Promise<void>((resolve) => {
        allAsked = resolve;
      });
      const server = await proxy.server(async (peer) => {
        for (;;) {
          const head = await peer.head();
          asked += 1;
          if (asked === many) allAsked();
          await all;
          peer.send(ok(/\/n\d+/.exec(head)?.[0] ?? ""));
        }
      });
      const clients = await Promise.all(Array.from({ length: many }, () => RawPeer.to(proxy.port)));
      const ask = (round: number): void => {
        for (const [index, client] of clients.entries()) client.send(get(server.port, `/n${round}${index}`));
      };
      const hear = async (round: number): Promise<void> => {
        for (const [index, client] of clients.entries()) {
          await client.head();
          assert.is((await client.bytes(4)).toString(), `/n${round}${index}`);
        }
      };
      ask(1);
      await hear(1);
      assert.is(server.peers.length, many);
      // The proxy finds all of this at once when it reads again.
      ask(2);
      for (const peer of server.peers) peer.socket.resetAndDestroy();
      await hear(2);
      await proxy.traffic.row(2 * many - 1);
      for (const { ended } of proxy.traffic.rows.slice(many)) {
        const { connectEnd, requestStart, responseStart, responseForwarded, responseEnd } = ended.instants;
        assert.is(ended.reused, false);
        assert.ok((connectEnd ?? 0) > 0 && (requestStart ?? 0) >= (connectEnd ?? 0), "sent once it was connected");
        assert.ok((responseStart ?? 0) <= (responseForwarded ?? 0) && (responseForwarded ?? 0) <= (responseEnd ?? 0));
      }
      for (const client of clients) client.close();
    }));

  test("given a stale pooled connection and a POST, does not repeat it and responds 502 with the reason", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send(ok("x"));
        await peer.head();
        peer.close();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("\r\n\r\nx");
      client.send(request("POST", server.port, "/", "Content-Length: 0"));
      assert.match(await client.head(), "502 Bad Gateway");
      await client.until("server-closed");
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("given a connection that authenticated a client, keeps it for that client", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) =>
          head.includes("/ntlm")
            ? "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"
            : ok("x"),
        ),
      );
      const first = await RawPeer.to(proxy.port);
      first.send(get(server.port, "/ntlm"));
      await first.head();
      const second = await RawPeer.to(proxy.port);
      second.send(get(server.port));
      await second.head();
      first.send(get(server.port));
      await first.head();
      const rows = [await proxy.traffic.row(0), await proxy.traffic.row(1), await proxy.traffic.row(2)];
      const [a, b, c] = rows.map(({ ended }) => ended.connection);
      assert.is.not(a, b);
      assert.is(a, c);
      first.close();
      await (await server.peer(0)).over;
      second.close();
    }));

  test("given an authenticated connection, does not reuse it after the trusted certificates have changed", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(
        answering(() => "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n"),
      );
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      const statuses: (string | undefined)[] = [];
      for (const trusted of [null, null, proxy.clientCa, proxy.servers.pem]) {
        if (trusted !== null) proxy.trust([trusted]);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        const head = await client.head();
        await client.bytes(Number(/content-length: (\d+)/i.exec(head)?.[1]));
        statuses.push(head.split(" ")[1]);
      }
      assert.equal(statuses, ["401", "401", "502", "401"]);
      assert.is(server.peers.filter(({ total }) => total > 0).length, 2);
      await (await server.peer(0)).over;
      client.close();
    }));

  test("given 100 requests at once, has all of them at the server at the same time", () =>
    withProxy({}, async (proxy) => {
      const count = 100;
      const peers: RawPeer[] = [];
      const server = await proxy.server(async (peer) => {
        await peer.head();
        if (peers.push(peer) === count) for (const each of peers) each.send(ok("x"));
      });
      const clients = await Promise.all(Array.from({ length: count }, () => RawPeer.to(proxy.port)));
      for (const client of clients) client.send(get(server.port));
      await Promise.all(clients.map((client) => client.until("\r\n\r\nx")));
      for (const client of clients) client.close();
    }));

  test("given bytes behind a response, does not use them as the response to another client", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) => (head.startsWith("GET /1 ") ? ok("one") + ok("of nobody") : ok("two"))),
      );
      const first = await RawPeer.to(proxy.port);
      first.send(get(server.port, "/1"));
      await first.until("one");
      await proxy.traffic.row(0);
      const second = await RawPeer.to(proxy.port);
      second.send(get(server.port, "/2"));
      assert.match(await second.head(), "Content-Length: 3");
      first.close();
      second.close();
    }));

  test("given a body behind the response to HEAD, still serves the next request", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("one")));
      const client = await RawPeer.to(proxy.port);
      client.send(request("HEAD", server.port));
      await client.head();
      await proxy.traffic.row(0);
      client.send(get(server.port, "/2"));
      assert.match(await client.head(), "200 OK");
      client.close();
    }));
});
