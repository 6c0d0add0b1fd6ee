import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { partnersIn } from "../../../../../src/engine/insights/findings/slow-when/partners.ts";
import { describe } from "../../../../support/describe.ts";
import { Scene, times } from "../../../../support/scene.ts";

const span = fc.record({ at: fc.integer({ min: 0, max: 3_000 }), server: fc.integer({ min: 1, max: 400 }) });

describe("endpoints that may hold up others", (test) => {
  test("given any exchanges, finds those in flight 20 ms before a request and at its start", () => {
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 30 }), span, (jobs, asked) => {
        const scene = new Scene();
        for (const job of jobs) scene.ask({ ...job, target: "/job", transfer: 0 });
        const id = scene.ask({ ...asked, target: "/a" });
        const { requests, byId } = scene.traffic();
        const request = byId.get(id);
        const partner = partnersIn(requests).find(({ name }) => name === "GET /job");
        if (request === undefined || partner === undefined) throw new Error("the scene lacks a request");
        const lines = times(3_500).map((ms) => jobs.some(({ at, server }) => at <= ms && ms <= at + server));
        const isInFlight = jobs.some(({ at, server }) => at <= asked.at && asked.at < at + server);
        const isBefore = asked.at >= 20 && lines.slice(asked.at - 20, asked.at + 1).every(Boolean);
        assert.is(partner.periodAt(request) !== null, isInFlight && isBefore);
      }),
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
