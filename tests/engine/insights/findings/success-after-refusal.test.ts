import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { successesAfterRefusal } from "../../../../src/engine/insights/findings/success-after-refusal.ts";
import { describe } from "../../../support/describe.ts";

const requests = fc.array(
  fc.record({ key: fc.constantFrom("a", "b", null), isRefused: fc.boolean() }).map((one) => ({ ...one })),
);

describe("successes after refused requests", (test) => {
  test("given any requests, a refused one is followed by the next with its key that is not refused", () => {
    fc.assert(
      fc.property(requests, (all) => {
        const successes = successesAfterRefusal(
          all,
          ({ isRefused }) => isRefused,
          ({ key }) => key,
        );
        for (const [index, request] of all.entries()) {
          const next = all.slice(index + 1).find(({ key, isRefused }) => key === request.key && !isRefused);
          assert.is(successes.get(request), request.isRefused && request.key !== null ? next : undefined);
        }
      }),
    );
  });
});
