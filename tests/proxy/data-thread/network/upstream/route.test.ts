import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { WebSocketServer } from "ws";
import {
  overrideIn,
  UpstreamProxySetting,
} from "../../../../../extensions/proxy/data-thread/network/upstream/route.ts";
import { describe } from "../../../../support/describe.ts";
import { type FurtherProxy, furtherProxy } from "../../../../support/further-proxy.ts";
import { answerTo } from "../../../../support/plain-client.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { servedBy, testAuthority } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("host overrides", (test) => {
  const settings = [
    "A.test=127.0.0.1:80",
    "[2001:DB8::7]=[::1]:8080",
    "b.test=127.0.0.1",
    "=127.0.0.1:1",
    "Bücher.test=[::1]:8081",
  ];

  for (const [host, expected] of [
    ["a.test", { host: "127.0.0.1", port: 80 }],
    ["a.test.", { host: "127.0.0.1", port: 80 }],
    ["2001:db8::7", { host: "::1", port: 8080 }],
    ["xn--bcher-kva.test", { host: "::1", port: 8081 }],
    ["b.test", null],
    ["", null],
  ] as const) {
    test(`given "${host}", finds ${expected === null ? "no override" : `port ${expected.port} of ${expected.host}`}`, () => {
      assert.equal(overrideIn(settings, host), expected);
    });
  }
});

async function withFurther(
  further: Promise<FurtherProxy>,
  body: (further: FurtherProxy) => Promise<void>,
): Promise<void> {
  const one = await further;
  try {
    await body(one);
  } finally {
    await one.stop();
  }
}

