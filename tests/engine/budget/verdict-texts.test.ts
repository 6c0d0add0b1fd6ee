import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Verdict } from "../../../src/engine/budget/verdict.ts";
import { VERDICT_FORMATS, verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";

const PLACE = ["endpoints", "*", "p95"];
const NO_FINDING = { evidence: [], fingerprint: null, acceptance: null, change: null, time: null } as const;
const COMMON = {
  subject: "GET https://api.test/orders",
  what: "p95",
  place: PLACE,
  limit: 300,
  detail: "",
  ...NO_FINDING,
} as const;
const BROKEN: Verdict = { ...COMMON, outcome: "broken", measured: 412.345, n: 40 };
const KEPT: Verdict = { ...COMMON, what: "errors", limit: 1, outcome: "kept", measured: 0, n: 40 };
const FEW: Verdict = { ...COMMON, what: "p99", outcome: "too-few", measured: null, n: 1, detail: "5 needed" };
const FOUND: Verdict = {
  ...COMMON,
  subject: "retries",
  what: "finding",
  limit: null,
  measured: null,
  outcome: "broken",
  n: 3,
  detail: "Thrice.",
};
const ALL = [{ source: "run.har", verdicts: [KEPT, FEW, BROKEN, FOUND], unjudged: 1, gone: [], changed: [] }];

const TEXT = '{ "endpoints": {\n  "*": {\n    "p95": 300 } } }';
const CONTEXT = {
  version: "1.2.3",
  notes: [],
  baseline: null,
  accepted: null,
  budget: { file: "weir.budget.json", text: TEXT },
};
const SLOWER: Verdict = {
  outcome: "broken",
  subject: "GET https://api.test/orders",
  what: "regression",
  place: null,
  limit: null,
  measured: null,
  n: 40,
  detail: "p50 120 ms → 180 ms, p95 300 ms → 412 ms, 38 requests before",
  ...NO_FINDING,
};

describe("verdict text", (test) => {
  test("given mixed verdicts, the terminal text lists broken limits first, then those with too few requests", () => {
    assert.is(
      verdictText(ALL, "text", CONTEXT),
      `run.har: 2 broken, 1 kept, 1 with too few requests to tell; 1 limit of a rarely requested endpoint not judged.
  broken    GET https://api.test/orders: p95 412 ms, at most 300 ms (40 requests)
  broken    retries: Thrice.
  too few   GET https://api.test/orders: p99, at most 300 ms, no verdict from 1 request (5 needed)
  kept      GET https://api.test/orders: errors 0 %, at most 1 % (40 requests)
`,
    );
  });

  test("given a limit that several endpoints keep, the terminal text has one line, with the endpoint closest to it", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 9 }), (figures) => {
        const verdicts = figures.map((measured): Verdict => {
          return { ...COMMON, subject: `GET https://api.test/${measured}`, outcome: "kept", measured, n: 40 };
        });
        const none: Verdict = { ...FOUND, place: ["findings", "no", 0], outcome: "kept", n: 0, detail: "" };
        const most = Math.max(...figures);
        const more = figures.length === 1 ? "" : `, the closest of ${figures.length}`;
        assert.is(
          verdictText(
            [{ source: "run.har", verdicts: [...verdicts, none], unjudged: 0, gone: [], changed: [] }],
            "text",
            CONTEXT,
          ),
          `run.har: 0 broken, ${figures.length + 1} kept, 0 with too few requests to tell.
  kept      GET https://api.test/${most}: p95 ${most} ms, at most 300 ms (40 requests)${more}
  kept      No retries
`,
        );
      }),
    );
  });

  test("given mixed verdicts, JUnit has failures and skips, GitHub errors and warnings, JSON the verdicts unchanged", () => {
    const junit = verdictText(ALL, "junit", CONTEXT);
    assert.match(junit, '<testsuite name="run.har" tests="4" failures="2" errors="0" skipped="1" time="0.412">');
    assert.is(junit.match(/<failure /g)?.length, 2);
    assert.is(junit.match(/<skipped /g)?.length, 1);
    const github = verdictText(ALL, "github", CONTEXT).trim().split("\n");
    assert.equal(
      github.map((line) => line.split(" ")[0]),
      ["::error", "::error", "::warning"],
    );
    assert.match(github[0] ?? "", /^::error file=weir\.budget\.json,line=3,title=Weir budget::/);
    assert.equal(JSON.parse(verdictText(ALL, "json", CONTEXT)), {
      schema: 1,
      sources: JSON.parse(JSON.stringify(ALL)),
      notes: [],
      baseline: null,
    });
    assert.match(
      verdictText(ALL, "md", CONTEXT),
      "| broken | GET https://api\\.test/orders: p95 412 ms, at most 300 ms",
    );
  });

  test("given regression verdicts, the text states the change or why there is no verdict", () => {
    const few: Verdict = { ...SLOWER, outcome: "too-few", n: 7, detail: "can't tell: n = 7, about 60 needed" };
    const text = verdictText(
      [{ source: "run.har", verdicts: [few, SLOWER], unjudged: 0, gone: [], changed: [] }],
      "text",
      CONTEXT,
    );
    assert.equal(text.trim().split("\n").slice(1), [
      "  broken    GET https://api.test/orders: slower, p50 120 ms → 180 ms, p95 300 ms → 412 ms, 38 requests before (40 now)",
      "  too few   GET https://api.test/orders: regression, no verdict from 7 requests (can't tell: n = 7, about 60 needed)",
    ]);
  });

  test("given limits and a regression, SARIF points to the limit's budget line and to the judged file", () => {
    const source = "out/run 1.har";
    const text = verdictText(
      [{ source, verdicts: [KEPT, FEW, BROKEN, SLOWER], unjudged: 0, gone: [], changed: [] }],
      "sarif",
      CONTEXT,
    );
    const { version, runs } = JSON.parse(text);
    const [{ tool, results }] = runs;
    assert.equal([version, runs.length, tool.driver.name, tool.driver.version], ["2.1.0", 1, "Weir", "1.2.3"]);
    assert.equal(
      tool.driver.rules.map(({ id }: { readonly id: string }) => id),
      ["p95", "regression", "p99"],
    );
    assert.equal(
      results.map(({ ruleId, level, locations: [{ physicalLocation }] }: SarifShape) => [
        ...[ruleId, level, physicalLocation.artifactLocation.uri, physicalLocation.region.startLine],
      ]),
      [
        ["p95", "error", "weir.budget.json", 3],
        ["regression", "error", "out/run%201.har", 1],
        ["p99", "warning", "weir.budget.json", 3],
      ],
    );
  });

  test("given accepted and expired findings, lists them with reason and fingerprint in each format", () => {
    const accepted: Verdict = {
      ...FOUND,
      outcome: "accepted",
      fingerprint: "0123456789abcdef",
      acceptance: { reason: "It is a <batch>.", until: "2026-12-31", expired: false, grew: null },
    };
    const over = { reason: "Later.", until: "2020-01-01", expired: true, grew: null };
    const expired: Verdict = { ...accepted, outcome: "broken", acceptance: over };
    const all = [{ source: "run.har", verdicts: [accepted, expired], unjudged: 0, gone: [], changed: [] }];
    const noted = { ...CONTEXT, notes: ["weir.accepted.json: an entry fits no finding."] };
    assert.is(
      verdictText(all, "text", noted),
      `run.har: 1 broken, 0 kept, 0 with too few requests to tell, 1 accepted.
  broken    retries: Thrice. (accepted until 2020-01-01, which is over: Later.) [0123456789abcdef]
  accepted  retries: Thrice. (accepted until 2026-12-31: It is a <batch>.) [0123456789abcdef]
weir.accepted.json: an entry fits no finding.
`,
    );
    for (const format of VERDICT_FORMATS) {
      const text = verdictText(all, format, noted);
      // SARIF has each fingerprint as a field, too, and JUnit in the case's name.
      const times = format === "sarif" || format === "junit" ? 4 : 2;
      assert.is(text.match(/0123456789abcdef/g)?.length, times, format);
      assert.match(text, /It is a (?:<|\\<|&lt;)batch/, format);
      assert.is(text, verdictText(all, format, noted), "same input, same bytes");
    }
    assert.match(verdictText(all, "junit", noted), 'tests="2" failures="1" errors="0" skipped="1"');
    const acceptedFile = { file: "weir.accepted.json", text: '{\n "accepted": [\n "0123456789abcdef" ] }' };
    assert.match(
      verdictText(all, "github", { ...noted, accepted: acceptedFile }),
      /^::error file=weir\.accepted\.json,line=3,title=Weir budget::.*\n::notice file=weir\.budget\.json,line=\d,title=.*\n::notice title=Weir budget::weir\.accepted\.json: an entry fits no finding\.\n$/,
    );
  });

  test("given known findings and gone ones, each format names them", () => {
    const known: Verdict = { ...FOUND, outcome: "known", change: "known", fingerprint: "0123456789abcdef" };
    const gone = [{ kind: "errors", summary: "It failed.", fingerprint: "fedcba9876543210" }] as const;
    const all = [{ source: "run.har", verdicts: [known], unjudged: 0, gone, changed: [] }];
    for (const format of VERDICT_FORMATS) {
      const text = verdictText(all, format, { ...CONTEXT, baseline: "main.har" });
      assert.match(text, "fedcba9876543210", format);
      assert.match(text, /known/, format);
    }
    assert.is(
      verdictText(all, "github", { ...CONTEXT, budget: null }),
      "::notice title=Weir budget::retries: Thrice. (known) [0123456789abcdef] [run.har]\n" +
        "::notice title=Weir budget::gone: errors: It failed. [fedcba9876543210] [run.har]\n",
    );
  });

  test("given hostile captured text, no output format lets it add lines, elements or results", () => {
    const hostile = fc.string({ unit: anyCharacter, maxLength: 30 });
    fc.assert(
      fc.property(hostile, hostile, fc.constantFrom(...VERDICT_FORMATS), (subject, detail, format) => {
        const verdicts: readonly Verdict[] = [
          { ...BROKEN, subject },
          { ...FOUND, detail },
        ];
        const text = verdictText([{ source: subject, verdicts, unjudged: 0, gone: [], changed: [] }], format, CONTEXT);
        if (format === "sarif") return assert.is(JSON.parse(text).runs[0].results.length, 2);
        if (format === "json") return assert.is(JSON.parse(text).sources[0].verdicts.length, 2);
        assert.not.match(text, /[^\P{C}\n]/u);
        const lines = text.split("\n").length;
        assert.is(
          lines,
          verdictText(
            [{ source: "s", verdicts: [BROKEN, FOUND], unjudged: 0, gone: [], changed: [] }],
            format,
            CONTEXT,
          ).split("\n").length,
        );
        if (format === "junit") {
          assert.is(text.match(/<testcase /g)?.length, 2);
          assert.not.match(text.replaceAll(/&(amp|lt|gt|quot);/g, ""), /&/);
        }
      }),
    );
  });
});

interface SarifShape {
  readonly ruleId: string;
  readonly level: string;
  readonly locations: readonly [
    { readonly physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } },
  ];
}
