import { randomBytes } from "node:crypto";
import { once } from "node:events";
import type { ClientHttp2Session, OutgoingHttpHeaders } from "node:http2";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { ask, http2Client, replyOn } from "../../../support/http2-peer.ts";
import { type Http2Server, http2Server } from "../../../support/http2-server.ts";
import { RawPeer } from "../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../support/raw-server.ts";
import { servedBy } from "../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../support/test-proxy.ts";

/** Says what it was sent: the body, and as headers the rest. */
const echo: Parameters<typeof http2Server>[1] = (stream, headers) => {
  const pieces: Buffer[] = [];
  stream.on("data", (bytes: Buffer) => pieces.push(bytes));
  stream.on("end", () => {
    const told = Object.entries(headers).map(([name, value]) => [`x-${name.replace(":", "-")}`, String(value)]);
    stream.respond({ ":status": 200, ...Object.fromEntries(told) });
    stream.end(Buffer.concat(pieces));
  });
};

async function withServer(
  serve: Parameters<typeof http2Server>[1],
  body: (proxy: TestProxy, server: Http2Server, session: ClientHttp2Session) => Promise<unknown>,
  options: Parameters<typeof http2Server>[2] = {},
): Promise<void> {
  await withProxy({}, async (proxy) => {
    const server = await http2Server(proxy, serve, options);
    const scheme = options.clear === true ? "http" : "https";
    const session = await http2Client(proxy, `${scheme}://a.test:${server.port}`);
    try {
      await body(proxy, server, session);
    } finally {
      session.destroy();
      await server.stop();
    }
  });
}

