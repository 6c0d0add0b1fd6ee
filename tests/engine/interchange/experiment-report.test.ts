import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { experimentReportOf, experimentTextsOf } from "../../../src/engine/interchange/experiment-report.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { simulatedExperiment } from "../../support/simulated-experiments.ts";

const at = (path: string) => `GET https://api.test${path}`;

describe("experiment report", (test) => {
  test("given an experiment, reports its verdict, and each later request by whether it waits", () => {
    const share = fc.constantFrom(0, 0.5, 1);
    const kinds = { 0: "independent", 0.5: "unknown", 1: "follows" } as const;
    fc.assert(
      fc.property(fc.integer(), share, fc.constantFrom(null, "127.0.0.1 app/1"), (seed, follows, client) => {
        const { ended } = simulatedExperiment(seed, [{ endpoint: at("/names"), follows, asked: 1 }], { client });
        const report = experimentReportOf(ended, true);
        assert.equal([report.verdict, report.units, report.client], ["not-on-path", 30, client]);
        const [later] = report.later;
        assert.is(later?.verdict, kinds[follows as 0 | 0.5 | 1]);
        assert.is(later?.slope === null, follows !== 1);
        const { items } = experimentTextsOf([report]);
        assert.match(
          items[0] ?? "",
          /^GET https:\/\/api\.test\/prices( of 127\.0\.0\.1 app\/1)?: Nothing waits for it/,
        );
        assert.is(items.length, follows === 0.5 ? 1 : 2);
        if (follows === 1)
          assert.match(items[1] ?? "", /^After .*\/prices: .*\/names starts later by the delay: each ms/);
      }),
      { numRuns: rounds(6) },
    );
  });

  test("given secrets in paths, removes them unless they are wanted", () => {
    const secret = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U";
    const { ended } = simulatedExperiment(1, [{ endpoint: at(`/in/${secret}`), follows: 1, asked: 1 }], {
      target: at(`/of/${secret}`),
    });
    assert.not.match(JSON.stringify(experimentReportOf(ended, true)), secret);
    assert.match(JSON.stringify(experimentReportOf(ended, false)), secret);
  });
});
