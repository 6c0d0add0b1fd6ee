import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { markdownOf } from "../../../src/engine/budget/markdown.ts";
import type { Judged, Verdict } from "../../../src/engine/budget/verdict.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const CONTEXT = {
  version: "1",
  budget: null,
  accepted: null,
  baseline: "main/run.har",
  notes: ["An entry fits no finding."],
};

const found = (subject: string, more: Partial<Verdict>): Verdict => ({
  outcome: "broken",
  subject,
  what: "finding",
  place: null,
  limit: null,
  measured: null,
  time: 12,
  n: 9,
  detail: "It is slow.",
  evidence: [{ name: "bursts", value: "4" }],
  fingerprint: "0123456789abcdef",
  change: "new",
  acceptance: null,
  ...more,
});

const JUDGED: Judged = {
  source: "branch/run.har",
  verdicts: [
    found("retries", { outcome: "accepted", acceptance: { reason: "#12", until: null, expired: false, grew: null } }),
    found("polling", { outcome: "known", change: "known" }),
    found("n-plus-one", {}),
    { ...found("GET https://api.test/a", { detail: "p50 1 → 2 ms" }), what: "regression", change: "worse" },
    { ...found("GET https://api.test/b", {}), what: "p95", outcome: "kept", limit: 3, evidence: [] },
  ],
  unjudged: 0,
  gone: [{ kind: "errors", summary: "It failed.", fingerprint: "f" }],
  changed: [{ endpoint: "GET https://api.test/a", verdict: "slower", detail: "p50 1 → 2 ms, p95 2 → 4 ms" }],
};

describe("Markdown comment on a pull request", (test) => {
  test("given verdicts against a baseline, says what is new, worse, known, accepted and gone, with evidence", () => {
    const plain = markdownOf([JUDGED], CONTEXT).replaceAll("\\", "");
    assert.is(
      plain,
      `## Budget of branch/run.har

2 broken, 1 kept, 0 with too few requests to tell, 1 accepted, 1 known. Compared with main/run.har.

| verdict | limit or finding |
|---|---|
| new | n-plus-one: It is slow. [0123456789abcdef] |
| worse | GET https://api.test/a: slower, p50 1 → 2 ms (9 now) [0123456789abcdef] |
| known | polling: It is slow. [0123456789abcdef] |
| accepted | retries: It is slow. (accepted: #12) [0123456789abcdef] |
| gone | errors: It failed. [f] |

### Evidence

**n-plus-one: It is slow.**

- bursts: 4

**GET https://api.test/a: slower**

- bursts: 4

### Endpoints that changed

- slower: GET https://api.test/a: p50 1 → 2 ms, p95 2 → 4 ms

An entry fits no finding.
`,
    );
  });

  test("given any captured text, keeps the table's columns and lines, and the same bytes for the same input", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string(), (detail, value) => {
        const verdicts = [found("errors", { detail, evidence: [{ name: value, value }] })];
        const text = markdownOf([{ ...JUDGED, verdicts, gone: [], changed: [] }], CONTEXT);
        assert.is(text, markdownOf([{ ...JUDGED, verdicts, gone: [], changed: [] }], CONTEXT));
        const lines = text.split("\n");
        assert.is(lines.filter((line) => line.startsWith("|")).length, 3);
        const row = lines.find((line) => line.startsWith("| new ")) ?? "";
        assert.is(row.replaceAll(/\\./g, "").split("|").length, 4, row);
        assert.not.match(text, /(?<!\\)<|[^\P{C}\n]/u);
      }),
    );
  });

  test("given captured text, mentions nobody: a zero-width space follows each @", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\w @/-]{0,20}$/), (path) => {
        const detail = `GET https://a.test/@team/${path}`;
        const verdicts = [found("errors", { detail, evidence: [{ name: "url", value: detail }] })];
        const text = markdownOf([{ ...JUDGED, verdicts, gone: [], changed: [] }], CONTEXT);
        assert.not.match(text, /@(?!&#8203;)/);
      }),
    );
  });

  test("given many broken findings, explains the first three", () => {
    const verdicts = ["errors", "retries", "polling", "redirects"].map((kind) => found(kind, {}));
    const text = markdownOf([{ ...JUDGED, verdicts, gone: [], changed: [] }], CONTEXT);
    assert.is(text.match(/^\*\*/gm)?.length, 3);
  });
});
