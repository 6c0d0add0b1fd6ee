import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { openSource } from "../../../extensions/proxy/export/opened-source.ts";
import { trafficOf } from "../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../src/engine/insights/links/critical-paths.ts";
import { Recalculation } from "../../../src/engine/insights/what-if/recalculation.ts";
import { unitsOf } from "../../../src/engine/insights/what-if/timed-units.ts";
import { loadsOf } from "../../../src/engine/insights/where/page-loads.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { describe } from "../../support/describe.ts";

const FILES = fileURLToPath(new URL("../../fixtures/", import.meta.url));

describe("what-if predictions for real HAR files", (test) => {
  test("given no change, each page load and walk ends when it ended; without all its requests, no later", async () => {
    let loads = 0;
    for (const folder of ["har", "har-odd"])
      for (const name of readdirSync(`${FILES}${folder}`).filter((one) => one.endsWith(".har"))) {
        const opened = await openSource({ file: `${FILES}${folder}/${name}` });
        const { session, reader, close } = unwrap(opened);
        const found = await linkedFactsOf(session, reader, 300);
        const traffic = trafficOf(found.facts, found.links);
        const loadedAt = (id: ExchangeId) => session.loadedAt(id);
        for (const unit of unitsOf(traffic, loadsOf(traffic, criticalPathsOf(found.facts, found), loadedAt))) {
          const recalculation = new Recalculation(unit);
          assert.equal(
            recalculation.gain(() => null),
            { byLinks: 0, atMost: 0 },
            name,
          );
          const { byLinks, atMost } = recalculation.gain(() => 0);
          assert.ok(
            byLinks >= 0 && atMost >= byLinks && atMost <= unit.end - unit.start,
            `${name}: ${byLinks} ${atMost}`,
          );
          loads += unit.kind === "load" ? 1 : 0;
        }
        close();
      }
    assert.ok(loads > 3, `${loads} page loads`);
  });
});
