import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok } from "../../../../support/raw-server.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

async function answerTo(proxy: TestProxy, request: string): Promise<string> {
  const client = await RawPeer.to(proxy.port);
  client.send(`${request}\r\nHost: localhost:${proxy.port}\r\nConnection: close\r\n\r\n`);
  return (await client.rest()).toString("latin1");
}

describe("local responses", (test) => {
  test("given the probe host, over http and intercepted https, answers without a server and tags the rows as probes", () =>
    withProxy({}, async (proxy) => {
      assert.match(await answerTo(proxy, "GET http://probe.weir.test/anything/weir/curl HTTP/1.1"), '"method":"GET"');
      const client = await RawPeer.secure(proxy.port, "probe.weir.test:443", proxy.clientCa);
      client.send("GET /anything/weir/python HTTP/1.1\r\nHost: probe.weir.test\r\n\r\n");
      await client.until("https://probe.weir.test/anything/weir/python");
      client.close();
      for (const index of [0, 1]) {
        const { ended } = await proxy.traffic.row(index);
        assert.equal(ended.tags, ["probe"]);
        assert.equal([ended.connection, ended.reused], [null, null]);
        assert.is(ended.instants.requestStart, null);
        assert.is(ended.instants.connectStart, null);
      }
    }));

  test("given the localhost probe, answers on the proxy's own port and records the request line as it came", () =>
    withProxy({}, async (proxy) => {
      const url = `http://localhost:${proxy.port}/anything/weir/firefox`;
      assert.match(await answerTo(proxy, `GET ${url} HTTP/1.1`), "200 OK");
      assert.match(await answerTo(proxy, "GET /anything/weir/firefox HTTP/1.1"), "200 OK");
      const [absolute, direct] = [await proxy.traffic.row(0), await proxy.traffic.row(1)];
      assert.match(absolute.started.head, `GET ${url} HTTP/1.1\r\n`);
      assert.match(direct.started.head, "GET /anything/weir/firefox HTTP/1.1\r\n");
      assert.equal(absolute.ended.tags, ["probe"]);
    }));

  test("given a public probe host, forwards to it and tags only the probes", () =>
    withProxy({ settings: { probeHost: "echo.test" } }, async (proxy) => {
      const server = await proxy.server(answering(() => ok("theirs", "Connection: close")));
      proxy.settings.hostOverrides = [`echo.test=127.0.0.1:${server.port}`];
      assert.match(await answerTo(proxy, "GET http://echo.test/anything/weir/go HTTP/1.1"), "theirs");
      assert.match(await answerTo(proxy, "GET http://echo.test/other HTTP/1.1"), "theirs");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["probe"]);
      assert.equal((await proxy.traffic.row(1)).ended.tags, []);
    }));

  for (const scheme of ["http", "https"] as const) {
    test(`given TRACE and OPTIONS over ${scheme}, forwards until Max-Forwards is 0, then answers`, () =>
      withProxy({}, async (proxy) => {
        const serve = answering((head) => ok(head));
        const { port } = await (scheme === "http" ? proxy.server(serve) : proxy.tlsServer(serve));
        const asked = async (method: string, ...lines: readonly string[]): Promise<string> =>
          answerTo(proxy, [`${method} ${scheme}://a.test:${port}/x HTTP/1.1`, ...lines].join("\r\n"));
        for (const [left, next] of [
          ["1", "0"],
          ["010", "9"],
          ["99999999999999999999", "9007199254740990"],
          ["some", "some"],
        ] as const)
          for (const method of ["TRACE", "OPTIONS"])
            assert.match(await asked(method, `max-Forwards: ${left}`, "A: b"), `\r\nmax-Forwards: ${next}\r\nA: b\r\n`);
        assert.match(await asked("GET", "Max-Forwards:  0"), "\r\nMax-Forwards:  0\r\n");
        assert.match(await asked("OPTIONS", "Max-Forwards: 0"), /^HTTP\/1\.1 204 /);
        const trace = await asked("TRACE", "Max-Forwards: 0", "Cookie: secret", "Authorization: secret", "A: b");
        assert.match(trace, /^HTTP\/1\.1 200 .*\r\nContent-Type: message\/http\r\n/s);
        assert.match(trace, `\r\n\r\nTRACE ${scheme}://a.test:${port}/x HTTP/1.1\r\nMax-Forwards: 0\r\nA: b\r\n`);
        assert.not.match(trace, "secret");
      }));
  }

  test("given weir.test, offers the certificate for download and says that nothing is installed", () =>
    withProxy({}, async (proxy) => {
      const page = await answerTo(proxy, "GET http://weir.test/ HTTP/1.1");
      assert.match(page, "text/html");
      assert.match(page, "installs nothing");
      for (const name of ["weir-ca.cer", "weir-ca.pem"]) assert.match(page, `href="/${name}"`);
      const pem = await answerTo(proxy, "GET http://weir.test/weir-ca.pem HTTP/1.1");
      assert.match(pem, 'filename="weir-ca.pem"');
      assert.match(pem, proxy.clientCa.trim());
      assert.not.match(pem, "PRIVATE");
      assert.match(await answerTo(proxy, "GET http://weir.test/weir-ca.cer HTTP/1.1"), "\r\n\r\n0\x82");
      assert.match(await answerTo(proxy, "GET http://weir.test/no HTTP/1.1"), "404 Not Found");
      assert.match(await answerTo(proxy, "DELETE http://weir.test/ HTTP/1.1"), "405 ");
    }));

  test(
    "given a device of the network, shows what to enter, and reloads without a row until the device comes through",
    () =>
      withProxy({ address: "0.0.0.0" }, async (proxy) => {
        const lan = lanAddress() ?? "";
        const at = `${lan}:${proxy.port}`;
        const ask = async (target: string): Promise<string> => {
          const client = await RawPeer.to(proxy.port, lan);
          client.send(`GET ${target} HTTP/1.1\r\nHost: ${at}\r\nConnection: close\r\n\r\n`);
          return (await client.rest()).toString("latin1");
        };
        const waiting = await ask("/?live");
        assert.match(waiting, "does not send its requests through Weir yet");
        assert.match(waiting, `<dd>${lan}</dd><dt>Port</dt><dd>${proxy.port}</dd>`);
        assert.match(waiting, 'http-equiv="refresh" content="5;url=/?live"');
        assert.match(waiting, "default-src 'none'");
        assert.match(waiting, "frame-ancestors 'none'");
        assert.not.match(waiting, "<script");
        const through = await ask(`http://${at}/?live`);
        assert.match(through, "This device sends its requests through Weir.");
        assert.not.match(through, "http-equiv");
        assert.match(await ask(`http://${at}/weir-ca.pem`), "BEGIN CERTIFICATE");
        assert.match(await ask(`http://${at}/other`), /^HTTP\/1\.1 (?:403|50\d) /);
        const { started } = await proxy.traffic.row(0);
        assert.is(started.head.split("\r\n")[0], `GET http://${at}/?live HTTP/1.1`, "the direct one has no row");
      }),
    { skip: lanAddress() === null ? "needs a network address" : null },
  );

  test("given weir.test over intercepted TLS, says that the device trusts the certificate", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.secure(proxy.port, "weir.test:443", proxy.clientCa);
      client.send("GET / HTTP/1.1\r\nHost: weir.test\r\n\r\n");
      await client.until("trusts its certificate");
      client.close();
    }));

  test("given the proxy's own address, responds with a page that says what Weir is", () =>
    withProxy({}, async (proxy) => {
      assert.match(await answerTo(proxy, "GET / HTTP/1.1"), "This is Weir, a proxy");
      assert.match(await answerTo(proxy, "OPTIONS * HTTP/1.1"), "204 No Content");
      assert.match(await answerTo(proxy, "HEAD / HTTP/1.1"), /\r\n\r\n$/);
    }));

  test("given a request with a body, reads it to its end before the response", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("POST http://probe.weir.test/x HTTP/1.1\r\nHost: p\r\nContent-Length: 4\r\n\r\nbo");
      client.send("dyGET http://probe.weir.test/y HTTP/1.1\r\nHost: p\r\n\r\n");
      await client.until('"method":"POST"');
      await client.until('"method":"GET"');
      assert.is((await proxy.traffic.row(0)).ended.requestBodySize, 4);
      client.close();
    }));

  test("given a client that expects 100 Continue, answers without waiting for the body", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send(
        "PUT http://probe.weir.test/x HTTP/1.1\r\nHost: p\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n",
      );
      assert.match((await client.rest()).toString(), '"method":"PUT"');
    }));

  test("given a silent tunnel to the probe host, closes it after the time for a head, without a row", () =>
    withProxy({ limits: { head: 50 } }, async (proxy) => {
      const client = await RawPeer.tunnel(proxy.port, "probe.weir.test:443");
      assert.is(await client.over, "end");
      assert.equal(proxy.traffic.events, []);
      client.close();
    }));

  test("given a local response with status 204, sends no Content-Length (RFC 9110, 8.6)", () =>
    withProxy({}, async (proxy) => {
      const client = await RawPeer.to(proxy.port);
      client.send("OPTIONS * HTTP/1.1\r\nHost: weir.test\r\n\r\n");
      assert.not.match(await client.head(), /content-length/i);
      client.close();
    }));
});
