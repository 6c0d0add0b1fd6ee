import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HISTOGRAM_EDGES } from "../../../../src/engine/stats/histogram.ts";
import {
  bucketFilter,
  bucketName,
  bucketPosition,
  edgeLabelsOf,
} from "../../../../src/ui/views/performance/histogram.ts";
import { describe } from "../../../support/describe.ts";

const all = HISTOGRAM_EDGES.map((lo, index) => ({ lo, hi: HISTOGRAM_EDGES[index + 1] ?? null, count: 1 }));
const few = all.slice(4, 8);

describe("the latency histogram", (test) => {
  test("an edge stands at its bucket's index, a latency between two in proportion", () => {
    for (const [index, { lo }] of all.entries()) assert.is(bucketPosition(all, lo), index);
    assert.is(bucketPosition(few, 35), 1.5);
    assert.is(bucketPosition(few, 75), 2.5);
  });

  test("what lies outside the trimmed buckets stands at their ends", () => {
    assert.is(bucketPosition(few, 1), 0);
    assert.is(bucketPosition(few, 9_000), few.length);
    assert.is(bucketPosition([], 5), 0);
  });

  test("a longer latency never stands left of a shorter one, and none leaves the buckets", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { minLength: 2 }), (latencies) => {
        const places = latencies.sort((a, b) => a - b).map((each) => bucketPosition(all, each));
        for (const [index, place] of places.entries()) {
          assert.ok(place >= 0 && place <= all.length);
          assert.ok(index === 0 || place >= (places[index - 1] ?? 0));
        }
      }),
    );
  });

  test("every edge is labelled, the outermost within the chart, and an open end says so", () => {
    assert.equal(
      edgeLabelsOf(few).map(({ text, kind, style }) => `${text} ${kind} ${style.left}`),
      ["10 is-first 0%", "20  25%", "50  50%", "100  75%", "200 is-last 100%"],
    );
    assert.equal(
      edgeLabelsOf(all.slice(-2)).map(({ text }) => text),
      ["10 s", "30 s", "more"],
    );
    assert.equal(edgeLabelsOf([]), []);
  });

  test("with many buckets every second edge is labelled", () => {
    assert.is(edgeLabelsOf(all).length, 8);
  });

  test("a bucket's words and filter are half-open, as the bucket is", () => {
    const named = (index: number) => {
      const bucket = all[index] ?? { lo: 0, hi: null };
      return [bucketName(bucket as (typeof all)[number]), bucketFilter(bucket as (typeof all)[number])];
    };
    assert.equal(named(0), ["0 to 1 ms", "latency<1"]);
    assert.equal(named(9), ["500 to 1,000 ms", "latency>=500 latency<1000"]);
    assert.equal(named(14), ["30,000 ms and more", "latency>=30000"]);
  });
});
