import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type TLSSocket, connect as tlsConnect } from "node:tls";
import * as assert from "uvu/assert";
import type { Resolver } from "../../../../../extensions/proxy/data-thread/network/network-options.ts";
import { READ_TURN } from "../../../../../extensions/proxy/data-thread/network/sockets/read-turn.ts";
import { describe } from "../../../../support/describe.ts";
import { HeldClock } from "../../../../support/held-clock.ts";
import { withMadeSockets } from "../../../../support/made-sockets.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("CONNECT tunnel", (test) => {
  test("given HTTP in a tunnel, records the request with the tunnel's origin", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head.split("\r\n")[0] ?? "")));
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send(`GET /in?x HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
      await client.until("GET /in?x HTTP/1.1");
      const row = await proxy.traffic.row(0);
      assert.is(row.started.origin, `http://a.test:${server.port}`);
      assert.equal(row.ended.tags, []);
      client.close();
    }));

  test("given a request in two pieces in a tunnel, times it from the arrival of the first", () =>
    withMadeSockets("server", (sockets) => {
      const clock = new HeldClock();
      return withProxy({ clock, limits: { silence: 60_000 } }, async (proxy) => {
        const server = await proxy.server(answering(() => ok("x")));
        const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
        const ours = sockets.find(({ remotePort }) => remotePort === client.socket.localPort);
        const before = ours?.bytesRead ?? Number.NaN;
        clock.pass(100);
        const begun = clock.now();
        client.send("GET / HT");
        while (ours?.bytesRead === before) await new Promise((resolve) => setImmediate(resolve));
        clock.pass(100);
        client.send(`TP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
        const { started, ended } = await proxy.traffic.row(0);
        assert.equal([started.at, (ended.instants.headReceived ?? 0) - started.at], [begun, 100]);
        client.close();
      });
    }));

  test("given CONNECT over HTTP/1.0, accepts it, and adds Host to a request inside without one", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering((head) => ok(head)));
      const client = await RawPeer.to(proxy.port);
      client.send(`CONNECT a.test:${server.port} HTTP/1.0\r\n\r\n`);
      assert.match(await client.head(), "200");
      client.send("GET / HTTP/1.0\r\n\r\n");
      assert.match((await client.rest()).toString(), `GET / HTTP/1.1\r\nHost: a.test:${server.port}\r\n`);
    }));

  test("given bytes that are neither TLS nor HTTP, passes them untouched in one row", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        assert.is(await peer.until("\n"), "\x00\x01binary\n");
        peer.send("\xff\xfeanswer");
        await peer.over;
        peer.socket.end("after your end");
      });
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send("\x00\x01binary\n");
      await client.until("answer");
      client.socket.end();
      assert.is((await client.rest()).toString(), "after your end");
      const { started, ended } = await proxy.traffic.row(0);
      assert.equal(ended.tags, ["tunnel"]);
      assert.is(started.method, "CONNECT");
      assert.is(started.target, `a.test:${server.port}`);
      assert.equal([ended.requestBodySize, ended.encodedBodySize], [9, 22]);
      assert.equal(ended.outcome, { kind: "responded", status: 200 });
    }));

  test("given a first line that only resembles HTTP, passes it untouched", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        peer.send(`+${await peer.until("\r\n")}`);
        peer.socket.end();
      });
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send("SET key value\r\n");
      await client.until("+SET key value\r\n");
      client.close();
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["tunnel"]);
    }));

  test("given a server that speaks first, delivers its bytes to the client", () =>
    withProxy({ limits: { silence: 50 } }, async (proxy) => {
      const server = await proxy.server(async (peer) => {
        peer.send("220 ready\r\n");
        await peer.over;
        peer.socket.end();
      });
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      await client.until("220 ready\r\n");
      client.send("QUIT\r\n");
      await (await server.peer(0)).until("QUIT\r\n");
      client.close();
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["tunnel"]);
    }));

  test("given a client that is silent before its TLS hello, still intercepts it", () =>
    withProxy({ limits: { silence: 20 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      const dialledForNothing = await server.peer(0);
      const secured = await client.secured("a.test", proxy.clientCa);
      await dialledForNothing.over;
      secured.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      (await server.peer(1)).socket.end();
      assert.match(await secured.head(), "502");
      secured.close();
      assert.equal((await proxy.traffic.row(0)).ended.tags, []);
    }));

  test("given a client that disconnects from a tunnel, closes the server's side after the half-closed limit", () =>
    withProxy({ limits: { halfClosed: 100 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send("\x00");
      const peer = await server.peer(0);
      await peer.bytes(1);
      client.close();
      await proxy.traffic.row(0);
      await peer.over;
    }));

  test("given a host that is passed through, shows the client the server's own certificate", () =>
    withProxy({ settings: { passThrough: ["*.PINNED.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("own")));
      const client = await RawPeer.secure(proxy.port, `a.pinned.test:${server.port}`, proxy.servers.pem);
      client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      await client.until("own");
      client.close();
      const { ended } = await proxy.traffic.row(0);
      assert.equal(ended.tags, ["tunnel"]);
      assert.ok(ended.encodedBodySize > 500);
    }));

  test("given a host to pass through that cannot be reached, responds 502 to CONNECT", () =>
    withProxy({ settings: { passThrough: ["nowhere.invalid"] } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: nowhere.invalid\r\n\r\n");
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 502 .*name-not-resolved/s);
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.status, 502);
    }));

  test("given an open tunnel whose server cannot be reached, closes the tunnel and records the reason", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.tunnel(proxy.port, "nowhere.invalid:22");
      client.send("\x00");
      await client.rest();
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "name-not-resolved");
    }));

  test("given an open tunnel, closes it when the proxy's stop reaches its limit", () =>
    withProxy({ limits: { drain: 50 } }, async (proxy) => {
      const server = await proxy.server((peer) => peer.send("hello"));
      const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
      client.send("\x00");
      await client.until("hello");
      await proxy.listener.stop();
      await client.over;
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "proxy-stopped");
    }));

  test("given CONNECT right behind a request, sends its 200 after the response to that request", () =>
    withProxy({}, async (proxy) => {
      const many = 32;
      const asked: RawPeer[] = [];
      const server = await proxy.server(async (peer) => {
        await peer.head();
        asked.push(peer);
        // The proxy finds all of them at once when it reads again, so all but the first must wait.
        if (asked.length === many) for (const one of asked) one.send(ok("first"));
      });
      const clients = await Promise.all(Array.from({ length: many }, () => RawPeer.to(proxy.port)));
      const before = `GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`;
      const connect = "CONNECT a.test:443 HTTP/1.1\r\nHost: a\r\n\r\n";
      for (const [index, client] of clients.entries()) client.send(index < many / 2 ? before : before + connect);
      for (const [index, client] of clients.entries()) {
        assert.match(await client.until("first"), /^HTTP\/1\.1 200 OK\r\n/);
        if (index >= many / 2) assert.match(await client.head(), "200 Connection established");
        client.close();
      }
    }));

  test("given bytes that the client sends before the tunnel is open, delivers them afterwards", () => {
    let find = (): void => {};
    let asked = (): void => {};
    const lookup = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const resolver: Resolver = {
      lookup: () =>
        new Promise((resolve) => {
          find = () => resolve([{ address: "127.0.0.1", family: 4 }]);
          asked();
        }),
    };
    return withProxy({ settings: { passThrough: ["p.test"] }, resolver }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.send(`CONNECT p.test:${server.port} HTTP/1.1\r\nHost: p.test\r\n\r\n`);
      await lookup;
      await new Promise((resolve) => client.socket.write("hello", resolve));
      // The proxy answers a later client only after it has read "hello".
      const later = await RawPeer.to(proxy.port);
      later.send("GET / HTTP/1.1\r\nHost: weir.test\r\nConnection: close\r\n\r\n");
      await later.rest();
      find();
      await client.head();
      client.send(" there");
      assert.is(await (await server.peer(0)).until("there"), "hello there");
      client.close();
    });
  });
});

/** Reads everything, and only then responds. */
const answersAtTheEnd = async (peer: RawPeer): Promise<void> => {
  const heard = await peer.rest();
  peer.socket.end(`heard ${heard.toString("latin1")}`);
};

describe("tunnelled clients that send at once and half-close", (test) => {
  for (const [speech, host, said] of [
    ["for a passed-through host", "p.test", "\x16\x03 hello"],
    ["that are neither TLS nor HTTP", "a.test", "\x00 hello"],
    ["of an unclear protocol", "a.test", "hello"],
  ] as const) {
    test(`given bytes ${speech}, delivers them to the server and its answer to the client`, () =>
      withProxy({ settings: { passThrough: ["p.test"] } }, async (proxy) => {
        const server = await proxy.server(answersAtTheEnd);
        const client = await RawPeer.to(proxy.port);
        const authority = `${host}:${server.port}`;
        client.socket.end(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n${said}`, "latin1");
        assert.match(await client.head(), "200");
        assert.is((await client.rest()).toString("latin1"), `heard ${said}`);
        assert.is(await client.over, "end");
        const { ended } = await proxy.traffic.row(0);
        assert.equal(ended.outcome, { kind: "responded", status: 200 });
        assert.equal([ended.requestBodySize, ended.encodedBodySize], [said.length, said.length + 6]);
      }));
  }

  for (const [speech, host, said, serve] of [
    ["for a passed-through host", "p.test", "hello", answersAtTheEnd],
    ["that are neither TLS nor HTTP", "a.test", "\x00 hello", answersAtTheEnd],
    [
      "that are a request",
      "a.test",
      "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n",
      answering((head) => ok(`heard ${head}`)),
    ],
  ] as const) {
    test(`given bytes ${speech}, after CONNECT right behind another request, delivers the server's answer`, () =>
      withProxy({ settings: { passThrough: ["p.test"] } }, async (proxy) => {
        const server = await proxy.server(serve);
        const first = await proxy.server(answering(() => ok("first")));
        const client = await RawPeer.to(proxy.port);
        const before = `GET http://a.test:${first.port}/ HTTP/1.1\r\nHost: a\r\n\r\n`;
        client.socket.end(`${before}CONNECT ${host}:${server.port} HTTP/1.1\r\nHost: a\r\n\r\n${said}`, "latin1");
        await client.until("first");
        assert.match(await client.head(), "200 Connection established");
        assert.match((await client.rest()).toString("latin1"), `heard ${said}`);
        assert.equal((await proxy.traffic.row(1)).ended.outcome, { kind: "responded", status: 200 });
      }));
  }

  test("given early bytes of the client and a server that cannot be reached, delivers a whole 502", async () => {
    let asked = (): void => {};
    const lookup = new Promise<void>((resolve) => {
      asked = resolve;
    });
    let fail = (): void => {};
    const resolver = {
      lookup: () =>
        new Promise<never>((_, reject) => {
          fail = () => reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
          asked();
        }),
    };
    const settings = { passThrough: ["p.test"] };
    await withProxy({ settings, resolver, limits: { linger: 60_000 } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("CONNECT p.test:443 HTTP/1.1\r\nHost: p.test:443\r\n\r\n");
      await lookup;
      await new Promise((resolve) => client.socket.write(Buffer.alloc(300_000), resolve));
      fail();
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 502 .*name-not-resolved.*not from the server\.\n$/s);
      assert.is(await client.over, "end");
      // Closing a socket with unread bytes would send a reset.
      for (let turns = 0; turns < 20; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      assert.is(proxy.listener.connections, 1);
      client.socket.end();
      while (proxy.listener.connections > 0) await pause(10);
    });
  });

  test("given a client that stays connected after a 502 to its CONNECT, closes the connection", () =>
    withProxy({ settings: { passThrough: ["nowhere.invalid"] }, limits: { linger: 50 } }, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("CONNECT nowhere.invalid:443 HTTP/1.1\r\nHost: a\r\n\r\n");
      assert.match((await client.rest()).toString(), "502 Bad Gateway");
      while (proxy.listener.connections > 0) await pause(10);
      client.close();
    }));

  test("given a client that half-closes and a host to pass through, delivers the bytes of a server that speaks first", () =>
    withProxy({ settings: { passThrough: ["p.test"] } }, async (proxy) => {
      const server = await proxy.server((peer) => peer.socket.end("220 ready"));
      const client = await RawPeer.to(proxy.port);
      client.socket.end(`CONNECT p.test:${server.port} HTTP/1.1\r\nHost: p.test\r\n\r\n`);
      assert.match((await client.rest()).toString(), "220 ready");
    }));

  test("given one of Weir's own ports at another address, answers the requests in the tunnel", async () => {
    const elsewhere = await rawServer(answering((head) => ok(head.split("\r\n")[0] ?? "")));
    try {
      // The port is one of ours, but the server there is not: it was reached by another address.
      await withProxy(
        { ownPorts: [1], settings: { hostOverrides: [`a.test=127.0.0.1:${elsewhere.port}`] } },
        async (proxy) => {
          const client = await RawPeer.to(proxy.port);
          const requests = ["/one", "/two"].map((path) => `GET ${path} HTTP/1.1\r\nHost: a.test:1\r\n\r\n`);
          client.socket.end(`CONNECT a.test:1 HTTP/1.1\r\nHost: a.test:1\r\n\r\n${requests.join("")}`);
          const heard = (await client.rest()).toString();
          assert.match(heard, "GET /one");
          assert.match(heard, "GET /two");
          assert.is(await client.over, "end");
        },
      );
    } finally {
      await elsewhere.stop();
    }
  });

  test("given a tunnel that was opened and not used, leaves no row", () =>
    withProxy({ limits: { silence: 10 } }, async (proxy) => {
      const server = await proxy.server();
      const client = await RawPeer.to(proxy.port);
      client.socket.end(`CONNECT a.test:${server.port} HTTP/1.1\r\nHost: a.test\r\n\r\n`);
      assert.match((await client.rest()).toString(), /^HTTP\/1\.1 200 .*\r\n\r\n$/s);
      assert.equal(proxy.traffic.events, []);
    }));

  test("given a client that resets its tunnel during the look-up, records client-aborted at once", () =>
    withProxy(
      { settings: { passThrough: ["p.test"] }, resolver: { lookup: () => new Promise<never>(() => {}) } },
      async (proxy) => {
        const client = await RawPeer.to(proxy.port);
        client.send("CONNECT p.test:443 HTTP/1.1\r\nHost: p.test\r\n\r\n");
        client.socket.resetAndDestroy();
        const { outcome } = (await proxy.traffic.row(0)).ended;
        assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-aborted");
      },
    ));
});

