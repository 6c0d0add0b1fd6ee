import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { budgetOf, LIMITS, limitsNothing, NO_LIMITS } from "../../../src/engine/budget/budget.ts";
import { FINDING_KINDS } from "../../../src/engine/model/finding.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const SCHEMA = fileURLToPath(new URL("../../../docs/schema/weir.budget.schema.json", import.meta.url));

const amounts = fc.record(
  Object.fromEntries(LIMITS.map((what) => [what, fc.double({ min: 0, max: 100, noNaN: true })])),
  { requiredKeys: [] },
);

describe("budget file", (test) => {
  test("given a valid budget as JSON, reads back the same limits, and {} as no limits", () => {
    const budgets = fc.record({
      endpoints: fc.dictionary(
        fc.string().filter((name) => !["__proto__", "constructor", "prototype"].includes(name)),
        amounts,
      ),
      findings: fc.record({ no: fc.subarray([...FINDING_KINDS]), errors: fc.record({ time: fc.nat() }) }),
      load: fc.record({ p95: fc.nat(), requests: fc.nat(), bytes: fc.nat(), n: fc.integer({ min: 5, max: 9 }) }),
      requests: fc.record({ min: fc.integer({ min: 1, max: 99 }) }),
    });
    fc.assert(
      fc.property(budgets, (budget) => {
        assert.equal(unwrap(budgetOf(JSON.stringify(budget))), JSON.parse(JSON.stringify(budget)));
      }),
    );
    assert.equal(unwrap(budgetOf("{}")), NO_LIMITS);
  });

  test("given a size with a unit, reads bytes; 1 KB is 1024", () => {
    const read = (size: unknown) =>
      unwrap(budgetOf(JSON.stringify({ endpoints: { "*": { size } } }))).endpoints["*"]?.size;
    const sizes = ["1 MB", "1.5MB", "10 KB", "7 bytes", "7B", "2 gb", 12].map(read);
    assert.equal(sizes, [1_048_576, 1_572_864, 10_240, 7, 7, 2_147_483_648, 12]);
    for (const wrong of ["1 MiB", "fast", "-1 MB", "1 000", "", "1e3 KB", null, true])
      assert.match(
        problemOf(budgetOf(JSON.stringify({ load: { bytes: wrong } }))),
        /^Line 1: load › bytes must be a number of bytes or a text such as "1\.5 MB", but is .*\.$/,
      );
  });

  test("given limits in any of its parts, limits something; given none, nothing", () => {
    const limits = (value: object) => !limitsNothing(unwrap(budgetOf(JSON.stringify(value))));
    for (const value of [
      { endpoints: { "*": { p95: 1 } } },
      { endpoints: { "*": { findings: { no: ["errors"] } } } },
      { findings: { no: ["errors"] } },
      { findings: { "n-plus-one": { time: 500 } } },
      { load: { bytes: "1 MB" } },
    ])
      assert.ok(limits(value), JSON.stringify(value));
    for (const value of [
      {},
      { endpoints: { "*": { n: 5 } } },
      { load: { n: 5 } },
      { requests: { min: 3 } },
      { findings: {} },
    ])
      assert.not(limits(value), JSON.stringify(value));
  });

  test("given an invalid budget, names the line, the path and the mistake", () => {
    const said = [
      "[]",
      '{"endpoints":\n[{}]}',
      '{"endpoints":{"/a":{},\n"__proto__":{"p95":3}}}',
      "null",
      '{"endpoint":{}}',
      '{\n"endpoints":{\n"/a":{"p95":3,\n"p59":3}}}',
      '{"endpoints":{"/a":{"p95":"fast"}}}',
      '{"endpoints":{"/a":{"p95":-1}}}',
      '{"endpoints":{"/a":{"errors":101}}}',
      '{"endpoints":{"/a":{"n":4}}}',
      '{"findings":{"no":"x"}}',
      '{"findings":{"n+1":{"time":3}}}',
      '{"findings":{"n-plus-one":{"time":-3}}}',
      '{"findings":{"n-plus-one":500}}',
      '{"requests":{"min":0}}',
      '{"load":{"p50":3}}',
      '{"endpoints":{\n"/a":{"p95":3},\n"/a":{"p95":4}}}',
      '{"findings":{"n-plus-one":{}}}',
    ].map((text) => problemOf(budgetOf(text)));
    assert.equal(said, [
      "Line 1: the budget must be an object, but is a list.",
      "Line 2: endpoints must be an object, but is a list.",
      "Line 2: endpoints › __proto__ is not a pattern.",
      "Line 1: the budget must be an object, but is null.",
      "Line 1: endpoint is not a known name; known are $schema, endpoints, findings, load, requests.",
      "Line 4: endpoints › /a › p59 is not a known name; known are p50, p95, p99, size, errors, count, n, findings.",
      'Line 1: endpoints › /a › p95 must be a number, but is "fast".',
      "Line 1: endpoints › /a › p95 must be 0 or more, but is -1.",
      "Line 1: endpoints › /a › errors must be at most 100 (percent), but is 101.",
      "Line 1: endpoints › /a › n must be 5 or more, but is 4.",
      'Line 1: findings › no must be a list, but is "x".',
      `Line 1: findings › n+1 is not a known name; known are no, ${FINDING_KINDS.join(", ")}.`,
      "Line 1: findings › n-plus-one › time must be 0 or more, but is -3.",
      "Line 1: findings › n-plus-one must be an object, but is 500.",
      "Line 1: requests › min must be 1 or more, but is 0.",
      "Line 1: load › p50 is not a known name; known are p95, requests, bytes, n.",
      "Line 3: endpoints › /a occurs twice, first on line 2.",
      "Line 1: findings › n-plus-one › time is missing.",
    ]);
    assert.match(
      problemOf(budgetOf('{"findings":{"no":["polling","n+1"]}}')),
      /^Line 1: findings › no › \[1\] must be one of .*n-plus-one.*, but is "n\+1"\.$/,
    );
    assert.match(problemOf(budgetOf("{")), /^The file is not JSON: /);
  });

  test("given any text, returns either a budget or a problem that is a sentence", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const read = budgetOf(text);
        assert.ok(read.ok ? read.value.findings.no.length === 0 : read.problem.endsWith("."));
      }),
    );
  });

  test("given the published JSON schema, its names, finding kinds and bounds are those that Weir accepts", () => {
    const { properties } = JSON.parse(readFileSync(SCHEMA, "utf8"));
    const limited = properties.endpoints.additionalProperties.properties;
    assert.equal(Object.keys(limited), [...LIMITS, "n", "findings"]);
    assert.equal(properties.findings.properties.no.items.enum, FINDING_KINDS);
    for (const [name, { minimum = 0, maximum = Number.POSITIVE_INFINITY }] of Object.entries<{
      minimum?: number;
      maximum?: number;
    }>(limited)) {
      if (name === "findings") continue;
      const reads = (value: number) => budgetOf(JSON.stringify({ endpoints: { "*": { [name]: value } } })).ok;
      assert.equal([reads(minimum), reads(minimum - 1)], [true, false], name);
      if (Number.isFinite(maximum)) assert.equal([reads(maximum), reads(maximum + 1)], [true, false], name);
    }
  });
});
