import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Draft } from "../../../../src/engine/insights/findings/finding-report.ts";
import { joinedOverRuns, runsOf } from "../../../../src/engine/insights/findings/runs.ts";
import type { Request, Traffic } from "../../../../src/engine/insights/findings/traffic.ts";
import { runNameOf } from "../../../../src/engine/model/session-name.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

/** One request of each client. */
function trafficOf(clients: readonly string[]): Pick<Traffic, "requests" | "byId"> {
  const requests = clients.map((client, index) => ({ client, id: (index + 1) as ExchangeId }) as Request);
  return { requests, byId: new Map(requests.map((request) => [request.id, request])) };
}

function draftOf(id: number, client: string | null, time: number | null, more: Partial<Draft> = {}): Draft {
  return {
    kind: "client-time",
    endpoint: null,
    origin: "https://a.test",
    client,
    attribute: null,
    count: 2,
    time,
    bytes: null,
    confidence: "possible",
    exchanges: [id as ExchangeId],
    summary: `It took ${time} ms.`,
    advice: "",
    evidence: [],
    basis: "",
    covers: new Set([id as ExchangeId]),
    ...more,
  };
}

describe("findings over the runs of a HAR file", (test) => {
  test("given one in each run, joins them to one that says so, with costs of all and the median", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 9_000 }), { minLength: 2, maxLength: 9 }), (times) => {
        const clients = times.map((_, index) => `${runNameOf(index + 1, false)} Chrome`);
        const traffic = trafficOf(clients);
        const drafts = times.map((time, index) => draftOf(index + 1, clients[index] ?? null, time));
        const [joined, ...others] = joinedOverRuns(drafts, runsOf(traffic), traffic);
        assert.equal(others, []);
        const sum = times.reduce((all, time) => all + time, 0);
        assert.equal([joined?.client, joined?.time, joined?.count], [null, sum, 2 * times.length]);
        assert.is(joined?.covers.size, times.length);
        assert.is(joined?.exchanges.length, times.length);
        const median = times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
        assert.ok(joined?.summary.startsWith(`In ${times.length} of ${times.length} runs, `), joined?.summary);
        assert.ok(joined?.summary.endsWith(`It took ${median} ms.`), joined?.summary);
      }),
    );
  });

  test("given one in some runs, counts these among all with the same view", () => {
    const names = [1, 2, 3].flatMap((run) => [runNameOf(run, false), runNameOf(run, true)]);
    const traffic = trafficOf(names);
    const runs = runsOf(traffic);
    const drafts = [1, 5, 4].map((id) => draftOf(id, names[id - 1] ?? null, 10));
    const joined = joinedOverRuns(drafts, runs, traffic);
    assert.equal(
      joined.map(({ evidence }) => evidence[0]?.value),
      ["2 of 3 runs", "1 of 3 repeat views"],
    );
    assert.equal(
      joined.map(({ client, summary }) => [client, summary]),
      [
        [null, "In 2 of 3 runs, 20 ms in all. In one of them: It took 10 ms."],
        [names[3], "It took 10 ms."],
      ],
    );
  });

  test("given a finding about all runs, or two in the same run, keeps each unchanged", () => {
    const traffic = trafficOf(["run-1", "run-1", "run-2"]);
    const both = draftOf(1, null, 5, { covers: new Set([1, 3] as ExchangeId[]) });
    const twice = [draftOf(1, "run-1", 5, { origin: "b" }), draftOf(2, "run-1", 7, { origin: "b" })];
    const found = joinedOverRuns([both, ...twice], runsOf(traffic), traffic);
    assert.equal(
      found.map(({ summary, time, evidence }) => [summary, time, evidence.map(({ value }) => value)]),
      [
        ["It took 5 ms.", 5, ["2 of 2 runs"]],
        ["It took 5 ms.", 5, ["1 of 2 runs"]],
        ["It took 7 ms.", 7, ["1 of 2 runs"]],
      ],
    );
  });

  test("given one run, or clients that are no runs, changes nothing", () => {
    for (const clients of [["run-1 Chrome", "127.0.0.1"], ["127.0.0.1", "127.0.0.2"], []]) {
      const traffic = trafficOf(clients);
      assert.is(runsOf(traffic), null);
      const drafts = [draftOf(1, "a", 5), draftOf(2, "b", 5)];
      assert.is(joinedOverRuns(drafts, null, traffic), drafts);
    }
  });
});
