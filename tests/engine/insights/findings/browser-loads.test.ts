import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { Scene, times } from "../../../support/scene.ts";

const page = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", accept: "text/html,*/*" };
const part = { "sec-fetch-dest": "script", "sec-fetch-mode": "no-cors", referer: "https://api.test/" };

/** Reloads a page with equal parts; a script asks for data, and by `worker` each script is fetched once more. */
function reloads(loads: number, pause: number, gives: Readonly<Record<string, string>>, worker: "none" | "yes") {
  const scene = new Scene();
  for (const load of times(loads)) {
    const at = load * pause;
    scene.ask({ at, target: "/", type: "text/html", request: page, body: "page" });
    for (const index of times(6)) {
      const file = { target: `/a${index}.js`, type: "text/javascript", body: `file ${index}`, response: gives };
      scene.ask({ at: at + 50, ...file, request: { ...part, accept: "*/*" } });
      if (worker === "none") continue;
      const byWorker = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", referer: "https://api.test/sw.js" };
      if (index === 0)
        scene.ask({
          at: at + 40,
          target: "/sw.js",
          type: "text/javascript",
          request: { ...part, "service-worker": "script" },
        });
      scene.ask({ at: at + 60 + index * 50, ...file, server: 300, request: { ...byWorker, accept: "image/*" } });
    }
    const data = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", referer: "https://api.test/" };
    scene.ask({ at: at + 120, target: "/data", request: data, body: "data", server: 250 });
  }
  return scene;
}

describe("findings in browser page loads", (test) => {
  test("given a page that is reloaded within seconds, accuses nothing of it", () => {
    const drawn = fc.property(fc.integer({ min: 2, max: 7 }), fc.integer({ min: 700, max: 6_000 }), (loads, pause) => {
      const kinds = reloads(loads, pause, { "cache-control": "max-age=60" }, "none").kinds();
      assert.not(kinds.includes("duplicate-requests"));
      assert.not(kinds.includes("polling"));
    });
    fc.assert(drawn);
  });

  test("given one load that fetches data twice, knows the duplicate", () => {
    const scene = reloads(1, 0, {}, "none");
    const data = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", referer: "https://api.test/" };
    scene.ask({ at: 700, target: "/data", request: data, body: "data", server: 250 });
    assert.ok(scene.kinds().includes("duplicate-requests"));
  });

  test("given a service worker that fetches the page's files too, is one finding with the reason", () => {
    const { findings } = reloads(1, 0, {}, "yes").report();
    const [duplicates, ...more] = findings.filter(({ kind }) => kind === "duplicate-requests");
    assert.is(more.length, 0);
    assert.is(duplicates?.count, 6);
    assert.match(duplicates?.summary ?? "", /A service worker fetched/);
    assert.match(duplicates?.advice ?? "", /after the page has loaded/);
  });

  test("given a program that reads the same HTML again, has no loads and knows the duplicates", () => {
    const scene = new Scene();
    for (const index of times(4))
      scene.ask({
        at: index * 2_000,
        target: "/status",
        type: "text/html",
        body: "up",
        server: 200,
        request: { accept: "*/*" },
      });
    assert.equal(scene.kinds(), ["duplicate-requests"]);
  });
});
