import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../support/describe.ts";
import { isAt, waitingOf } from "./judge.ts";

const interval = fc.record({ from: fc.nat(300), length: fc.nat(60), client: fc.constantFrom("a", "b") });

describe("judge of live sessions", (test) => {
  test("given overlapping waits, counts each millisecond of a client once", () => {
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 30 }), (drawn) => {
        const milliseconds = drawn.flatMap(({ from, length, client }) =>
          Array.from({ length }, (_, index) => `${client} ${from + index}`),
        );
        const lines = drawn.map(({ from, length, client }) => ({ from, to: from + length, client }));
        assert.is(waitingOf(lines), new Set(milliseconds).size);
      }),
    );
  });

  test("given a place, knows a finding about its path, its template or its host, and no other", () => {
    const origin = "https://api.firm.test:8443";
    const found = (path: string | null, of: string | null = origin) => ({
      kind: "slow-when",
      attribute: null,
      time: 1,
      confidence: "likely",
      summary: "",
      basis: "",
      endpoint: path === null ? null : { method: "GET", origin, path },
      origin: path === null ? of : null,
    });
    assert.ok(isAt("GET /items/*", found("/items/7")));
    assert.ok(isAt("GET /t/acme/items", found("/t/{id}/items")));
    assert.ok(isAt("api", found(null)));
    assert.ok(isAt("api", found("/items")));
    assert.not(isAt("GET /items/*", found("/items")));
    assert.not(isAt("GET /items/*", found("/users/7")));
    assert.not(isAt("POST /items/*", found("/items/7")));
    assert.not(isAt("GET /items", found(null)));
    assert.not(isAt("files", found(null)));
  });
});
