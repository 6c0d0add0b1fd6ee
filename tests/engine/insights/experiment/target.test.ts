import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isRequestOf } from "../../../../src/engine/insights/experiment/target.ts";
import { describe } from "../../../support/describe.ts";

const TARGET = { method: "GET", origin: "https://api.test", operation: null } as const;
const segment = fc.string({ unit: fc.constantFrom(..."abc09-_."), minLength: 1, maxLength: 8 });

describe("requests of an experiment's target", (test) => {
  test("given a template, any value in the place of an id matches, and nothing else differs", () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(segment, fc.boolean()), { minLength: 1 }), segment, segment, (parts, id, query) => {
        const path = parts.map(([name, isId]) => `/${isId ? "{id}" : name}`).join("");
        const own = parts.map(([name, isId]) => `/${isId ? id : name}`).join("");
        const request = { method: "GET", origin: "https://api.test", target: `${own}?${query}` };
        assert.ok(isRequestOf(request, { ...TARGET, path }));
        for (const target of [`${own}/x`, `/x${own}`])
          assert.not(isRequestOf({ ...request, target }, { ...TARGET, path }));
        assert.not(isRequestOf({ ...request, method: "POST" }, { ...TARGET, path }));
        assert.not(isRequestOf({ ...request, origin: "http://api.test" }, { ...TARGET, path }));
      }),
    ));
});
