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
