import * as assert from "uvu/assert";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { connectionKeyOf } from "../../../../src/ui/views/timeline/connection-key.ts";
import { type DrawingInput, drawingOf } from "../../../../src/ui/views/timeline/drawing.ts";
import { describe } from "../../../support/describe.ts";
import { timelineRecord } from "./record.ts";

const START = timelineRecord().startTime;
const records = [3, 4, 3].map((connection, index) =>
  timelineRecord({
    id: (index + 1) as ExchangeId,
    connection,
    stream: 7,
    startTime: (START + index * 100) as Instant,
    endTime: (START + index * 100 + 50) as Instant,
  }),
);

function drawn(change: Partial<DrawingInput>) {
  return drawingOf({
    range: { from: START, to: (START + 1_000) as Instant },
    width: 1_000,
    shown: new Set(["ttfb"]),
    records,
    first: 40,
    from: 0,
    count: 3,
    before: true,
    after: true,
    marked: null,
    now: START,
    ...change,
  });
}

describe("Timeline drawing", (test) => {
  test("given rows, places their lengths row by row, from the first visible one", () => {
    const { first, rows } = drawn({});
    assert.is(first, 40);
    assert.equal(
      rows.map(({ length }) => length.style.left),
      ["58px", "158px", "258px"],
    );
    // Rows that are not loaded yet leave their places empty.
    assert.equal(
      drawn({ from: 1 }).rows.map(({ length }) => length.style.left),
      ["0px", "58px", "158px"],
    );
  });

  test("given a marked connection, marks its rows and shows its name", () => {
    const marked = connectionKeyOf(timelineRecord({ connection: 3, stream: 7 }));
    const { rows, connection } = drawn({ marked });
    assert.equal(
      rows.map(({ joined }) => joined),
      [true, false, true],
    );
    assert.is(connection, "connection 3 · stream 7");
    assert.ok(drawn({}).rows.every(({ joined }) => !joined));
    assert.is(drawn({}).connection, "");
  });
});
