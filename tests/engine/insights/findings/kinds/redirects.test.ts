import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

describe("redirects", (test) => {
  test("given the same redirect again and again, its time is the cost", () => {
    const scene = new Scene();
    for (const index of times(8)) {
      const from = scene.ask({
        at: index * 9_000,
        target: "/books",
        status: 301,
        server: 90,
        response: { location: "/books/" },
        body: "",
      });
      scene.prove(from, scene.ask({ at: index * 9_000 + 100, target: "/books/" }), "protocol");
    }
    const finding = scene.only();
    assert.is(finding.kind, "redirects");
    assert.is(finding.time, 8 * 91);
    assert.is(finding.endpoint?.path, "/books");
    assert.match(finding.summary, /^GET \/books led to 8 redirects \(301 to \/books\/\), 728 ms/);
  });

  test("given hop after hop, all hops are one finding at the first", () => {
    const scene = new Scene();
    for (const index of times(3)) {
      const at = index * 20_000;
      const hops = ["/a", "/b", "/c"].map((target, hop) =>
        scene.ask({
          at: at + hop * 100,
          target,
          status: 302,
          server: 90,
          response: { location: `/next${index}${hop}` },
          body: "",
        }),
      );
      for (const [index, to] of hops.slice(1).entries()) scene.prove(hops[index] ?? to, to, "protocol");
    }
    const finding = scene.only();
    assert.is(finding.count, 9);
    assert.is(finding.endpoint?.path, "/a");
    assert.match(
      finding.summary,
      /led to 9 redirects \(most often 302 to \/next00, then 302 to \/next01, then 302 to \/next02\)/,
    );
  });

  test("given writes that are redirected with their method, they count as any other", () => {
    for (const status of [307, 308]) {
      const scene = new Scene();
      for (const index of times(8)) {
        const from = scene.ask({
          at: index * 9_000,
          method: "POST",
          sent: `${index}`,
          target: "/orders",
          status,
          server: 90,
          response: { location: "/orders/" },
        });
        scene.prove(from, scene.ask({ at: index * 9_000 + 100, method: "POST", target: "/orders/" }), "protocol");
      }
      const finding = scene.only();
      assert.equal([finding.kind, finding.count], ["redirects", 8]);
    }
  });

  test("given many paths each redirected once by one rule, it is one finding", () => {
    const rules: readonly (readonly [origin: string, goal: (path: string) => string, rule: RegExp])[] = [
      ["http://shop.test", (path) => `https://shop.test${path}`, /\(http to https\)/],
      ["https://shop.test", (path) => `https://www.shop.test${path}`, /\(shop\.test to www\.shop\.test\)/],
      ["https://shop.test", (path) => `${path}/`, /\(a slash added\)/],
      ["https://shop.test", (path) => path.replace("/shop/", "/store/"), /\(\/shop\/ to \/store\/\)/],
    ];
    for (const [origin, goal, rule] of rules) {
      const scene = new Scene();
      for (const index of times(9)) {
        const target = `/shop/item-${String.fromCharCode(97 + index)}`;
        scene.ask({ at: index * 5_000, origin, target, status: 301, server: 90, response: { location: goal(target) } });
      }
      const finding = scene.only();
      assert.equal([finding.kind, finding.count, finding.time], ["redirects", 9, 9 * 91]);
      assert.match(finding.summary, rule);
    }
  });

  test("given paths that all lead to one page, or fewer than five of a rule, no rule is named", () => {
    const scene = new Scene();
    for (const index of times(9))
      scene.ask({ at: index * 5_000, target: `/p${index}`, status: 302, server: 90, response: { location: "/login" } });
    for (const index of times(4))
      scene.ask({ at: index * 5_000, target: `/q${index}`, status: 301, response: { location: `/q${index}/` } });
    assert.equal(scene.kinds(), []);
  });

  test("given a redirect after a form, or one to another place each time, nothing is said", () => {
    const scene = new Scene();
    for (const index of times(8)) {
      scene.ask({
        at: index * 9_000,
        method: "POST",
        sent: `${index}`,
        target: "/save",
        status: 303,
        server: 90,
        response: { location: "/saved" },
      });
      scene.ask({
        at: index * 9_000 + 5_000,
        target: "/go",
        status: 302,
        server: 90,
        response: { location: `/item/${index}` },
      });
    }
    assert.equal(scene.kinds(), []);
  });
});
