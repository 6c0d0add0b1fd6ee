import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { settingProblem } from "../../../../src/engine/model/setting-rules.ts";
import {
  COLUMN_BOUNDS,
  type ColumnName,
  choicesOf,
  chosen,
  columnsOf,
  isNarrowed,
  itemsOf,
  layoutOf,
  moved,
  spared,
  textsOf,
} from "../../../../src/ui/views/traffic/columns.ts";
import { describe } from "../../../support/describe.ts";

const NAMES = itemsOf(choicesOf(null), false).map(({ name }) => name);
const namesOf = (texts: readonly string[] | null, narrow = false): readonly ColumnName[] =>
  columnsOf(choicesOf(texts), narrow).map(({ name }) => name);

const anyChange = fc.record({
  name: fc.constantFrom(...NAMES.filter((name) => name !== "path")),
  shown: fc.option(fc.boolean()),
  width: fc.option(fc.integer({ min: COLUMN_BOUNDS.least, max: COLUMN_BOUNDS.most })),
});
const anyMove = fc.record({ name: fc.constantFrom(...NAMES), before: fc.option(fc.constantFrom(...NAMES)) });

const anyChoices = fc
  .array(fc.oneof(anyChange, anyMove), { maxLength: 30 })
  .map((changes) =>
    changes.reduce(
      (choices, change) =>
        "before" in change
          ? moved(choices, change.name, change.before)
          : chosen(choices, change.name, { shown: change.shown, width: change.width }),
      choicesOf(null),
    ),
  );