describe("http2 to http2", (test) => {
  test("request and answer go through whole, and the row tells both sides", () =>
    withServer(echo, async (proxy, server, session) => {
      const sent = randomBytes(3_000_000);
      const head = { ":method": "POST", ":path": "/a?b=%20", "X-Twice": ["1", "2"], cookie: ["a=1", "b=2"] };
      const reply = await ask(session, head, sent);
      assert.is(reply.status, 200);
      assert.ok(reply.body.equals(sent));
      assert.is(reply.headers["x--path"], "/a?b=%20");
      assert.is(reply.headers["x--authority"], `a.test:${server.port}`);
      assert.is(reply.headers["x--scheme"], "https");
      assert.is(reply.headers["x-x-twice"], "1, 2");
      assert.is(reply.headers["x-cookie"], "a=1; b=2");
      assert.is(reply.headers["x-transfer-encoding"], undefined);
      const { started, response, ended, requestBody, responseBody } = await proxy.traffic.row(0);
      assert.is(started.protocol, "h2");
      assert.match(started.head, /^POST \/a\?b=%20 HTTP\/2\r\nhost: a\.test:\d+\r\nx-twice: 1\r\nx-twice: 2\r\n/);
      assert.not.match(started.head, /transfer-encoding|connection/);
      assert.match(response?.head ?? "", /^HTTP\/2 200\r\nx--method: POST\r\n/);
      assert.not.match(response?.head ?? "", /transfer-encoding/);
      assert.ok(requestBody.equals(sent) && responseBody.equals(sent));
      assert.equal(ended.outcome, { kind: "responded", status: 200 });
      assert.is(proxy.traffic.connections[0]?.tls?.alpn, "h2");
    }));

  test("a long body comes whole to a reader that is slower than its server, again and again", () =>
    withServer(
      (stream) => {
        stream.respond({ ":status": 200 });
        let left = 100;
        const fill = (): void => {
          while (left > 0) {
            left -= 1;
            if (!stream.write(Buffer.alloc(256 * 1024))) return void stream.once("drain", fill);
          }
          stream.end();
        };
        fill();
      },
      async (proxy, _server, session) => {
        for (let round = 0; round < 3; round += 1) {
          const stream = session.request({ ":path": "/" });
          let size = 0;
          stream.on("data", (bytes: Buffer) => {
            size += bytes.length;
            stream.pause();
            setImmediate(() => stream.resume());
          });
          await once(stream, "end");
          assert.is(size, 100 * 256 * 1024);
          assert.equal((await proxy.traffic.row(round)).ended.outcome, { kind: "responded", status: 200 });
        }
      },
    ));

  test("all streams of all clients share one connection, whose making is told once", () =>
    withServer(echo, async (proxy, server, session) => {
      const other = await http2Client(proxy, `https://a.test:${server.port}`);
      const all = Array.from({ length: 40 }, (_, index) =>
        ask(index % 2 === 0 ? session : other, { ":path": `/${index}` }),
      );
      const paths = (await Promise.all(all)).map(({ headers }) => headers["x--path"]);
      assert.equal(
        paths,
        Array.from({ length: 40 }, (_, index) => `/${index}`),
      );
      await ask(session, { ":path": "/late" });
      await proxy.traffic.row(40);
      assert.is(server.sessions.length, 1);
      assert.is(proxy.traffic.connections.length, 1);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      assert.is(ends.filter(({ reused }) => reused === false).length, 1);
      const late = ends.at(-1);
      assert.is(late?.reused, true);
      assert.is(late?.instants.connectStart, null);
      assert.is(late?.instants.secureConnectionStart, null);
      assert.is(late?.instants.domainLookupStart, null);
      for (const { instants } of ends)
        if (instants.connectEnd !== null) assert.ok(instants.connectEnd >= instants.startTime);
      other.destroy();
    }));

  test("50 streams over one connection have 50 odd numbers on either side, and one number of each connection", () =>
    withServer(echo, async (proxy, _server, session) => {
      await ask(session, { ":path": "/first" });
      await Promise.all(Array.from({ length: 49 }, (_, index) => ask(session, { ":path": `/${index}` })));
      await proxy.traffic.row(49);
      const rows = proxy.traffic.rows;
      const connections = new Set(rows.map(({ ended }) => ended.connection));
      assert.equal([...connections], [proxy.traffic.connections[0]?.id]);
      const clients = new Set(rows.map(({ started }) => started.clientConnection));
      assert.equal([...clients], [1]);
      for (const streams of [rows.map(({ ended }) => ended.stream), rows.map(({ started }) => started.clientStream)]) {
        assert.is(new Set(streams).size, 50);
        assert.ok(streams.every((stream) => stream !== null && stream % 2 === 1));
      }
      assert.ok(rows.every(({ ended }) => ended.waitedFor === null));
    }));

  test("who comes while another opens the connection has waited for it, and went through no phase of it", () =>
    withServer(echo, async (proxy, _server, session) => {
      await Promise.all(Array.from({ length: 12 }, (_, index) => ask(session, { ":path": `/${index}` })));
      await proxy.traffic.row(11);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      const openers = ends.filter(({ reused }) => reused === false);
      assert.equal(
        openers.map(({ waitedFor, instants }) => [waitedFor, instants.secureConnectionStart !== null]),
        [[null, true]],
      );
      const connectEnd = openers[0]?.instants.connectEnd ?? Number.NaN;
      for (const { reused, waitedFor, instants } of ends.filter((end) => !openers.includes(end))) {
        assert.equal([reused, waitedFor], [true, "connection"]);
        const { domainLookupStart, connectStart, secureConnectionStart } = instants;
        assert.equal([domainLookupStart, connectStart, secureConnectionStart], [null, null, null]);
        assert.ok((instants.requestStart ?? 0) >= connectEnd && (instants.headReceived ?? 0) < connectEnd);
      }
    }));

  test("who waits for a connection that comes to nothing fails with it, and has tried none itself", () =>
    withServer(echo, async (proxy, _server, session) => {
      proxy.trust([]);
      const replies = await Promise.all(Array.from({ length: 3 }, () => ask(session, { ":path": "/" })));
      assert.equal(
        replies.map(({ status }) => status),
        [502, 502, 502],
      );
      await proxy.traffic.row(2);
      const ends = proxy.traffic.rows.map(({ ended }) => ended);
      assert.equal(
        ends.map(({ waitedFor, instants }) => [waitedFor, instants.secureConnectionStart !== null]),
        [
          [null, true],
          ["connection", false],
          ["connection", false],
        ],
      );
    }));

  test("trailers go through both ways, and interim answers", () =>
    withServer(
      (stream) => {
        stream.additionalHeaders({ ":status": 103, link: "</a>; rel=preload" });
        stream.on("trailers", (trailers) => {
          stream.respond({ ":status": 200, "x-seen": String(trailers["x-sum"]) }, { waitForTrailers: true });
          stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
          stream.end("body");
        });
        stream.resume();
      },
      async (_proxy, _server, session) => {
        const stream = session.request(
          { ":method": "POST", te: "trailers" },
          { waitForTrailers: true, endStream: false },
        );
        stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
        const early: unknown[] = [];
        stream.on("headers", (headers) => early.push(headers[":status"], headers["link"]));
        stream.end("x");
        const reply = await replyOn(stream);
        assert.is(reply.headers["x-seen"], "7");
        assert.is(reply.trailers["grpc-status"], "0");
        assert.is(reply.body.toString(), "body");
        assert.equal(early, [103, "</a>; rel=preload"]);
      },
    ));

  test("an answer without a body is one frame", () =>
    withServer(
      (stream) => stream.respond({ ":status": 200, "grpc-status": "12" }, { endStream: true }),
      async (proxy, _server, session) => {
        const stream = session.request({ ":method": "POST" }, { endStream: false });
        const [, flags] = (await once(stream, "response")) as [unknown, number];
        assert.is(flags & 1, 1);
        stream.end();
        stream.resume();
        await once(stream, "close");
        assert.equal((await proxy.traffic.row(0)).ended.outcome, { kind: "responded", status: 200 });
      },
    ));

  test("both directions flow at once, message by message", () =>
    withServer(
      (stream) => {
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.once("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
        stream.on("data", (bytes: Buffer) => stream.write(`<${bytes.toString()}>`));
        stream.on("end", () => stream.end());
      },
      async (_proxy, _server, session) => {
        const stream = session.request({ ":method": "POST", te: "trailers" }, { endStream: false });
        let trailers: unknown = null;
        stream.on("trailers", (fields) => {
          trailers = fields["grpc-status"];
        });
        for (const word of ["one", "two", "three"]) {
          stream.write(word);
          const [bytes] = (await once(stream, "data")) as [Buffer];
          assert.is(bytes.toString(), `<${word}>`);
        }
        stream.end();
        await once(stream, "close");
        assert.is(trailers, "0");
      },
    ));

  test("HEAD, 204 and 304 have no body, and their lengths stay", () =>
    withServer(
      (stream, headers) => {
        const status = Number(headers[":path"]?.slice(1));
        stream.respond({ ":status": status, ...(status === 204 ? {} : { "content-length": 5 }) }, { endStream: true });
      },
      async (_proxy, _server, session) => {
        for (const [method, status] of [
          ["HEAD", 200],
          ["GET", 204],
          ["GET", 304],
        ] as const) {
          const reply = await ask(session, { ":method": method, ":path": `/${status}` });
          assert.is(reply.status, status);
          assert.is(reply.body.length, 0);
          assert.is(reply.headers["content-length"], status === 204 ? undefined : "5");
        }
      },
    ));

  test("in clear with prior knowledge the server is spoken to in the same way", () =>
    withServer(
      echo,
      async (proxy, _server, session) => {
        const reply = await ask(session, { ":method": "POST", ":path": "/c" }, "hello");
        assert.is(reply.body.toString(), "hello");
        assert.is(reply.headers["x--scheme"], "http");
        const { started } = await proxy.traffic.row(0);
        assert.is(started.protocol, "h2");
        assert.match(started.origin, /^http:/);
      },
      { clear: true },
    ));
});

describe("http2 to http/1.1", (test) => {
  test("bodies with and without a length arrive whole, and answers of every framing come back", () =>
    withProxy({}, async (proxy) => {
      const answers: Readonly<Record<string, string>> = {
        "/length": ok("hello"),
        "/chunked":
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX-After: yes\r\n\r\n",
        "/close": "HTTP/1.1 200 OK\r\nConnection: close\r\nKeep-Alive: timeout=5\r\n\r\nhello",
      };
      const server = await proxy.tlsServer(async (peer) => {
        for (;;) {
          const head = await peer.head();
          const path = head.split(" ")[1] ?? "";
          if (/content-length: 3/.test(head)) await peer.bytes(3);
          else if (/transfer-encoding: chunked/.test(head)) await peer.until("0\r\n\r\n");
          peer.send(answers[path] ?? "");
          if (path === "/close") peer.socket.end();
        }
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (const path of Object.keys(answers)) {
        const heads: readonly OutgoingHttpHeaders[] = [
          {},
          { ":method": "POST" },
          { ":method": "POST", "content-length": 3 },
        ];
        for (const head of heads) {
          const reply = await ask(session, { ":path": path, ...head }, head[":method"] === undefined ? null : "abc");
          assert.is(reply.body.toString(), "hello");
          assert.is(reply.trailers["x-after"], path === "/chunked" ? "yes" : undefined);
          for (const name of ["connection", "keep-alive", "transfer-encoding"])
            assert.is(reply.headers[name], undefined);
        }
      }
      for (const { ended } of proxy.traffic.rows) assert.equal(ended.outcome, { kind: "responded", status: 200 });
      session.destroy();
    }));

  test("many requests at once each get their own connection and their own answer", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(answering((head) => ok(head.split(" ")[1] ?? "")));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const replies = await Promise.all(
        Array.from({ length: 30 }, (_, index) => ask(session, { ":path": `/${index}` })),
      );
      assert.equal(
        replies.map(({ body }) => body.toString()),
        Array.from({ length: 30 }, (_, index) => `/${index}`),
      );
      session.destroy();
    }));
});

describe("http2 to http/1.1, at the limits", (test) => {
  test("fields that HTTP/2 does not have are left out of an answer, and a long head comes through", () =>
    withProxy({}, async (proxy) => {
      const lines = [
        "TE: gzip",
        "HTTP2-Settings: AA",
        "Upgrade: h3",
        "Connection: x-own, close",
        "X-Own: 1",
        "Set-Cookie: a",
        "Set-Cookie: b",
      ];
      const long = "v".repeat(50_000);
      const server = await proxy.tlsServer(answering(() => ok("x", ...lines, `X-One: ${long}`, `X-Two: ${long}`)));
      const session = await http2Client(proxy, `https://a.test:${server.port}`, {
        settings: { maxHeaderListSize: 1_000_000 },
      });
      const reply = await ask(session, { ":path": "/" });
      assert.is(reply.status, 200);
      assert.is(reply.headers["x-one"], long);
      assert.is(reply.headers["x-two"], long);
      assert.equal(reply.headers["set-cookie"], ["a", "b"]);
      for (const name of ["te", "http2-settings", "upgrade", "connection", "x-own"])
        assert.is(reply.headers[name], undefined);
      session.destroy();
    }));

  test("an answer with a field that HPACK's reader does not take ends its stream or connection, and nothing else", () =>
    withProxy({}, async (proxy) => {
      const server = await proxy.tlsServer(
        answering((head) => ok("x", `X-Long: ${"v".repeat(head.startsWith("GET /long") ? 120_000 : 1)}`)),
      );
      const [session, other] = [
        await http2Client(proxy, `https://a.test:${server.port}`),
        await http2Client(proxy, `https://a.test:${server.port}`),
      ];
      assert.instance(await ask(session, { ":path": "/long" }).catch((error: unknown) => error), Error);
      assert.is((await ask(other, { ":path": "/" })).status, 200);
      session.destroy();
      other.destroy();
    }));

  test("an answer that HTTP/1.1 may not have is 502 on its stream", () =>
    withProxy({}, async (proxy) => {
      const bad = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab";
      const server = await proxy.tlsServer(answering(() => bad));
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).status, 502);
      const unasked = await proxy.tlsServer(
        answering(() => "HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"),
      );
      const other = await http2Client(proxy, `https://a.test:${unasked.port}`);
      assert.is((await ask(other, { ":path": "/" })).status, 502);
      session.destroy();
      other.destroy();
    }));

  test("PING is answered", () =>
    withProxy({}, async (proxy) => {
      const session = await http2Client(proxy, "https://a.test");
      await new Promise<void>((resolve, reject) => {
        session.ping((error) => (error === null ? resolve() : reject(error)));
      });
      session.destroy();
    }));
});

