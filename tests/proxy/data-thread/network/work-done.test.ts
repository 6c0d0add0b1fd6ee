import { once } from "node:events";
import { Worker } from "node:worker_threads";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { CASES, type Measure } from "../../../support/foreign-readers.ts";
import { someOf } from "../../../support/rounds.ts";

/** docs/security.md L9. Twice, and what is copied when a buffer grows. */
const MOST = 2.1;

describe("parsing work per received byte", (test) => {
  // Its modules are compiled while blocks are counted, as this process has compiled some of them before.
  const worker = new Worker(new URL("../../../support/foreign-readers.ts", import.meta.url));
  worker.unref();
  const workFor = async (measure: Measure): Promise<number> => {
    worker.postMessage(measure);
    const [work] = (await once(worker, "message")) as [number];
    return work;
  };

  for (const [index, { title, units }] of someOf([...CASES.entries()])) {
    test(`given twice as many bytes of ${title}, in pieces of any size, does at most ${MOST} times the work`, async () => {
      for (const unit of units) {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: 20 }),
            fc.integer({ min: 3_000, max: 4_000 }),
            async (piece, size) => {
              const less = await workFor({ index, unit, size, piece });
              const more = await workFor({ index, unit, size: 2 * size, piece });
              assert.ok(more <= MOST * less, `${JSON.stringify(unit)}: ${less}, then ${more}`);
            },
          ),
          { numRuns: 3 },
        );
      }
    });
  }
});
