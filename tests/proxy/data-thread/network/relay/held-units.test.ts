import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { HeldUnits, QUIET } from "../../../../../extensions/proxy/data-thread/network/relay/held-units.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";

const DOCUMENTS = [
  "Sec-Fetch-Dest: document",
  "Sec-Fetch-Dest: empty\r\nSec-Fetch-Mode: navigate",
  "Accept: text/html,*/*",
];
const PARTS = ["Sec-Fetch-Mode: cors\r\nSec-Fetch-Dest: empty", "Sec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image"];

const headOf = (lines: string): string => `GET / HTTP/1.1\r\nHost: a.test\r\n${lines}\r\n\r\n`;

/** Units of one client, whose requests come one after another and end at once. */
function client() {
  let count = 0;
  let now = 1_000;
  const units = new HeldUnits(() => {
    count += 1;
    return count;
  });
  return (isTarget: boolean, gap: number, lines = "Accept: */*") => {
    now += gap;
    const at = now as Instant;
    const unit = units.unitOf({ at, method: "GET", head: headOf(lines), isTarget });
    if (isTarget && unit !== null) unit.draw ??= { block: 0, level: unit.number };
    unit?.ended(at);
    return unit;
  };
}

const gap = fc.integer({ min: 0, max: QUIET });
const pause = fc.integer({ min: QUIET + 1, max: 60_000 });

describe("units of an experiment, as requests start", (test) => {
  test("given page loads, each document starts a unit, and what follows until the next one belongs to it", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.constantFrom(...DOCUMENTS), fc.array(fc.tuple(fc.constantFrom(...PARTS), fc.boolean(), gap))),
        ),
        (loads) => {
          const ask = client();
          for (const [index, [document, parts]] of loads.entries()) {
            assert.is(ask(false, 10, document)?.number, index + 1);
            for (const [lines, isTarget, after] of parts) {
              const unit = ask(isTarget, after, lines);
              assert.equal([unit?.number, unit?.isLoad], [index + 1, true]);
            }
          }
        },
      ),
    ));

  test("given a page that is quiet for long, what it sends later is in no unit", () =>
    fc.assert(
      fc.property(fc.constantFrom(...PARTS), fc.boolean(), pause, (lines, isTarget, after) => {
        const ask = client();
        ask(false, 0, DOCUMENTS[0]);
        assert.is(ask(isTarget, after, lines), null);
      }),
    ));

  test("given an API client, a request of the target starts a unit once another endpoint followed the last", () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), gap), { minLength: 1 }), (asked) => {
        const ask = client();
        let number = 0;
        let hasOthers = true;
        for (const [isTarget, after] of asked) {
          if (isTarget && hasOthers) {
            number += 1;
            hasOthers = false;
          } else if (!isTarget) hasOthers = true;
          assert.is(ask(isTarget, after)?.number ?? 0, number);
        }
      }),
    ));

  test("given a pause, the next request of the target starts a unit, and other requests are in none", () =>
    fc.assert(
      fc.property(fc.boolean(), pause, (isTarget, after) => {
        const ask = client();
        ask(true, 0);
        assert.is(ask(isTarget, after)?.number ?? null, isTarget ? 2 : null);
      }),
    ));

  test("given HTML without Fetch Metadata beside other requests of a load, it is a frame", () => {
    const units = new HeldUnits(() => 1);
    const ask = (at: number, lines: string) =>
      units.unitOf({ at: at as Instant, method: "GET", head: headOf(lines), isTarget: false });
    const load = ask(0, "Accept: text/html,*/*");
    assert.is(ask(5, "Accept: text/html,*/*"), load);
  });
});
