import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { filterOf } from "../../../src/engine/session/filter/filter.ts";
import { keyedTerm, namedTerm, withTerm } from "../../../src/ui/views/filter-term.ts";
import { describe } from "../../support/describe.ts";

const values = fc.oneof(fc.string(), fc.constantFrom("8080", "//a", "-x", "a,b", "a b", "GET", "GET https://a.test/1"));

describe("filter terms of a menu", (test) => {
  test("given any value, a term says it whole, or there is no term", () => {
    fc.assert(
      fc.property(values, fc.constantFrom("host", "path", "type", "client"), (value, key) => {
        const term = keyedTerm(key, value);
        assert.is(term === null, value === "" || value.includes('"'));
        if (term === null) return;
        const filter = filterOf(term);
        assert.equal(filter, { ok: true, value: [{ kind: "text", field: key, text: value }] });
      }),
    );
  });

  test("given a header or parameter, the term names it and its value, or any value", () => {
    assert.is(namedTerm("req", "Accept", "a/b"), "req.accept:a/b");
    assert.is(namedTerm("resp", "X-Cache", ""), "resp.x-cache:");
    assert.is(namedTerm("q", "Page", "3"), "q.Page:3");
    assert.is(namedTerm("q", "a b", "3"), null);
    fc.assert(
      fc.property(values, (value) => {
        const term = namedTerm("q", "page", value);
        if (term === null) return;
        const parsed = filterOf(term);
        assert.equal(parsed.ok && parsed.value, [{ kind: "query", name: "page", value: value === "" ? null : value }]);
      }),
    );
  });

  test("given a filter, a term is added once, and takes the place of its opposite", () => {
    assert.is(withTerm("", "method:GET"), "method:GET");
    assert.is(withTerm("slow: cart", "-method:GET"), "slow: cart -method:GET");
    assert.is(
      withTerm('method:GET endpoint:"GET https://a.test/1"', "-method:GET"),
      'endpoint:"GET https://a.test/1" -method:GET',
    );
    assert.is(withTerm("-method:GET", "method:GET"), "method:GET");
    assert.is(withTerm("a method:GET b", "method:GET"), "a b method:GET");
  });

  test("given a filter with alternatives or groups, the term must hold beside them", () => {
    assert.is(withTerm("a OR b", "method:GET"), "(a OR b) method:GET");
    assert.is(withTerm("(a OR b) method:GET", "-method:GET"), "(a OR b) -method:GET");
    assert.is(withTerm("a AND method:GET AND b", "method:GET"), "a b method:GET");
    const atoms = fc.constantFrom("a", "host:b", '"c d"', "-e", "method:GET");
    const { filter: written } = fc.letrec<{ filter: string }>((tie) => ({
      filter: fc.oneof(
        { maxDepth: 3 },
        atoms,
        fc.tuple(tie("filter"), fc.constantFrom(" ", " AND ", " OR "), tie("filter")).map((parts) => parts.join("")),
        tie("filter").map((inner) => `-(${inner})`),
      ),
    }));
    fc.assert(
      fc.property(written, (filter) => {
        const [before, after] = [filterOf(`(${filter})`), filterOf(withTerm(filter, "size>1"))];
        assert.equal(after.ok && after.value.at(-1), { kind: "size", comparison: ">", limit: 1 });
        assert.equal(after.ok && after.value.slice(0, -1), before.ok && before.value);
      }),
    );
  });
});
