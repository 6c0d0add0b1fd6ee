import * as assert from "uvu/assert";
import { HostAuthorities } from "../../../../../extensions/proxy/data-thread/network/tls/host-authorities.ts";
import { describe } from "../../../../support/describe.ts";
import { answerTo } from "../../../../support/plain-client.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { servedBy, testAuthority } from "../../../../support/test-authority.ts";
import { withProxy } from "../../../../support/test-proxy.ts";

const BAD = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

describe("CA files for hosts", (test) => {
  test("given the issuer's file for a host, verifies that host by it, no other, nor another name; until it is removed", async () => {
    const strangers = testAuthority();
    const server = await rawServer(
      answering(() => ok("reached")),
      servedBy(strangers, "a.test"),
    );
    await withProxy({}, async (proxy) => {
      const [a, b] = [`https://a.test:${server.port}/`, `https://b.test:${server.port}/`];
      assert.match(await answerTo(proxy, a), "tls-untrusted");
      const certificates = `${BAD}${strangers.pem}`;
      proxy.settings.hostAuthorities = [{ host: "a.test", file: "ca.pem", certificates }];
      assert.match(await answerTo(proxy, a), "reached");
      assert.match(await answerTo(proxy, b), "tls-untrusted");
      proxy.settings.hostAuthorities = [{ host: "*.test", file: "ca.pem", certificates: strangers.pem }];
      assert.match(await answerTo(proxy, b), "tls-wrong-host");
      assert.not.ok(proxy.traffic.rows.some(({ ended }) => ended.tags.includes("tls-exception")));
      proxy.settings.hostAuthorities = [];
      assert.match(await answerTo(proxy, a), "tls-untrusted");
    });
    await server.stop();
  });

  test("given the same entries, is the same object, so that contexts are kept; several entries add up", () => {
    const known = new HostAuthorities();
    const settings = ["a.test", "*.test", "b.test"].map((host) => ({ host, file: `${host}.pem`, certificates: BAD }));
    const found = known.find(settings, "a.test");
    assert.is(found?.certificates.length, 2);
    assert.is(known.find(settings, "a.test"), found);
    assert.is.not(known.find(settings, "c.test"), found);
    assert.is(known.find(settings, "a.example"), null);
    assert.is.not(known.find([...settings], "a.test")?.serial, found?.serial);
  });
});
