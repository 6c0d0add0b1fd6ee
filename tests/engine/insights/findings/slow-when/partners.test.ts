import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { partnersIn } from "../../../../../src/engine/insights/findings/slow-when/partners.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";

const tens = (least: number, most: number) => fc.integer({ min: least, max: most }).map((count) => 10 * count);
const span = fc.record({ at: tens(0, 300), server: tens(1, 40) });

/** The periods in which at least one job ran, found millisecond by millisecond. */
function periodsOf(jobs: readonly { readonly at: number; readonly server: number }[]) {
  const periods: { from: number; to: number }[] = [];
  for (const ms of times(3_500)) {
    if (!jobs.some(({ at, server }) => at <= ms && ms <= at + server)) continue;
    const last = periods.at(-1);
    if (last?.to === ms - 1) last.to = ms;
    else periods.push({ from: ms, to: ms });
  }
  return periods;
}

describe("candidate endpoints that delay others", (test) => {
  test("given any exchanges, finds those in flight 20 ms before a request and at its start, and those that catch it", () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 30 }), span, tens(0, 20), (jobs, asked, usual) => {
        const scene = new Scene();
        for (const job of jobs) scene.ask({ ...job, target: "/job", transfer: 0 });
        const id = scene.ask({ ...asked, target: "/a", transfer: 0 });
        const { requests, byId } = scene.traffic();
        const request = byId.get(id);
        const partner = partnersIn(requests).find(({ name }) => name === "GET /job");
        if (request === undefined || partner === undefined) throw new Error("the scene lacks a request");
        const periods = periodsOf(jobs);
        const running = periods.findIndex(({ from, to }) => from <= asked.at - 20 && asked.at < to);
        assert.is(partner.periodAt(request), running >= 0 ? running : null);
        const last = periods.findLast(({ from }) => from <= asked.at + usual);
        assert.is(partner.isCaught(request, usual), last !== undefined && last.to > asked.at);
      }),
      { numRuns: rounds(40) },
    );
  });

  test("given more than fifty endpoints, keeps those that were in flight for longest", () => {
    const scene = new Scene();
    for (const index of times(70))
      scene.ask({ at: 10 * index, target: `/${"abcdefg"[index % 7]}${index}`, server: index });
    const kept = partnersIn(scene.traffic().requests).map(({ busy }) => busy);
    assert.equal(
      kept,
      times(50).map((index) => 70 - index),
    );
  });
});
