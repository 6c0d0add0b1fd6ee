import * as assert from "uvu/assert";
import { budgetLineOf, sentenceOf, sorted } from "../../../src/engine/budget/sentences.ts";
import type { Verdict } from "../../../src/engine/budget/verdict.ts";
import { describe } from "../../support/describe.ts";

const BROKEN: Verdict = {
  outcome: "broken",
  subject: "GET https://api.test/",
  what: "p95",
  place: ["endpoints", "*", "p95"],
  limit: 300,
  measured: 412,
  time: null,
  n: 40,
  detail: "",
  evidence: [],
  fingerprint: null,
  change: null,
  acceptance: null,
};

describe("verdict sentences", (test) => {
  test("given a verdict of each form, says what happened", () => {
    const said = (more: Partial<Verdict>) => sentenceOf({ ...BROKEN, ...more });
    const found = { what: "finding", subject: "n-plus-one", detail: "One per item.", fingerprint: "f" } as const;
    assert.equal(
      [
        said({}),
        said({ change: "new" }),
        said({ what: "load bytes", n: 1, limit: 1_024, measured: 2_048 }),
        said({ what: "load requests", n: 6, limit: 15, measured: 16 }),
        said({ what: "load p95", n: 6 }),
        said({ what: "requests", outcome: "too-few", subject: "*", limit: 10, n: 1, detail: "in the baseline" }),
        said({ measured: 5_793.44, limit: 500 }),
        said({ measured: 300.4 }),
        said({ what: "size", limit: 1_048_576, measured: 2_500_000.5 }),
        said({ what: "size", limit: 1_048_576, measured: 1_048_577 }),
        said({ what: "errors", limit: 2, measured: 12.345 }),
        said({ ...found, limit: 500, measured: 620.5 }),
        said({ ...found, outcome: "kept", n: 0, detail: "at /a", limit: null, measured: null }),
        said({ ...found, outcome: "known", limit: null, measured: null, change: "known" }),
      ],
      [
        "GET https://api.test/: p95 412 ms, at most 300 ms (40 requests)",
        "GET https://api.test/: p95 412 ms, at most 300 ms (40 requests) (new)",
        "GET https://api.test/: load bytes 2 KB, at most 1 KB (1 load)",
        "GET https://api.test/: load requests 16, at most 15 (the largest of 6 loads)",
        "GET https://api.test/: load p95 412 ms, at most 300 ms (6 loads)",
        "Only 1 request in the baseline, at least 10 needed; did the run bypass the proxy?",
        "GET https://api.test/: p95 5,793 ms, at most 500 ms (40 requests)",
        "GET https://api.test/: p95 300.4 ms, at most 300 ms (40 requests)",
        "GET https://api.test/: size 2.4 MB, at most 1 MB (40 requests)",
        "GET https://api.test/: size 1048577 bytes, at most 1048576 bytes (40 requests)",
        "GET https://api.test/: errors 12 %, at most 2 % (40 requests)",
        "n-plus-one: One per item. (621 ms, at most 500 ms) [f]",
        "No n-plus-one at /a",
        "n-plus-one: One per item. (known) [f]",
      ],
    );
    assert.equal(
      sorted([{ ...BROKEN, outcome: "kept" }, { ...BROKEN, outcome: "known" }, BROKEN]).map(({ outcome }) => outcome),
      ["broken", "known", "kept"],
    );
  });

  test("given the word before it, does not say it twice", () => {
    const worse: Verdict = { ...BROKEN, change: "worse" };
    assert.match(sentenceOf(worse, "broken"), / \(worse\)$/);
    assert.not.match(sentenceOf(worse, "worse"), "worse");
  });

  test("given an expired acceptance, the place is its entry; else the limit in the budget, or none", () => {
    const budget = { file: "b.json", text: '{"endpoints":{"*":{\n"p95":300}}}' };
    const accepted = { file: "a.json", text: '[\n\n"f"]' };
    assert.equal(budgetLineOf(BROKEN, { budget, accepted }), { file: "b.json", line: 2 });
    assert.is(budgetLineOf({ ...BROKEN, place: null }, { budget, accepted }), null);
    const expired = {
      ...BROKEN,
      fingerprint: "f",
      acceptance: { reason: "r", until: "2020-01-01", expired: true, grew: null },
    };
    assert.equal(budgetLineOf(expired, { budget, accepted }), { file: "a.json", line: 3 });
  });
});
