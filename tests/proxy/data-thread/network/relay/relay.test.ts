import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import * as assert from "uvu/assert";
import { get, request } from "../../../../support/absolute-form.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { hasIpv6 } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("relay of requests and responses", (test) => {
  test("given a plain request, forwards its head unchanged except for the fields meant for the proxy", () =>
    withProxy({}, async (proxy) => {
      let seen = "";
      const server = await proxy.server(
        answering((head) => {
          seen = head;
          return ok("hello", "X-Odd:  Spaced ", "x-odd: twice");
        }),
      );
      const client = await RawPeer.to(proxy.port);
      const own = "Proxy-Connection: keep-alive\r\nProxy-Authorization: Basic eDp5\r\n";
      client.send(
        `GET http://a.test:${server.port}/p%2e/../q?x=1 HTTP/1.1\r\nhOsT: other.test\r\nAccept:*/*\r\n${own}X-A: 1\r\nx-a: 2\r\n\r\n`,
      );
      assert.is(await client.head(), "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Odd:  Spaced \r\nx-odd: twice\r\n\r\n");
      assert.is((await client.bytes(5)).toString(), "hello");
      assert.is(
        seen,
        `GET /p%2e/../q?x=1 HTTP/1.1\r\nhOsT: a.test:${server.port}\r\nAccept:*/*\r\nX-A: 1\r\nx-a: 2\r\n\r\n`,
      );
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `http://a.test:${server.port}`);
      assert.is(row.started.target, "/p%2e/../q?x=1");
      assert.equal(row.ended.outcome, { kind: "responded", status: 200 });
      assert.is(row.ended.encodedBodySize, 5);
      assert.is(row.responseBody.toString(), "hello");
      assert.is(row.ended.reused, false);
      client.close();
    }));

  test("given heads of 100 KB, forwards them in both directions (docs/security.md F3)", () =>
    withProxy({}, async (proxy) => {
      const cookie = "c".repeat(100_000);
      const server = await proxy.server(
        answering((head) => ok(String(head.includes(`Cookie: ${cookie}\r\n`)), `Set-Cookie: ${cookie}`)),
      );
      const client = await RawPeer.to(proxy.port);
      client.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\nCookie: ${cookie}\r\n\r\n`);
      assert.ok((await client.head()).includes(`Set-Cookie: ${cookie}\r\n`));
      assert.is((await client.bytes(4)).toString(), "true");
      client.close();
    }));

  test("given OPTIONS for a whole server, sends the server the target *", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head.slice(0, head.indexOf("\r")))));
      const client = await RawPeer.to(proxy.port);
      client.send(`OPTIONS http://a.test:${server.port} HTTP/1.1\r\nHost: a\r\n\r\n`);
      await client.until("\r\n\r\nOPTIONS * HTTP/1.1");
      client.close();
    }));

  test(
    "given an IPv6 address, reaches it with a plain request and through a tunnel",
    () =>
      withProxy({}, async (proxy) => {
        const server = createServer((request, answer) => answer.end(`${request.headers.host}${request.url}`));
        await once(server.listen(0, "::1"), "listening");
        const host = `[::1]:${(server.address() as AddressInfo).port}`;
        const clear = await RawPeer.to(proxy.port);
        clear.send(`GET http://${host}/clear HTTP/1.1\r\nHost: other.test\r\n\r\n`);
        await clear.until(`${host}/clear`);
        const tunnel = await RawPeer.tunnel(proxy.port, host);
        tunnel.send(`GET /tunnel HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
        await tunnel.until(`${host}/tunnel`);
        const [row] = proxy.traffic.rows;
        assert.is(row?.started.origin, `http://${host}`);
        for (const peer of [clear, tunnel]) peer.close();
        server.closeAllConnections();
        server.close();
      }),
    { skip: hasIpv6() ? null : "there is no IPv6" },
  );

  test("given an intercepted request, uses TLS on both sides", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("secret")));
      const client = await RawPeer.secure(proxy.port, `b.test:${server.port}`, proxy.clientCa);
      client.send(`GET /s HTTP/1.1\r\nHost: b.test:${server.port}\r\n\r\n`);
      assert.match(await client.head(), "200 OK");
      assert.is((await client.bytes(6)).toString(), "secret");
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `https://b.test:${server.port}`);
      const [connection] = proxy.traffic.connections;
      assert.is(connection?.tls?.version, "TLSv1.3");
      assert.match(connection?.tls?.certificates[0]?.names ?? "", "b.test");
      client.close();
    }));

  test("given an absolute https target in clear text, sends it over TLS and tags the row", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("ok")));
      const client = await RawPeer.to(proxy.port);
      client.send(`GET https://c.test:${server.port}/x HTTP/1.1\r\nHost: c.test\r\n\r\n`);
      assert.match(await client.head(), "200 OK");
      const row = await proxy.traffic.row(0);
      assert.equal(row.ended.tags, ["https-in-clear"]);
      assert.is(row.started.origin, `https://c.test:${server.port}`);
      client.close();
    }));

  test("given a reused connection that closes after an interim response, does not repeat the request", () =>
    withProxy({}, async (proxy) => {
      let connections = 0;
      const server = await proxy.server(async (peer) => {
        connections += 1;
        await peer.head();
        peer.send(ok("first"));
        await peer.head();
        peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        peer.close();
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("GET", server.port));
      assert.match(await client.head(), "200 OK");
      await client.bytes(5);
      client.send(request("GET", server.port));
      assert.match(await client.head(), "103 Early Hints");
      assert.match(await client.head(), "502");
      assert.is((await proxy.traffic.row(1)).ended.waitedFor, null);
      assert.is(connections, 1);
      client.close();
    }));

  test("given interim responses, forwards them and measures TTFB to the final response", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        const head = await peer.head();
        assert.match(head, "Expect: 100-continue");
        peer.send("HTTP/1.1 100 Continue\r\n\r\n");
        await peer.bytes(4);
        peer.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
        peer.send(ok("done"));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(request("PUT", server.port, "/", "Content-Length: 4", "Expect: 100-continue"));
      assert.is(await client.head(), "HTTP/1.1 100 Continue\r\n\r\n");
      client.send("body");
      assert.is(await client.head(), "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
      assert.match(await client.head(), "200 OK");
      const { ended, response } = await proxy.traffic.row(0);
      assert.is(response?.status, 200);
      const { requestEnd, responseStart } = ended.instants;
      assert.ok(requestEnd !== null && responseStart !== null && responseStart >= requestEnd);
      client.close();
    }));

  test("given a flood of interim responses, responds 502", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        await peer.head();
        peer.send("HTTP/1.1 102 Processing\r\n\r\n".repeat(200));
      });
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("HTTP/1.1 502 ");
      assert.match(JSON.stringify((await proxy.traffic.row(0)).ended.outcome), "response-malformed");
      client.close();
    }));

  test("given interim responses with more header lines together than one head may have, sends 502 after as many", () =>
    withProxy({}, async (proxy) => {
      const interim = `HTTP/1.1 103 Early Hints\r\n${"a: b\r\n".repeat(400)}\r\n`;
      for (const [count, status] of [
        [2, 200],
        [3, 502],
        [20, 502],
      ] as const) {
        const server = await proxy.server(answering(() => interim.repeat(count) + ok("done")));
        const client = await RawPeer.to(proxy.port);
        client.send(get(server.port));
        await client.until(`HTTP/1.1 ${status} `);
        client.close();
      }
      const outcomes = [0, 1, 2].map(async (row) => JSON.stringify((await proxy.traffic.row(row)).ended.outcome));
      assert.equal(
        (await Promise.all(outcomes)).map((outcome) => outcome.includes("more than 1000 header lines together")),
        [false, true, true],
      );
    }));

  test("given HEAD, 304 and 204, ends each response with its head", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(
        answering((head) => {
          if (head.startsWith("HEAD")) return "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n";
          if (head.startsWith("GET /304")) return "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n";
          return "HTTP/1.1 204 No Content\r\n\r\n";
        }),
      );
      const client = await RawPeer.to(proxy.port);
      client.send(request("HEAD", server.port) + get(server.port, "/304") + get(server.port, "/204"));
      assert.match(await client.head(), "Content-Length: 1000");
      assert.match(await client.head(), "304");
      assert.match(await client.head(), "204");
      assert.is(server.peers.length, 1);
      client.close();
    }));

  test("given a host that is not recorded, forwards its requests without an event", () =>
    withProxy({}, async (proxy) => {
      proxy.traffic.unwanted = ["a.test"];
      const server = await proxy.server(answering(() => ok("quiet")));
      const client = await RawPeer.to(proxy.port);
      client.send(get(server.port));
      await client.until("quiet");
      client.send(`GET http://b.test:${server.port}/ HTTP/1.1\r\nHost: b.test\r\n\r\n`);
      await proxy.traffic.row(0);
      assert.is(proxy.traffic.events.filter(({ type }) => type === "request-started").length, 1);
      client.close();
    }));

  test("given a server that sends 102 Processing, restarts the time-out of its response", () => {
    const clock = new HeldClock();
    const response = 100;
    return withProxy({ clock, limits: { response } }, async (proxy) => {
      const server = await proxy.server();
      const [client, silent] = [await RawPeer.to(proxy.port), await RawPeer.to(proxy.port)];
      client.send(get(server.port));
      const peer = await server.peer(0);
      await peer.head();
      silent.send(get(server.port));
      await (await server.peer(1)).head();
      clock.pass(response - 1);
      peer.send("HTTP/1.1 102 Processing\r\n\r\n");
      assert.match(await client.head(), "102 Processing");
      clock.pass(1);
      assert.match(await silent.head(), "504 Gateway Timeout");
      peer.send(ok("done"));
      await client.until("\r\n\r\ndone");
      for (const one of [client, silent]) one.close();
    });
  });
});
