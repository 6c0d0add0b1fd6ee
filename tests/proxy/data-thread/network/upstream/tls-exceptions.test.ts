import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { answerTo } from "../../../../support/plain-client.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { servedBy, testAuthority } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

describe("TLS exceptions", (test) => {
  test("given an exception for a host with a bad certificate, connects to that host only and tags its rows", async () => {
    const strangers = testAuthority();
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

  test("given an exception that is taken back, reuses neither the open connection nor its TLS session", async () => {
    const server = await rawServer(
      answering(() => ok("reached")),
      servedBy(testAuthority()),
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

  test("given an exception for a host with a good certificate, does not tag its rows", () =>
    withProxy({ settings: { tlsExceptions: ["a.test"] } }, async (proxy) => {
      const server = await proxy.tlsServer(answering(() => ok("good")));
      assert.match(await answerTo(proxy, `https://a.test:${server.port}/`), "good");
      assert.equal((await proxy.traffic.row(0)).ended.tags, ["https-in-clear"]);
    }));
});
