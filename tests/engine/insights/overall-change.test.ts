import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { overallChangeOf } from "../../../src/engine/insights/overall-change.ts";
import type { Endpoint } from "../../../src/engine/model/endpoint.ts";
import { describe } from "../../support/describe.ts";

const sample = (values: readonly number[]) => ({ count: values.length, values });

const one = fc.record({
  endpoint: fc.constantFrom("GET https://a.test/1", "GET https://a.test/2").map((text) => text as Endpoint),
  before: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 9 }).map(sample),
  now: fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 9 }).map(sample),
  requests: fc.integer({ min: 1, max: 20 }),
  isChanged: fc.constantFrom(true, false, null),
});

const sumOf = ({ values }: { readonly values: readonly number[] }) => values.reduce((sum, value) => sum + value, 0);
const isNear = (left: number, right: number) => Math.abs(left - right) < 1e-6;

describe("change over all endpoints", (test) => {
  test("given no endpoint, there is no overall change", () => {
    assert.is(overallChangeOf([]), null);
  });

  test("given any endpoints, adds up the requests of now at both means, and only endpoints that changed", () => {
    fc.assert(
      fc.property(fc.array(one, { minLength: 1, maxLength: 6 }), (endpoints) => {
        const found = overallChangeOf(endpoints);
        const changed = endpoints.filter(({ isChanged }) => isChanged === true);
        const usual = changed.map(({ before, requests }) => (requests * sumOf(before)) / before.count);
        const changes = changed.map(({ now, requests }, index) => {
          return (requests * sumOf(now)) / now.count - (usual[index] ?? 0);
        });
        const change = changes.reduce((sum, value) => sum + value, 0);
        assert.ok(isNear(found?.change ?? 0, change));
        assert.ok(
          isNear(
            found?.before ?? 0,
            usual.reduce((sum, value) => sum + value, 0),
          ),
        );
        assert.equal(
          [found?.changed, found?.requests],
          [changed.length, changed.reduce((sum, { requests }) => sum + requests, 0)],
        );
        assert.is(found?.untold, endpoints.filter(({ isChanged }) => isChanged === null).length);
        const most = found?.most ?? null;
        if (most !== null) assert.ok(Math.sign(most.change) === Math.sign(change) && Math.abs(most.change) >= 0);
        if (most !== null) assert.ok(changes.some((value) => isNear(value, most.change)));
      }),
    );
  });
});
