import * as assert from "uvu/assert";
import { RankedSearch } from "../../../extensions/proxy/analysis-thread/ranked-search.ts";
import { LinkedTraffic } from "../../../src/engine/insights/linked-traffic.ts";
import { failure } from "../../../src/engine/model/result.ts";
import { linkedFactsOf } from "../../../src/engine/report/linked-facts.ts";
import { describe } from "../../support/describe.ts";
import { withStored } from "../../support/stored.ts";

describe("ranked search for findings", (test) => {
  test("given the same sessions to compare with, reads them once; given others, reads those", () =>
    withStored([{ sketch: { id: 1, end: 50 } }], async ({ session, reader }) => {
      const opened: string[] = [];
      const search = new RankedSearch("session-1", (id) => {
        opened.push(id);
        return failure("it no longer exists");
      });
      const linked = await linkedFactsOf(session, reader, 300);
      let waits = 0;
      const between = async () => {
        waits += 1;
      };
      const find = (baseline: readonly string[]) =>
        search.find(new LinkedTraffic(linked.facts, linked, () => null), baseline, between);
      const { report } = await find(["b", "a"]);
      assert.equal([report.source, report.exchanges], ["session-1", 1]);
      assert.ok(waits > 2);
      await find(["b", "a"]);
      assert.equal(opened, ["b", "a"]);
      await find(["c"]);
      assert.equal(opened, ["b", "a", "c"]);
    }));
});
