import { once } from "node:events";
import { readdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { WebSocketServer } from "ws";
import { describe } from "../../support/describe.ts";
import { type FurtherProxy, furtherProxy } from "../../support/further-proxy.ts";
import { opensslCertificate, pfxOf } from "../../support/openssl-certificate.ts";
import { RawPeer } from "../../support/raw-peer.ts";
import { answering, ok, rawServer } from "../../support/raw-server.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../support/test-proxy.ts";
import { needs } from "../../support/which.ts";

async function answerTo(proxy: TestProxy, url: string): Promise<string> {
  const client = await RawPeer.to(proxy.port);
  client.send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const answer = (await client.rest()).toString();
  client.close();
  return answer;
}

async function withFurther(further: Promise<FurtherProxy>, body: (further: FurtherProxy) => Promise<void>) {
  const one = await further;
  try {
    await body(one);
  } finally {
    await one.stop();
  }
}

describe("TLS exceptions", (test) => {
  test("a host whose certificate is bad answers once it is excepted, its rows say so, and no other host is", async () => {
    const strangers = await testAuthority();
    const server = await rawServer(
      answering(() => ok("reached")),
      servedBy(strangers, "other.test"),
    );
    await withProxy({}, async (proxy) => {
      const [a, b] = [`https://a.test:${server.port}/`, `https://b.test:${server.port}/`];
      assert.match(await answerTo(proxy, a), "502 Bad Gateway");
      proxy.settings.tlsExceptions = ["A.test"];
      assert.match(await answerTo(proxy, a), "reached");
      assert.match(await answerTo(proxy, a), "reached");
      assert.match(await answerTo(proxy, b), "tls-untrusted");
      const tags = proxy.traffic.rows.map(({ ended }) => ended.tags.includes("tls-exception"));
      assert.equal(tags, [false, true, true, false]);
      assert.match(proxy.traffic.connections[0]?.tls?.certificates[0]?.names ?? "", "other.test");
    });
    await server.stop();
  });

  test("taken back, neither the open connection nor the session that was resumed is used again", async () => {
    const server = await rawServer(
      answering(() => ok("reached")),
      servedBy(await testAuthority()),
    );
    await withProxy({}, async (proxy) => {
      const url = `https://a.test:${server.port}/`;
      proxy.settings.tlsExceptions = ["a.test"];
      assert.match(await answerTo(proxy, url), "reached");
      proxy.settings.tlsExceptions = [];
      assert.match(await answerTo(proxy, url), "tls-untrusted");
    });
    await server.stop();
  });

  test("a host with a good certificate is not tagged, excepted or not", () =>
    withProxy({ settings: { tlsExceptions: ["a.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("good")));
      assert.match(await answerTo(proxy, `https://a.test:${server.port}/`), "good");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["https-in-clear"]);
    }));
});

describe("a further proxy", (test) => {
  const BASIC = `Basic ${Buffer.from("ada:p@ss").toString("base64")}`;

  test("fetches plain requests in absolute-form, with our credentials and not the client's", () =>
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

  for (const [what, secure] of [
    ["http", false],
    ["https", true],
  ] as const) {
    test(`over ${what} tunnels https, and the server's certificate is verified as ever`, async () => {
      const servers = await testAuthority();
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

  test("tunnels WebSockets and what is passed through", () =>
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

  test("is left out for this machine and for what is on the bypass list", () =>
    withFurther(furtherProxy(), (further) =>
      withProxy(
        { settings: { upstreamProxy: `http://127.0.0.1:${further.port}`, upstreamProxyBypass: ["*.test"] } },
        async (proxy) => {
          const server = await proxy.server(answering(() => ok("direct")));
          for (const host of ["a.test", "127.0.0.1"])
            assert.match(await answerTo(proxy, `http://${host}:${server.port}/`), "direct");
          assert.equal(further.heads, []);
        },
      ),
    ));

  test("that cannot be used is what the client reads about, whatever the trouble", async () => {
    const closing = await rawServer((peer) => peer.socket.end());
    const talking = await rawServer((peer) => peer.send("220 mail\r\n\r\n"));
    const gone = await rawServer();
    await gone.stop();
    await withFurther(furtherProxy(BASIC), (further) =>
      withProxy({}, async (proxy) => {
        for (const [address, words] of [
          [`http://127.0.0.1:${gone.port}`, "ECONNREFUSED"],
          ["http://nowhere.invalid:1", "ENOTFOUND"],
          [`http://127.0.0.1:${closing.port}`, "closed the connection"],
          [`http://127.0.0.1:${talking.port}`, "no HTTP proxy"],
          [`https://127.0.0.1:${talking.port}`, "does not speak TLS"],
          [`http://ada:wrong@127.0.0.1:${further.port}`, "another user name and password"],
        ] as const) {
          proxy.settings.upstreamProxy = address;
          const answer = await answerTo(proxy, "https://a.example/");
          assert.match(answer, "502 Bad Gateway");
          assert.match(answer, "upstream proxy");
          assert.match(answer, words);
          assert.match(answer, "upstream-proxy-failed");
        }
        const plain = await answerTo(proxy, "http://a.example/");
        assert.match(plain, "another user name and password");
        assert.not.match(plain, "wrong");
      }),
    );
    await Promise.all([closing.stop(), talking.stop()]);
  });

  test("of requests through it, failed ones among them, no descriptor stays open", () =>
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

describe("client certificates", (test) => {
  test(
    "a server that asks gets the one for its host, from PEM or PFX, and what cannot be read is told",
    () =>
      withFolder((folder) =>
        withProxy({}, async (proxy) => {
          const other = opensslCertificate(folder, "a.test", {});
          const { key, cert, ca } = opensslCertificate(folder, "ada.test", {});
          const [pem, pfx] = [join(folder, "ada.pem"), join(folder, "ada.pfx")];
          proxy.trust([other.ca]);
          await writeFile(pem, cert + key);
          pfxOf(folder, pfx, "secret");
          const seen: string[] = [];
          const server = await rawServer(
            answering(() => ok("known")),
            { key: other.key, cert: other.cert, ca: [ca], requestCert: true, rejectUnauthorized: true },
          );
          const url = `https://a.test:${server.port}/`;
          for (const [file, passphrase, words] of [
            [null, null, "tls-client-certificate"],
            [pem, null, "known"],
            [pfx, "secret", "known"],
            [pfx, "wrong", "could not be used"],
            [join(folder, "none.pem"), null, "ENOENT"],
          ] as const) {
            proxy.settings.clientCertificates = file === null ? [] : [{ host: "*.test", file, passphrase }];
            const answer = await answerTo(proxy, url);
            assert.match(answer, words);
            seen.push(answer);
          }
          assert.not.match(seen.join("") + JSON.stringify(proxy.traffic.events), /PRIVATE KEY|secret/);
          await server.stop();
        }),
      ),
    { skip: needs("openssl") },
  );
});

function descriptors(): number {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
