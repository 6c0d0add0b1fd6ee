import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { answersTo } from "../../../../src/engine/insights/findings/answers.ts";
import { describe } from "../../../support/describe.ts";

const requests = fc.array(
  fc.record({ key: fc.constantFrom("a", "b", null), isRefused: fc.boolean() }).map((one) => ({ ...one })),
);

describe("answers to refused requests", (test) => {
  test("given any requests, a refused one is answered by the next with its key that is not refused", () => {
    fc.assert(
      fc.property(requests, (all) => {
        const answers = answersTo(
          all,
          ({ isRefused }) => isRefused,
          ({ key }) => key,
        );
        for (const [index, request] of all.entries()) {
          const next = all.slice(index + 1).find(({ key, isRefused }) => key === request.key && !isRefused);
          assert.is(answers.get(request), request.isRefused && request.key !== null ? next : undefined);
        }
      }),
    );
  });
});
