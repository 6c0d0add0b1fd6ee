import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { lanAddress } from "../../../../support/network-address.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { rounds } from "../../../../support/rounds.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";

interface Direct {
  readonly method?: string;
  readonly target?: string;
  readonly host: string;
  readonly origin?: string;
  readonly body?: string;
  readonly fields?: readonly string[];
  /** The address to which the request is sent. */
  readonly to?: string;
}

async function answerTo(proxy: TestProxy, direct: Direct) {
  const { method = "GET", target = "/", host, origin, body = "", fields = [], to } = direct;
  const client = await RawPeer.to(proxy.port, to ?? "127.0.0.1");
  const lines = [`${method} ${target} HTTP/1.1`, `Host: ${host}`, "Connection: close", ...fields];
  if (origin !== undefined) lines.push(`Origin: ${origin}`);
  if (body !== "") lines.push(`Content-Length: ${body.length}`);
  client.send(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return (await client.rest()).toString("latin1");
}

/** Names that a site may have: none ends like ours. */
const foreignName = fc.domain().filter((name) => !name.endsWith(".localhost"));
const path = fc.constantFrom("/", "/?live", "/weir-ca.cer", "/weir-ca.pem", "/anything/weir/firefox", "/no");

describe("direct requests", (test) => {
  test("given a Host that is not this machine's, refuses with a reason and gives nothing away", () =>
    withProxy({}, (proxy) =>
      fc.assert(
        fc.asyncProperty(foreignName, path, async (name, target) => {
          const answer = await answerTo(proxy, { host: `${name}:${proxy.port}`, target });
          assert.match(answer, /^HTTP\/1\.1 403 /);
          assert.match(answer, "Its Host is not");
          assert.not.match(answer, "CERTIFICATE");
          assert.not.match(answer, '"answeredBy"');
        }),
        { numRuns: rounds(30) },
      ),
    ));

  for (const host of [
    "192.0.2.7",
    "10.0.0.1:8686",
    "weir.test.example.org",
    "127.0.0.1.nip.io",
    "localhost.example.org",
    "a b",
  ])
    test(`given Host: ${host}, refuses`, () =>
      withProxy({}, async (proxy) => assert.match(await answerTo(proxy, { host }), /^HTTP\/1\.1 40[03] /)));

  for (const host of ["127.0.0.1", "127.0.0.2", "[::1]", "localhost", "LOCALHOST.", "weir.localhost", "weir.test"])
    test(`given Host: ${host}, responds 200, with and without a port, also with an Origin of the same host`, () =>
      withProxy({}, async (proxy) => {
        for (const named of [host, `${host}:${proxy.port}`])
          for (const origin of [undefined, `http://${named}`]) {
            const asked = origin === undefined ? { host: named } : { host: named, origin };
            assert.match(await answerTo(proxy, asked), /^HTTP\/1\.1 200 /);
          }
      }));

  for (const origin of [
    "null",
    "https://localhost",
    "http://evil.test",
    "http://localhost.evil.test",
    "http://127.0.0.1:1",
  ])
    test(`given Origin: ${origin}, refuses, and the row is no probe`, () =>
      withProxy({}, async (proxy) => {
        const host = `localhost:${proxy.port}`;
        const answer = await answerTo(proxy, { method: "POST", host, origin, target: "/anything/weir/firefox" });
        assert.match(answer, /^HTTP\/1\.1 403 /);
        assert.match(answer, "Its Origin is another site.");
        assert.equal((await proxy.traffic.row(0)).ended.tags, ["refused"]);
      }));

  test(
    "given the address at which it arrived as Host, answers; through loopback it is foreign",
    () =>
      withProxy({ address: "0.0.0.0" }, async (proxy) => {
        const to = lanAddress() ?? "";
        const host = `${to}:${proxy.port}`;
        assert.match(await answerTo(proxy, { host, to }), /^HTTP\/1\.1 200 /);
        assert.match(await answerTo(proxy, { host }), /^HTTP\/1\.1 403 /);
        assert.match(await answerTo(proxy, { host: `a.test:${proxy.port}`, to }), /^HTTP\/1\.1 403 /);
      }),
    { skip: lanAddress() === null ? "needs a network address" : null },
  );

  test("given a request that a page of another site made the browser send, refuses", () =>
    withProxy({}, async (proxy) => {
      const host = `localhost:${proxy.port}`;
      const answer = await answerTo(proxy, { host, fields: ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"] });
      assert.match(answer, /^HTTP\/1\.1 403 /);
      assert.match(answer, "Another site's page made the browser send it.");
    }));

  test("given a request body, captures nothing of it, and counts its bytes only if the request is answered", () =>
    withProxy({}, async (proxy) => {
      const body = "x".repeat(100_000);
      const host = `localhost:${proxy.port}`;
      await answerTo(proxy, { method: "POST", host, body });
      await answerTo(proxy, { method: "POST", host: "evil.test", body });
      await answerTo(proxy, { method: "POST", host, origin: "http://evil.test", body });
      await answerTo(proxy, { method: "PUT", host, body, target: "/anything/weir/firefox" });
      const sizes = await Promise.all(
        [0, 1, 2, 3].map(async (index) => (await proxy.traffic.row(index)).ended.requestBodySize),
      );
      assert.equal(
        sizes.toSorted((a, b) => a - b),
        [0, 0, 0, body.length],
      );
      assert.equal(
        proxy.traffic.events.filter(({ type }) => type === "body-captured"),
        [],
      );
    }));
});