describe("Traffic columns", (test) => {
  // Without its cell, a column's title would stand over the values of the next.
  test("given any column, the template of the rows has its cell", () => {
    const template = readFileSync(new URL("../../../../src/ui/views/traffic/traffic.html", import.meta.url), "utf8");
    const cells = Array.from(template.matchAll(/role="gridcell" class="[^"]*\bcolumn-(\w+)/g), ([, name]) => name);
    assert.equal(cells.toSorted(), [...NAMES].sort());
  });

  test("given no choice, shows the default columns, without Type in a narrow window", () => {
    const own = ["number", "started", "method", "status", "path", "type", "size", "latency", "phases"];
    assert.equal(namesOf(null), own);
    assert.equal(namesOf([]), own);
    assert.equal(
      namesOf(null, true),
      own.filter((name) => name !== "type"),
    );
  });

  test("given any choice of columns, stores it as valid texts and reads the same choice back", () => {
    fc.assert(
      fc.property(anyChoices, fc.boolean(), (choices, narrow) => {
        const texts = textsOf(choices);
        assert.is(settingProblem("trafficColumns", texts), null);
        assert.equal([...choicesOf(texts)], [...choices]);
        assert.equal(columnsOf(choicesOf(texts), narrow), columnsOf(choices, narrow));
        assert.equal(textsOf(choicesOf(texts)), texts);
      }),
    );
  });

  test("given a moved column, puts it before the chosen one or at the end, and keeps the others in order", () => {
    fc.assert(
      fc.property(anyChoices, anyMove, (choices, { name, before }) => {
        const [were, are] = [[...choices.keys()], [...moved(choices, name, before).keys()]];
        assert.equal(
          are.filter((each) => each !== name),
          were.filter((each) => each !== name),
        );
        if (before !== name) assert.is(are[are.indexOf(name) + 1], before ?? undefined);
        else assert.equal(are, were);
      }),
    );
  });

  test("given columns without a choice, puts each behind the one that it follows by default", () => {
    const texts = ["+latency", "+number"];
    assert.equal(namesOf(texts), [
      "latency",
      "phases",
      "number",
      "started",
      "method",
      "status",
      "path",
      "type",
      "size",
    ]);
    assert.equal(namesOf(["size=80", "+latency"]), namesOf(null));
  });

  test("given a choice, shows or hides the column in any window, but always shows the path", () => {
    assert.ok(namesOf(["+type"], true).includes("type"));
    assert.ok(namesOf(["+server", "-size"]).includes("server"));
    assert.not(namesOf(["+server", "-size"]).includes("size"));
    assert.ok(namesOf(["-path"]).includes("path"));
  });

  test("given invalid texts, ignores them and still shows the path", () => {
    const wrong = ["type=35", "type=801", "=80", "+", "nothing=80", "type=8e1", "path=300", "__proto__", "-latency=x"];
    const widths = columnsOf(choicesOf(wrong), false).map(({ width }) => width);
    assert.equal(
      widths,
      columnsOf(choicesOf(null), false).map(({ width }) => width),
    );
    fc.assert(
      fc.property(fc.array(fc.string()), fc.boolean(), (texts, narrow) => {
        assert.ok(columnsOf(choicesOf(texts), narrow).some(({ name }) => name === "path"));
      }),
    );
  });

  test("given columns, lays out one track for each and reserves the minimum width", () => {
    fc.assert(
      fc.property(anyChoices, fc.boolean(), fc.integer({ min: 32, max: 90 }), (choices, narrow, digits) => {
        const columns = columnsOf(choices, narrow);
        const layout = layoutOf(columns, narrow, digits);
        const tracks = (layout["--columns"] ?? "").match(/minmax\(\d+px, 1fr\)|\d+px/g) ?? [];
        assert.is(tracks.length, columns.length);
        for (const [index, { name, width }] of columns.entries()) {
          if (name === "path") assert.match(tracks[index] ?? "", /1fr/);
          else assert.is(tracks[index], `${width ?? digits}px`);
        }
        const phases = columns.findIndex(({ name }) => name === "phases");
        assert.is(layout["--column-phases"], `${phases + 1} / ${phases + 2}`);
        const taken = tracks.reduce((sum, track) => sum + Number(/\d+/.exec(track)?.[0]), 0);
        assert.ok(Number.parseInt(layout["--columns-least"] ?? "", 10) > taken);
      }),
    );
  });

  test("given the smallest windows, hides Started and Phases unless they were chosen", () => {
    const shown = (texts: readonly string[] | null) => {
      const names = columnsOf(spared(choicesOf(texts)), true).map(({ name }) => name);
      return (["started", "phases", "latency"] as const).filter((name) => names.includes(name));
    };
    assert.equal(shown(null), ["latency"]);
    assert.equal(shown(["+started", "-latency"]), ["started"]);
    assert.equal(shown(["phases=90"]), ["latency"]);
    const { "--columns-least": least } = layoutOf(columnsOf(spared(choicesOf(null)), true), true, 44);
    // 1280 px at 200 % are 640 px, of which the views' list has 48.
    assert.ok(Number.parseFloat(least ?? "") <= 640 - 48, least);
  });

  test("given a sized column, counts it as narrowed only if it is below its default width", () => {
    fc.assert(
      fc.property(anyChoices, fc.boolean(), fc.integer({ min: 32, max: 90 }), (choices, narrow, digits) => {
        for (const column of columnsOf(choices, narrow)) {
          const unsized = columnsOf(chosen(choices, column.name, { width: null }), narrow);
          const own = unsized.find(({ name }) => name === column.name)?.width ?? digits;
          const isLess = column.name !== "path" && column.width !== null && column.width < own;
          assert.is(isNarrowed(column, narrow, digits), isLess, column.name);
        }
      }),
    );
  });

  test("given the path, sizes columns left of it at their right edge, and columns right of it at their left", () => {
    const edges = columnsOf(choicesOf(["+client"]), false).map(({ name, edge }) => `${name} ${edge}`);
    assert.equal(edges, [
      "number right",
      "started right",
      "method right",
      "status right",
      "path null",
      "type left",
      "client left",
      "size left",
      "latency left",
      "phases left",
    ]);
    const turned = moved(choicesOf(null), "path", "status");
    assert.is(columnsOf(turned, false).find(({ name }) => name === "status")?.edge, "left");
  });
});
