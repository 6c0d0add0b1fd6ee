import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { EndpointDetail } from "../../../../src/engine/messages/latency-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { cellsBetween, heatMapOf } from "../../../../src/ui/views/performance/heat-map.ts";
import { describe } from "../../../support/describe.ts";

type Data = Pick<EndpointDetail, "histogram" | "series" | "sliceLength">;

const heatMap = (data: Data) => heatMapOf(data as EndpointDetail);

function dataOf(slices: readonly (readonly number[] | null)[], bars: number): Data {
  return {
    sliceLength: 1_000,
    histogram: Array.from({ length: bars }, (_, bar) => ({ lo: 100 + bar, hi: 101 + bar, count: 1 })),
    series: slices.flatMap((counts, index) =>
      counts === null
        ? []
        : [
            {
              at: (index * 1_000) as Instant,
              p50: 100,
              p95: 100 + index,
              samples: counts.reduce((a, b) => a + b, 0),
              counts,
            },
          ],
    ),
  };
}

describe("dragged cells of the heat map", (test) => {
  test("given any two points, counts the requests of the cells that their rectangle touches", () => {
    const share = fc.double({ min: 0, max: 0.999, noNaN: true });
    const counts = fc.array(fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(counts, share, share, share, share, (slices, x, y, otherX, otherY) => {
        const found = cellsBetween(dataOf(slices, 3) as EndpointDetail, { x, y }, { x: otherX, y: otherY });
        const within = (index: number, one: number, other: number, most: number) =>
          index >= Math.floor(Math.min(one, other) * most) && index <= Math.floor(Math.max(one, other) * most);
        let expected = 0;
        for (const [column, own] of slices.entries())
          for (const [bar, count] of own.entries())
            if (within(column, x, otherX, slices.length) && within(2 - bar, y, otherY, 3)) expected += count;
        assert.is(found?.range.count ?? 0, expected);
        if (found === null) return;
        assert.is(found.range.lo, 100 + 2 - Math.floor(Math.max(y, otherY) * 3));
        assert.is(found.range.hi, 101 + 2 - Math.floor(Math.min(y, otherY) * 3));
      }),
    );
  });
});

/** The cells of all shades: "column,row", and its shade. */
function cellsOf(map: ReturnType<typeof heatMap>): Map<string, number> {
  const shades = Object.values(map?.cells ?? {});
  return new Map(
    shades.flatMap((path, shade) =>
      [...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => [`${x},${y}`, shade] as const),
    ),
  );
}

describe("latency heat map", (test) => {
  test("given slices and bars, fills a cell for each with requests, slowest at the top, more requests darker", () => {
    const slices = fc.integer({ min: 1, max: 6 }).chain((bars) =>
      fc.tuple(
        fc.constant(bars),
        fc.array(fc.option(fc.array(fc.nat(50), { minLength: bars, maxLength: bars })), {
          minLength: 1,
          maxLength: 8,
        }),
      ),
    );
    fc.assert(
      fc.property(slices, ([bars, all]) => {
        fc.pre(all[0] !== null && all.some((counts) => counts?.some((count) => count > 0) ?? false));
        const cells = cellsOf(heatMap(dataOf(all, bars)));
        const counts = new Map<string, number>();
        for (const [column, slice] of all.entries())
          for (const [bar, count] of (slice ?? []).entries())
            if (count > 0) counts.set(`${column},${bars - 1 - bar}`, count);
        assert.equal([...cells.keys()].sort(), [...counts.keys()].sort());
        for (const [one, count] of counts)
          for (const [other, more] of counts)
            if (count < more) assert.ok((cells.get(one) ?? 0) <= (cells.get(other) ?? 0));
        const most = Math.max(...counts.values());
        for (const [cell, count] of counts) if (count === most) assert.is(cells.get(cell), 4);
      }),
    );
  });

  test("given a pause, leaves its columns empty, and describes the bounds and the course in words", () => {
    const map = heatMap(dataOf([[3, 0], null, null, [1, 2]], 2));
    assert.is(map?.viewBox, "0 0 4 2");
    assert.equal([map?.lowest, map?.highest], ["100 ms", "102 ms"]);
    assert.match(
      map?.description ?? "",
      /^6 requests in slices of 1 s: the median goes from 100 to 100 ms, p95 is highest at .* with 103 ms$/,
    );
    assert.is(heatMap(dataOf([], 2)), null);
  });
});
