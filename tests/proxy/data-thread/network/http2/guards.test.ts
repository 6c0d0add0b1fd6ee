import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type * as tls from "node:tls";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { furtherProxy } from "../../../../support/further-proxy.ts";
import { ask, http2Client, sessionOver } from "../../../../support/http2-peer.ts";
import { hello, http2Server, type ServeStream } from "../../../../support/http2-server.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { opensslCertificate } from "../../../../support/openssl-certificate.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { testAuthority } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";
import { needs } from "../../../../support/which.ts";

const lan = lanAddress();

/** What docs/security.md requires for HTTP/1.1 applies to HTTP/2, too. */
describe("HTTP/2 target and trust checks", (test) => {
  test("given one of Weir's own ports, responds 508 on the stream (docs/security.md S11)", () =>
    withProxy({}, async (proxy) => {
      proxy.settings.hostOverrides = [`b.test=127.0.0.1:${proxy.port}`];
      const looped = await http2Client(proxy, "https://b.test:443");
      assert.is((await ask(looped, { ":path": "/" })).status, 508);
      looped.destroy();
    }));

  test("given an override of the host, uses a connection of its own to the other address", () =>
    withProxy({}, async (proxy) => {
      const named =
        (name: string): ServeStream =>
        (stream) => {
          stream.respond({ ":status": 200 });
          stream.end(name);
        };
      const [one, two] = [await http2Server(proxy, named("one")), await http2Server(proxy, named("two"))];
      const session = await http2Client(proxy, `https://a.test:${one.port}`);
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "one");
      proxy.settings.hostOverrides = [`a.test=127.0.0.1:${two.port}`];
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "two");
      proxy.settings.hostOverrides = [];
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "one");
      session.destroy();
      await one.stop();
      await two.stop();
    }));

  test("given changed trust or an exception for a host, verifies servers anew and reuses no older connection", () =>
    withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, hello);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      proxy.trust([proxy.clientCa]);
      const refused = await ask(session, { ":path": "/" });
      assert.is(refused.status, 502);
      assert.match(refused.body.toString(), /tls-untrusted/);
      proxy.settings.tlsExceptions = ["a.test"];
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      assert.equal((await proxy.traffic.row(2)).ended.tags, ["tls-exception"]);
      proxy.settings.tlsExceptions = [];
      assert.is((await ask(session, { ":path": "/" })).status, 502);
      proxy.settings.tlsExceptions = ["a.test"];
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      assert.is(server.sessions.length, 2, "what was excepted is kept for those who are");
      session.destroy();
      await server.stop();
    }));

  test(
    "given an open connection to a private address, refuses a stream to a network client (docs/security.md S5)",
    () =>
      withProxy({ address: lan ?? "", settings: { privateTargetsFromLan: true } }, async (proxy) => {
        const server = await http2Server(proxy, hello);
        const authority = `a.test:${server.port}`;
        const peer = await RawPeer.to(proxy.port, lan ?? "");
        peer.send(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
        await peer.head();
        const { socket } = await peer.secured("a.test", proxy.clientCa, ["h2"]);
        const session = await sessionOver(socket, `https://${authority}`);
        assert.is((await ask(session, { ":path": "/" })).status, 200);
        proxy.settings.privateTargetsFromLan = false;
        const reply = await ask(session, { ":path": "/" });
        assert.is(reply.status, 403);
        assert.match(reply.body.toString(), /target-refused/);
        session.destroy();
        await server.stop();
      }),
    { skip: lan === null ? "needs a network address" : null },
  );

  test("given a host that is not recorded, emits no event", () =>
    withProxy({}, async (proxy) => {
      proxy.traffic.unwanted = ["a.test"];
      const server = await http2Server(proxy, hello);
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      assert.is((await ask(session, { ":path": "/" })).status, 200);
      assert.equal(proxy.traffic.events, []);
      session.destroy();
      await server.stop();
    }));

  test("given an upstream proxy, reaches servers of HTTP/2 through it, over a connection of its own", () =>
    withProxy({}, async (proxy) => {
      const further = await furtherProxy();
      const server = await http2Server(proxy, hello);
      proxy.settings.upstreamProxy = `http://127.0.0.1:${further.port}`;
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      for (let round = 0; round < 2; round += 1)
        assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
      assert.equal(
        further.heads.map((head) => head.split("\r\n")[0]),
        [`CONNECT a.test:${server.port} HTTP/1.1`],
      );
      assert.is(proxy.traffic.connections[0]?.tls?.alpn, "h2");
      proxy.settings.upstreamProxy = null;
      assert.is((await ask(session, { ":path": "/" })).body.toString(), "hello");
      assert.equal([server.sessions.length, further.heads.length], [2, 1], "the way without it has its own session");
      session.destroy();
      await server.stop();
      await further.stop();
    }));

  test(
    "given client certificates, presents them to the server and uses one connection for each identity",
    () =>
      withFolder((folder) =>
        withProxy({}, async (proxy) => {
          const [ada, bob] = ["ada.test", "bob.test"].map((name) => opensslCertificate(folder, name, {}));
          const files = { ada: join(folder, "ada.pem"), bob: join(folder, "bob.pem") };
          await writeFile(files.ada, `${ada?.cert}${ada?.key}`);
          await writeFile(files.bob, `${bob?.cert}${bob?.key}`);
          const server = await http2Server(
            proxy,
            (stream) => {
              const socket = stream.session?.socket as tls.TLSSocket | undefined;
              stream.respond({ ":status": 200 });
              stream.end(String(socket?.getPeerCertificate().subject?.CN ?? "nobody"));
            },
            { requestCert: true, rejectUnauthorized: false },
          );
          const session = await http2Client(proxy, `https://a.test:${server.port}`);
          for (const [file, known, sessions] of [
            [null, "nobody", 1],
            [files.ada, "ada.test", 2],
            [files.ada, "ada.test", 2],
            [files.bob, "bob.test", 3],
            [null, "nobody", 3],
          ] as const) {
            if (file !== proxy.settings.clientCertificates[0]?.file)
              proxy.settings.clientCertificates = file === null ? [] : [{ host: "a.test", file, passphrase: null }];
            assert.is((await ask(session, { ":path": "/" })).body.toString(), known);
            assert.is(server.sessions.length, sessions);
          }
          for (const { tls: facts } of proxy.traffic.connections) assert.is(facts?.alpn, "h2");
          session.destroy();
          await server.stop();
        }),
      ),
    { skip: needs("openssl") },
  );

  test("given a server that requires a client certificate, responds 502 with the reason", async () => {
    const strangers = testAuthority();
    await withProxy({}, async (proxy) => {
      const server = await http2Server(proxy, hello, {
        requestCert: true,
        rejectUnauthorized: true,
        ca: [strangers.pem],
      });
      const session = await http2Client(proxy, `https://a.test:${server.port}`);
      const reply = await ask(session, { ":path": "/" });
      assert.is(reply.status, 502);
      // A reset may arrive before the alert with the reason.
      assert.match(reply.body.toString(), /tls-client-certificate|server-reset/);
      session.destroy();
      await server.stop();
    });
  });
});
