import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../../src/engine/messages/decode.ts";
import { settingProblem } from "../../../../src/engine/model/setting-rules.ts";
import { sortTextOf } from "../../../../src/ui/views/column-headers.ts";
import { choicesOf, columnsOf, itemsOf } from "../../../../src/ui/views/traffic/columns.ts";
import { sortOf } from "../../../../src/ui/views/traffic/sort.ts";
import { describe } from "../../../support/describe.ts";

describe("Traffic sort order", (test) => {
  test("given any sortable column in either order, writes, stores and reads back the same order", () => {
    const all = itemsOf(choicesOf(null), false).map(({ name }) => `+${name}`);
    const columns = columnsOf(choicesOf(all), false).flatMap(({ column }) => column ?? []);
    assert.ok(columns.length > 15);
    for (const column of columns)
      for (const descending of [true, false]) {
        const sort = { column, descending };
        const text = sortTextOf(sort);
        assert.is(settingProblem("trafficSort", text), null);
        assert.equal(sortOf(text), sort);
        const query = { view: "traffic", filter: "", sort, range: { from: 0, count: 1 } };
        assert.ok(decodeToEngine(JSON.stringify({ type: "subscribe", subscription: 1, query })) !== null, column);
      }
  });

  test("given any other text, sorts by start", () => {
    for (const text of [null, "", "-", "nothing", "--size", "toString"]) {
      assert.equal(sortOf(text), { column: "startTime", descending: false });
    }
  });
});
