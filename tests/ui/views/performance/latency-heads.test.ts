import * as assert from "uvu/assert";
import { latencyHeadsOf } from "../../../../src/ui/views/performance/latency-heads.ts";
import { describe } from "../../../support/describe.ts";

describe("heads of the latency table", (test) => {
  test("the seed's seven columns stand in their order, with the Spread before the size and the trend behind them", () => {
    const labels = latencyHeadsOf({ column: "p95", descending: true }).map(({ label }) => label);
    assert.equal(labels, ["Endpoint", "Requests", "p50", "p95", "p99", "Spread", "Avg Size", "Error Rate", "Trend"]);
  });

  test("only the column that orders the list tells an order", () => {
    for (const descending of [true, false]) {
      const order = descending ? "descending" : "ascending";
      const ordered = latencyHeadsOf({ column: "requests", descending }).filter((head) => head.order !== null);
      assert.equal(
        ordered.map((head) => [head.label, head.order, head.icon]),
        [["Requests", order, `#icon-${order}`]],
      );
    }
  });
});
