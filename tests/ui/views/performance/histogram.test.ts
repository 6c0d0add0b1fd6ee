import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  bucketPosition,
  edgeLabelsOf,
  rangeFilter,
  rangeName,
} from "../../../../src/ui/views/performance/histogram.ts";
import { describe } from "../../../support/describe.ts";

const EDGES = [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000];
const all = EDGES.map((lo, index) => ({ lo, hi: EDGES[index + 1] ?? null, count: 1 }));
const few = all.slice(4, 8);

describe("latency histogram", (test) => {
  test("given a latency, places an edge at its bucket's index and other values in proportion", () => {
    for (const [index, { lo }] of all.entries()) assert.is(bucketPosition(all, lo), index);
    assert.is(bucketPosition(few, 35), 1.5);
    assert.is(bucketPosition(few, 75), 2.5);
  });

  test("given a latency outside the trimmed buckets, places it at their nearer end", () => {
    assert.is(bucketPosition(few, 1), 0);
    assert.is(bucketPosition(few, 9_000), few.length);
    assert.is(bucketPosition([], 5), 0);
  });

  test("given any latencies, keeps their order and places all within the buckets", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 2 }), (latencies) => {
        const places = latencies.sort((a, b) => a - b).map((each) => bucketPosition(all, each));
        for (const [index, position] of places.entries()) {
          assert.ok(position >= 0 && position <= all.length);
          assert.ok(index === 0 || position >= (places[index - 1] ?? 0));
        }
      }),
    );
  });

  test("given whole edges, labels them where they are, and an open end as such", () => {
    assert.equal(
      edgeLabelsOf(few).map(({ text, kind, style }) => `${text} ${kind} ${style.left}`),
      ["10 is-first 0%", "20  25%", "50  50%", "100  75%", "200 is-last 100%"],
    );
    assert.equal(
      edgeLabelsOf(all.slice(-2)).map(({ text }) => text),
      ["10 s", "20 s", "more"],
    );
    const between = [
      { lo: 2_100, hi: 2_150, count: 2 },
      { lo: 2_150, hi: null, count: 1 },
    ];
    assert.equal(
      edgeLabelsOf(between).map(({ text }) => text),
      ["2.1 s", "more"],
    );
    assert.equal(edgeLabelsOf([]), []);
  });

  test("given any edges, labels 1, 2 and 5 times powers of ten, from left to right and apart", () => {
    const edges = fc.uniqueArray(fc.integer({ min: 1, max: 60_000 }), { minLength: 2, maxLength: 31 });
    fc.assert(
      fc.property(edges, (drawn) => {
        const ascending = drawn.sort((one, other) => one - other);
        const bars = ascending.slice(1).map((hi, index) => ({ lo: ascending[index] ?? 0, hi, count: 1 }));
        const labels = edgeLabelsOf(bars);
        const places = labels.map(({ style }) => Number.parseFloat(style.left));
        assert.ok(labels.length > 0);
        if (labels.length > 1) for (const { text } of labels) assert.match(text, /^(?:0\.)?[125]0*(?: s)?$/);
        assert.ok(places.every((position, index) => index === 0 || position - (places[index - 1] ?? 0) > 13));
      }),
    );
  });

  test("given a range, its text and its filter include the lower bound and exclude the upper one", () => {
    const named = (lo: number, hi: number | null) => [rangeName({ lo, hi }), rangeFilter({ lo, hi })];
    assert.equal(named(0, 1), ["0 to 1 ms", "latency<1"]);
    assert.equal(named(500, 1000), ["500 to 1,000 ms", "latency>=500 latency<1000"]);
    assert.equal(named(262.4, 262.75), ["262.4 to 262.75 ms", "latency>=262.4 latency<262.75"]);
    assert.equal(named(1_005.0049, 1_005.0066), [
      "1,005.0049 to 1,005.0066 ms",
      "latency>=1005.0049 latency<1005.0066",
    ]);
    assert.equal(named(30_000, null), ["30,000 ms and more", "latency>=30000"]);
  });
});
