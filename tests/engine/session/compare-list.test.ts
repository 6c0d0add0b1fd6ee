import * as assert from "uvu/assert";
import { compareRows } from "../../../src/engine/session/compare-list.ts";
import { figuresOf } from "../../../src/engine/session/figures.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";

const ALL = { from: 0, count: 100 };

describe("comparison", (test) => {
  test("two sessions side by side, per endpoint, with the change", () => {
    const left = figuresOf(session(100, "/a", "/old"));
    const right = figuresOf(session(150, "/a", "/new"));
    const rows = compareRows(left, right, [], { column: "p95", descending: true }, ALL);
    if ("problem" in rows) throw new Error(rows.problem);
    assert.equal(
      rows.records.map(({ path, left: before, right: after, change }) => [path, before?.p95, after?.p95, change.p95]),
      [
        ["/a", 100, 150, 50],
        ["/old", 100, undefined, null],
        ["/new", undefined, 150, null],
      ],
    );
    const byName = compareRows(left, right, [], { column: "endpoint", descending: false }, ALL);
    assert.equal("problem" in byName ? byName : byName.records.map(({ path }) => path), ["/a", "/new", "/old"]);
  });

  test("the same endpoint over HTTP/1.1 and over HTTP/2 is one row, which tells what each spoke", () => {
    const over = (protocol: string, stream: number | null, latency: number) =>
      figuresOf(
        recorded(
          [1, 2, 3, 4, 5].map((id) => exchange({ id, target: "/a", start: id, end: id + latency, protocol, stream })),
        ),
      );
    const rows = compareRows(
      over("http/1.1", null, 90),
      over("h2", 1, 60),
      [],
      { column: "p95", descending: true },
      ALL,
    );
    if ("problem" in rows) throw new Error(rows.problem);
    assert.equal(
      rows.records.map(({ path, change, protocols }) => [path, change.p95, protocols]),
      [["/a", -30, { left: ["http/1.1"], right: ["h2"] }]],
    );
  });
});

/** Five requests to each path that all took so long. */
function session(latency: number, ...targets: readonly string[]): Session {
  return recorded(
    targets.flatMap((target, place) =>
      [1, 2, 3, 4, 5].map((id) => exchange({ id: place * 5 + id, target, start: id, end: id + latency })),
    ),
  );
}