describe("http/1.1 to http2", (test) => {
  test("request and answer go through whole, chunked where no length is told", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, echo);
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      const sent = randomBytes(100_000);
      client.send(`PUT /p HTTP/1.1\r\nHost: a.test\r\nX-Name: Value\r\nContent-Length: ${sent.length}\r\n\r\n`);
      client.send(sent);
      const head = await client.head();
      assert.match(head, /^HTTP\/1\.1 200 \r\n/);
      assert.match(head, /\r\nx-x-name: Value\r\n/);
      assert.match(head, /\r\ntransfer-encoding: chunked\r\n/);
      const body = await client.until("\r\n0\r\n\r\n");
      assert.ok(Buffer.from(body.replaceAll(/\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n/g, ""), "latin1").length >= 100_000 - 64);
      client.send("GET /q HTTP/1.1\r\nHost: a.test\r\n\r\n");
      await client.until("\r\n\r\n0\r\n\r\n");
      const { started, response, requestBody, responseBody } = await proxy.traffic.row(0);
      assert.ok(requestBody.equals(sent) && responseBody.equals(sent));
      assert.is(started.protocol, "http/1.1");
      assert.match(response?.head ?? "", /^HTTP\/2 200\r\n/);
      assert.is((await proxy.traffic.row(1)).ended.reused, true);
      assert.is(server.sessions.length, 1);
      client.close();
      await server.stop();
    }));

  test("trailers come as those of a chunked body; an HTTP/1.0 client gets the payload alone", () =>
    withServer(
      (stream) => {
        stream.respond({ ":status": 200 }, { waitForTrailers: true });
        stream.once("wantTrailers", () => stream.sendTrailers({ "x-sum": "7" }));
        stream.end("body");
      },
      async (proxy, server) => {
        const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        client.send("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
        await client.head();
        assert.is(await client.until("\r\n\r\n"), "4\r\nbody\r\n0\r\nx-sum: 7\r\n\r\n");
        const old = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
        old.send("GET / HTTP/1.0\r\nHost: a.test\r\n\r\n");
        await old.head();
        assert.is((await old.rest()).toString(), "body");
        client.close();
      },
    ));

  test("a request that asks to begin another protocol goes over HTTP/1.1", () =>
    withProxy({}, async (proxy) => {
      const secure = { ...servedBy(proxy.servers), ALPNProtocols: ["h2", "http/1.1"] };
      const server = await rawServer(
        answering(() => ok("x")),
        secure,
      );
      const client = await RawPeer.secure(proxy.port, `a.test:${server.port}`, proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
      await client.head();
      assert.is(proxy.traffic.connections[0]?.tls?.alpn, "http/1.1");
      client.close();
      await server.stop();
    }));
});
