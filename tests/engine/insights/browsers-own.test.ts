import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isBrowsersOwn } from "../../../src/engine/insights/browsers-own.ts";
import { describe } from "../../support/describe.ts";
import { factsOf } from "../../support/linked.ts";
import { Scene, times } from "../../support/scene.ts";

const isOwn = (...sends: readonly string[]) => factsOf([{ at: 0, sends }]).every(({ facts }) => isBrowsersOwn(facts));

describe("requests of the browser itself", (test) => {
  test("given no site as the cause and no navigation, knows the browser's own", () => {
    assert.ok(isOwn("Sec-Fetch-Site: none", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: empty"));
    const more = fc.subarray([
      "Sec-Fetch-Dest: image",
      "Sec-Fetch-Dest: script",
      "Referer: https://shop.test/",
      "Accept: */*",
    ]);
    fc.assert(
      fc.property(more, fc.constantFrom("no-cors", "cors", "websocket"), (others, mode) => {
        assert.ok(isOwn("Sec-Fetch-Site: none", `Sec-Fetch-Mode: ${mode}`, ...others));
      }),
    );
    assert.ok(isOwn("X-Goog-Update-AppId: oimompecagnajdejgnnjijobebaeigek"));
  });

  test("given navigations, a page's requests and other clients, takes none for the browser's own", () => {
    assert.not(isOwn());
    assert.not(isOwn("Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"));
    assert.not(isOwn("Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: empty"));
    for (const site of ["same-origin", "same-site", "cross-site"])
      assert.not(isOwn(`Sec-Fetch-Site: ${site}`, "Sec-Fetch-Mode: cors", "Sec-Fetch-Dest: empty"));
  });

  test("given slow update checks beside a page, accuses neither", () => {
    const own = { "sec-fetch-site": "none", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "empty" };
    const kindsOf = (request: Readonly<Record<string, string>>) => {
      const scene = new Scene();
      for (const index of times(8)) {
        scene.ask({ at: index * 3_000, target: `/part/${index}`, path: "/part/{id}", server: 20 });
        scene.ask({ at: index * 3_000, origin: "https://updates.test", target: `/v?${index}`, server: 900, request });
      }
      return scene.kinds();
    };
    assert.equal(kindsOf(own), []);
    assert.ok(kindsOf({}).length > 0);
  });
});
