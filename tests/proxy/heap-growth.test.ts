import * as assert from "uvu/assert";
import { HeapGrowth } from "../../extensions/proxy/heap-growth.ts";
import { describe } from "../support/describe.ts";

const MEBIBYTE = 1024 * 1024;

/** What V8 is told where the heap has these sizes, one after the other. */
function toldAt(...sizes: readonly number[]): readonly string[] {
  const told: string[] = [];
  const growth = new HeapGrowth((flags) => told.push(flags));
  for (const size of sizes) growth.adapt(size * MEBIBYTE);
  return told;
}

describe("the growth of the heap", (test) => {
  test("a small heap may triple, and a large one grow by 64 MiB", () => {
    assert.equal(toldAt(5, 64, 128, 320), [200, 100, 50, 20].map(percent));
  });

  test("a heap that is larger than all we know is not collected all the time", () => {
    assert.equal(toldAt(10_000), [percent(10)]);
  });

  test("V8 is told what is new alone", () => {
    assert.equal(toldAt(5, 6, 30, 64, 64, 5), [200, 100, 200].map(percent));
  });
});

const percent = (number: number): string => `--heap-growing-percent=${number}`;