describe("upstream proxy", (test) => {
  const BASIC = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`;

  test("given a plain request, sends it in absolute form with Weir's credentials instead of the client's", () =>
    withFurther(furtherProxy(BASIC), (further) =>
      withProxy({ settings: { upstreamProxy: `http://ada:p%40ss@127.0.0.1:${further.port}` } }, async (proxy) => {
        const server = await proxy.server(answering((head) => ok(head)));
        const client = await RawPeer.to(proxy.port);
        const url = `http://a.example:${server.port}/x?y`;
        client.send(`GET ${url} HTTP/1.1\r\nHost: a.example\r\nProxy-Authorization: Basic bWluZQ==\r\n\r\n`);
        await client.until("GET /x?y HTTP/1.1");
        assert.equal(further.heads, [
          `GET ${url} HTTP/1.1\r\nProxy-Authorization: ${BASIC}\r\nHost: a.example:${server.port}\r\n\r\n`,
        ]);
        assert.is((await proxy.traffic.row(0)).started.origin, `http://a.example:${server.port}`);
        client.close();
      }),
    ));

  test("given any percent signs in its user and password, decodes each valid escape to its byte", () => {
    const byte = fc.nat(255).map((code) => {
      const hex = code.toString(16).padStart(2, "0");
      return { text: `%${hex}`, bytes: Buffer.of(code) };
    });
    const plain = fc
      .constantFrom("x", "+", "é", "%", "%4", "%x", "%%")
      .map((text) => ({ text, bytes: Buffer.from(text) }));
    const part = fc.array(fc.oneof(byte, plain), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(part, part, (user, password) => {
        const textOf = (pieces: typeof user) => pieces.map(({ text }) => text).join("");
        const bytesOf = (pieces: typeof user) => Buffer.concat(pieces.map(({ bytes }) => bytes));
        const upstreamProxy = `http://${textOf(user)}:${textOf(password)}@127.0.0.1:1`;
        const proxy = new UpstreamProxySetting().find({ upstreamProxy, upstreamProxyBypass: [] }, "a.test");
        const credentials = Buffer.concat([bytesOf(user), Buffer.from(":"), bytesOf(password)]);
        assert.is(proxy?.authorization, `Basic ${credentials.toString("base64")}`);
      }),
    );
  });

  for (const [what, secure] of [
    ["http", false],
    ["https", true],
  ] as const) {
    test(`given an upstream proxy over ${what}, tunnels https through it and verifies the server's certificate`, async () => {
      const servers = testAuthority();
      const proxys = secure ? servedBy(servers, "further.test") : null;
      await withFurther(furtherProxy(BASIC, proxys), (further) =>
        withProxy({ trusted: [servers.pem] }, async (proxy) => {
          proxy.settings.upstreamProxy = `${what}://ada:p%40ss@further.test:${further.port}`;
          const server = await rawServer(
            answering(() => ok("through")),
            servedBy(servers),
          );
          const bad = await rawServer(
            answering(() => ok("never")),
            servedBy(servers, "other.test"),
          );
          const client = await RawPeer.secure(proxy.port, `a.example:${server.port}`, proxy.clientCa);
          for (let round = 0; round < 2; round += 1) {
            client.send("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n");
            await client.until("through");
          }
          assert.match(await answerTo(proxy, `https://a.example:${bad.port}/`), "tls-wrong-host");
          assert.is(further.heads.length, 2, "one tunnel for two requests, one for the third");
          assert.match(further.heads[0] ?? "", `CONNECT a.example:${server.port} HTTP/1.1\r\n`);
          const { tls } = proxy.traffic.connections[0] ?? {};
          assert.match(tls?.certificates[0]?.names ?? "", "a.example");
          client.close();
          await Promise.all([server.stop(), bad.stop()]);
        }),
      );
    });
  }

  test("given a WebSocket and a host that is passed through, tunnels both by CONNECT", () =>
    withFurther(furtherProxy(), (further) =>
      withProxy({ settings: { upstreamProxy: `http://127.0.0.1:${further.port}` } }, async (proxy) => {
        const sockets = new WebSocketServer({ port: 0, host: "127.0.0.1" });
        sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(`echo ${data}`)));
        await once(sockets, "listening");
        const address = sockets.address();
        const port = typeof address === "object" && address !== null ? address.port : 0;
        const client = await RawPeer.to(proxy.port);
        const key = Buffer.alloc(16).toString("base64");
        client.send(
          `GET http://a.example:${port}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
        );
        assert.match(await client.head(), "101 Switching Protocols");
        client.send(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]));
        await client.until("echo hi");
        client.close();
        proxy.settings.passThrough = ["pinned.example"];
        const server = await proxy.tlsServer(answering(() => ok("own")));
        const pinned = await RawPeer.secure(proxy.port, `pinned.example:${server.port}`, proxy.servers.pem);
        pinned.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
        await pinned.until("own");
        pinned.close();
        assert.ok(further.heads.every((head) => head.startsWith("CONNECT ")));
        assert.is(further.heads.length, 2);
        for (const socket of sockets.clients) socket.terminate();
        await new Promise((resolve) => sockets.close(resolve));
      }),
    ));

  test("given this machine's addresses and the bypass list, connects without the upstream proxy", () =>
    withFurther(furtherProxy(), (further) =>
      withProxy(
        {
          settings: { upstreamProxy: `http://127.0.0.1:${further.port}`, upstreamProxyBypass: ["*.test"] },
          resolver: { lookup: async () => [{ address: "127.0.0.1", family: 4 }] },
        },
        async (proxy) => {
          const server = await proxy.server(answering(() => ok("direct")));
          for (const host of ["a.test", "127.0.0.1", "127.1", "localhost.", "a.localhost"])
            assert.match(await answerTo(proxy, `http://${host}:${server.port}/`), "direct");
          assert.equal(further.heads, []);
        },
      ),
    ));

  test("given an upstream proxy that cannot be used, responds 502 with the reason", async () => {
    const closing = await rawServer((peer) => peer.socket.end());
    const talking = await rawServer((peer) => peer.send("220 mail\r\n\r\n"));
    const interim = await rawServer((peer) => peer.send("HTTP/1.1 100 Continue\r\n\r\n".repeat(101)));
    const gone = await rawServer();
    await gone.stop();
    await withFurther(furtherProxy(BASIC), (further) =>
      withProxy({}, async (proxy) => {
        for (const [address, words] of [
          [`http://127.0.0.1:${gone.port}`, "ECONNREFUSED"],
          ["http://nowhere.invalid:1", "ENOTFOUND"],
          [`http://127.0.0.1:${closing.port}`, "closed the connection"],
          [`http://127.0.0.1:${talking.port}`, "not an HTTP proxy"],
          [`http://127.0.0.1:${interim.port}`, "more than 100 interim responses"],
          [`https://127.0.0.1:${talking.port}`, "does not speak TLS"],
          [`http://ada:wrong@127.0.0.1:${further.port}`, "rejected the user name and password"],
        ] as const) {
          proxy.settings.upstreamProxy = address;
          const answer = await answerTo(proxy, "https://a.example/");
          assert.match(answer, "502 Bad Gateway");
          assert.match(answer, "upstream proxy");
          assert.match(answer, words);
          assert.match(answer, "upstream-proxy-failed");
        }
        const plain = await answerTo(proxy, "http://a.example/");
        assert.match(plain, "rejected the user name and password");
        assert.not.match(plain, "wrong");
      }),
    );
    await Promise.all([closing.stop(), talking.stop(), interim.stop()]);
  });

  test("given a tunnel opened with a length, or with chunks in HTTP/1.0 or 1.1, ignores them (RFC 9110, 9.3.6)", async () => {
    for (const head of [
      "HTTP/1.0 200 Connection established\r\nTransfer-Encoding: chunked",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
      "HTTP/1.1 200 OK\r\nContent-Length: 5",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip",
    ]) {
      await withProxy({}, async (proxy) => {
        const server = await proxy.tlsServer(answering(() => ok("through")));
        const opening = await rawServer(async (peer) => {
          await peer.head();
          peer.send(`${head}\r\n\r\n`);
          peer.socket.removeAllListeners("data");
          peer.socket.pipe(connect(server.port, "127.0.0.1")).pipe(peer.socket);
        });
        proxy.settings.upstreamProxy = `http://127.0.0.1:${opening.port}`;
        assert.match(await answerTo(proxy, "https://a.example/"), "through", head);
        await opening.stop();
      });
    }
  });

  for (const [challenges, words] of [
    [["Negotiate", "NTLM"], "takes only Negotiate or NTLM (407)"],
    [["Negotiate, NTLM TlRMTVNTUAA=="], "takes only Negotiate or NTLM (407)"],
    [['Digest realm="a, Basic b", nonce="c", qop=auth'], "takes only Digest (407)"],
    [['Negotiate, Basic realm="corp, inc", NTLM'], "rejected the user name and password"],
    [['basic realm="corp"'], "rejected the user name and password"],
    [[], "rejected the user name and password"],
  ] as const) {
    test(`given 407 with ${challenges.join(" and ") || "no challenge"}, says that it ${words}`, async () => {
      const lines = challenges.map((challenge) => `Proxy-Authenticate: ${challenge}\r\n`).join("");
      for (const version of ["1.1", "1.0"]) {
        const head = `HTTP/${version} 407 Proxy Authentication Required\r\n${lines}Content-Length: 0\r\n\r\n`;
        const demanding = await rawServer(answering(() => head));
        await withProxy({ settings: { upstreamProxy: `http://127.0.0.1:${demanding.port}` } }, async (proxy) => {
          for (const url of ["https://a.example/", "http://a.example/"])
            assert.match(await answerTo(proxy, url), words);
        });
        await demanding.stop();
      }
    });
  }

  test("given requests through an upstream proxy, failed ones too, leaves no descriptor open", () =>
    withFurther(furtherProxy(), (further) =>
      withProxy({ settings: { upstreamProxy: `http://127.0.0.1:${further.port}` } }, async (proxy) => {
        const bad = await rawServer((peer) => peer.socket.end());
        const before = descriptors();
        for (let round = 0; round < 20; round += 1) await answerTo(proxy, `https://a.example:${bad.port}/`);
        while (proxy.listener.connections > 0) await new Promise((resolve) => setTimeout(resolve, 10));
        while (descriptors() > before + 4) await new Promise((resolve) => setTimeout(resolve, 10));
        await bad.stop();
      }),
    ));
});

function descriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