describe("TLS interception", (test) => {
  test("given handshakes that begin in a turn that is used up, answers them in later turns, unless Weir stops", async () => {
    const answered: string[] = [];
    const debug = (line: string) => {
      if (line.includes("TLS is answered")) answered.push(line);
    };
    await withProxy({ debug }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const { later } = READ_TURN;
      const waiting: (() => void)[] = [];
      Object.defineProperty(READ_TURN, "isUsedUp", { get: () => true, configurable: true });
      READ_TURN.later = (work) => void waiting.push(work);
      try {
        const open = async () => {
          const peer = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
          return await peer.secured("a.test", proxy.clientCa).catch(String);
        };
        const clients = [open(), open()];
        while (waiting.length < 2) await pause(1);
        assert.equal(answered, []);
        waiting[0]?.();
        const peer = await Promise.race(clients);
        if (!(peer instanceof RawPeer)) throw new Error(peer);
        peer.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n");
        assert.match((await peer.rest()).toString(), /^HTTP\/1\.1 200 /);
        await proxy.listener.stop();
        waiting[1]?.();
        assert.is(answered.length, 1);
      } finally {
        READ_TURN.later = later;
        Reflect.deleteProperty(READ_TURN, "isUsedUp");
      }
    });
  });

  test("given a client that half-closes while its TLS hello waits for a later turn, records no failure", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.server(answering(() => ok("x")));
      const { later } = READ_TURN;
      const waiting: (() => void)[] = [];
      Object.defineProperty(READ_TURN, "isUsedUp", { get: () => true, configurable: true });
      READ_TURN.later = (work) => void waiting.push(work);
      try {
        const client = await RawPeer.tunnel(proxy.port, `a.test:${server.port}`);
        const secured = client.secured("a.test", proxy.clientCa).catch(String);
        while (waiting.length === 0) await new Promise((resolve) => setImmediate(resolve));
        client.socket.end();
        // Its end has arrived when a request that was sent after it is answered.
        const other = await RawPeer.to(proxy.port);
        other.send(`GET http://a.test:${server.port}/ HTTP/1.1\r\nHost: a.test:${server.port}\r\n\r\n`);
        assert.match(await other.head(), "200");
        waiting[0]?.();
        await secured;
        other.close();
        await proxy.listener.stop();
        const outcomes = proxy.traffic.rows.map(({ started, ended }) => [started.method, ended.tags, ended.outcome]);
        assert.equal(outcomes, [["GET", [], { kind: "responded", status: 200 }]]);
      } finally {
        READ_TURN.later = later;
        Reflect.deleteProperty(READ_TURN, "isUsedUp");
      }
    }));

  test("given a TLS hello, issues a certificate for its server name, or else for the host of CONNECT", () =>
    withProxy({}, async (proxy) => {
      for (const [servername, expected] of [
        ["other.test", "DNS:other.test"],
        [null, "IP Address:127.0.0.1"],
      ] as const) {
        const client = await RawPeer.tunnel(proxy.port, "127.0.0.1:9");
        client.socket.removeAllListeners("data");
        const secured = tlsConnect({
          socket: client.socket,
          host: servername ?? "127.0.0.1",
          ca: [proxy.clientCa],
          ...(servername === null ? {} : { servername }),
        });
        await once(secured, "secureConnect");
        assert.is(secured.getPeerCertificate().subjectaltname, expected);
        secured.destroy();
      }
    }));

  test("given a client that speaks only TLS 1.1 or older, records client-tls-failed", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.tunnel(proxy.port, "a.test:443");
      const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
      const secured = tlsConnect({ socket: client.socket, servername: "a.test", ca: [proxy.clientCa], ...old });
      await once(secured, "error");
      const { outcome } = (await proxy.traffic.row(0)).ended;
      assert.is(outcome.kind === "failed" ? outcome.errorType : "", "client-tls-failed");
    }));

  test("given HTTP/2 off for a host, offers only http/1.1 and tags the rows of clients that offered h2", () =>
    withProxy({ settings: { http1Hosts: ["A.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const offers = [["h2", "http/1.1"], ["http/1.1"], []];
      for (const [index, offered] of offers.entries()) {
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa, offered);
        assert.is((client.socket as TLSSocket).alpnProtocol, offered.length > 0 ? "http/1.1" : false);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        await client.head();
        client.close();
        const { tags } = (await proxy.traffic.row(index)).ended;
        assert.equal(tags, offered.includes("h2") ? ["http2-offered"] : []);
      }
    }));

  test("given HTTP/2 off and a client that offers only h2, fails the handshake with no_application_protocol", () =>
    withProxy({ settings: { http2: false } }, async (proxy) => {
      const client = await RawPeer.tunnel(proxy.port, "a.test:443");
      client.socket.removeAllListeners("data");
      const wishes = { servername: "a.test", ca: [proxy.clientCa], ALPNProtocols: ["h2"] };
      const [error] = (await once(tlsConnect({ socket: client.socket, ...wishes }), "error")) as [Error];
      assert.match(error.message, /no.application.protocol/i);
    }));

  test("given a change of the trusted certificates, does not reuse connections verified before", async () => {
    await withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x")));
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      const statuses: string[] = [];
      for (const now of [[proxy.servers.pem], [proxy.clientCa]]) {
        proxy.trust(now);
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        const head = await client.head();
        await client.bytes(Number(/Content-Length: (\d+)/.exec(head)?.[1]));
        statuses.push(head.slice(9, 12));
      }
      assert.equal(statuses, ["200", "502"]);
      client.close();
    });
  });

  test("given a second connection to a server, resumes its TLS session", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("x", "Connection: close")));
      for (let round = 0; round < 2; round += 1) {
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        await client.head();
        client.close();
      }
      await proxy.traffic.row(1);
      assert.equal(
        proxy.traffic.connections.map(({ tls }) => tls?.resumed),
        [false, true],
      );
    }));
});
