import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { Standstill } from "../../../../../extensions/proxy/data-thread/network/sockets/standstill.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";

const CHECK = fc.record({
  after: fc.integer({ min: 1, max: 1_000 }),
  count: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 4 }),
});

describe("a standstill", (test) => {
  test("given counts, lasts since the first of the latest equal ones, and never while no progress is expected", () => {
    fc.assert(
      fc.property(fc.array(CHECK, { minLength: 1, maxLength: 20 }), (checks) => {
        const standstill = new Standstill();
        const seen: { readonly at: number; readonly count: number | null }[] = [];
        for (const { after, count } of checks) {
          const at = (seen.at(-1)?.at ?? 0) + after;
          seen.push({ at, count });
          const before = seen.findLast((check) => check.count !== count);
          const first = seen.find((check) => before === undefined || check.at > before.at);
          const wanted = count === null ? 0 : at - (first?.at ?? at);
          assert.is(standstill.lasted(at as Instant, count), wanted);
        }
      }),
    );
  });
});
