import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type ComparedEndpoint,
  type ComparisonReport,
  comparisonMarkdown,
  comparisonText,
  summaryOf,
} from "../../../src/engine/interchange/comparison-report.ts";
import { describe } from "../../support/describe.ts";
import { findingOf } from "../../support/found.ts";

const figures = (p50: number, p95: number) => ({ requests: 60, p50, p95, p99: null, avgSize: null, errorRate: 0 });

const SLOWER: ComparedEndpoint = {
  method: "GET",
  origin: "https://api.test",
  path: "/x_*y",
  operation: null,
  verdict: "slower",
  note: null,
  shown: 1.2,
  before: figures(120, 300),
  now: figures(180, 420),
  samples: { before: 60, now: 58 },
  uncertain: { before: 0, now: 0 },
};

const SIDE = { label: "", requests: 60, errors: 6, bytes: 2_048, p50: 120, p95: 300, waiting: 7_200, slowed: false };

const NOTHING = { added: [], gone: [], worse: [], better: [], same: [] };

const REPORT: ComparisonReport = {
  schema: 1,
  summary: "Slower: \u001b[31mit is.",
  overall: null,
  findings: NOTHING,
  before: { ...SIDE, source: "a/run.har" },
  now: { ...SIDE, source: "b/run.har", label: "after *that*" },
  counts: { slower: 1, faster: 0, same: 0, "same-median": 0, unknown: 0, absent: 0 },
  endpoints: [SLOWER],
  rare: [],
  loads: [],
};

const textOf = (report: ComparisonReport) => [...comparisonText(report)].join("").replaceAll(/\s+/g, " ");

const markdownOf = (report: ComparisonReport) => [...comparisonMarkdown(report)].join("");

describe("text report of a comparison", (test) => {
  test("given two files of one name, distinguishes them by path; totals and endpoints have their figures and n", () => {
    const text = textOf(REPORT);
    assert.match(text, "a/run.har → b/run.har (after *that*) Slower: \\u{1b}[31mit is. 1 slower, 0 faster, 0 same");
    assert.match(text, "errors: 6 (10 %) → 6 (10 %) waiting of all requests, overlaps once: 7.2 s → 7.2 s");
    assert.match(text, "slower: GET https://api.test/x_*y, p50 120 ms → 180 ms, p95 300 ms → 420 ms (n = 60, 58)");
    const markdown = markdownOf(REPORT);
    assert.match(markdown, "# Comparison: a/run.har → b/run.har (after \\*that\\*)\n");
    assert.match(
      markdown,
      "| slower | GET https://api.test/x\\_\\*y | p50 120 ms → 180 ms, p95 300 ms → 420 ms (n = 60, 58) |\n",
    );
  });

  test("given an endpoint of one side only, shows its figures there; given too few requests, says how many are needed", () => {
    const few = { ...SLOWER, verdict: "unknown", note: "can't tell: n = 7, about 60 needed" } as const;
    const added = { ...SLOWER, verdict: "absent", before: null, samples: { before: 0, now: 58 } } as const;
    const gone = { ...added, before: figures(1, 2), now: null, samples: { before: 60, now: 0 } };
    const text = textOf({ ...REPORT, endpoints: [few, added, gone] });
    assert.match(text, "can't tell: GET https://api.test/x_*y, p50 120 ms → 180 ms");
    assert.match(text, "(n = 60, 58; about 60 needed)");
    assert.match(text, "up to 4 requests before: GET https://api.test/x_*y, p50 180 ms, p95 420 ms (n = 58)");
    assert.match(text, "up to 4 requests now: GET https://api.test/x_*y, p50 1 ms, p95 2 ms (n = 60)");
  });

  test("given endpoints with too few requests on both sides, says how many and which in one line", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), (count) => {
        const rare = Array.from({ length: count }, (_, index) => {
          return { endpoint: `GET https://api.test/${index}`, before: index % 5, now: 4 };
        });
        const text = textOf({ ...REPORT, rare });
        const noun = count === 1 ? "endpoint" : "endpoints";
        assert.match(text, `${count} ${noun} with fewer than 5 requests: GET https://api.test/0 (0 → 4)`);
        assert.is(text.match(/ → 4\)/g)?.length, Math.min(count, 30));
        assert.is(text.includes(`, ${count - 30} more`), count > 30);
      }),
    );
    assert.not.match(textOf(REPORT), "fewer than");
  });

  test("given latencies that are too uncertain, says of each endpoint how many are left out", () => {
    const [lone, both] = [
      { ...SLOWER, verdict: "absent", before: null, samples: { before: 0, now: 2 }, uncertain: { before: 0, now: 3 } },
      { ...SLOWER, uncertain: { before: 1, now: 0 }, note: "by p50: 120 → 180 ms" },
    ] as const;
    const text = textOf({ ...REPORT, endpoints: [lone, both] });
    assert.match(text, "(n = 2; 3 now left out: uncertain times)");
    assert.match(text, "(n = 60, 58; 1 before left out: uncertain times; by p50: 120 → 180 ms)");
  });

  test("given changes of findings, lists each with its cost before and now", () => {
    const [before, now] = [findingOf("errors", [1]), { ...findingOf("errors", [1, 2]), time: 900 }];
    const findings = { ...NOTHING, added: [findingOf("retries", [3])], worse: [{ before, now }], gone: [before] };
    const text = textOf({ ...REPORT, findings });
    assert.match(text, "New findings: 1 100 ms lost: Retries, GET https://api.test/retries (certain). One.");
    assert.match(text, "became worse: 1 900 ms lost: Errors, GET https://api.test/errors (certain); before: 100 ms.");
    assert.match(text, "Findings that are gone: 1 100 ms lost: Errors");
    assert.match(markdownOf({ ...REPORT, findings }), "\n## New findings: 1\n\n- 100 ms lost: Retries");
  });

  test("given pages that both loaded, tells the verdict and the durations of each", () => {
    const sides = { before: { loads: 12, p50: 120 }, now: { loads: 7, p50: 240 } };
    const loads = [
      { page: "GET https://api.test/shop", verdict: "slower", note: null, ...sides },
      { page: "GET https://api.test/_x", verdict: "unknown", note: "can't tell: n = 7, about 60 needed", ...sides },
    ] as const;
    const text = textOf({ ...REPORT, loads });
    assert.match(text, "Page loads: 2 slower: GET https://api.test/shop, p50 120 ms → 240 ms (n = 12, 7)");
    assert.match(text, "can't tell: GET https://api.test/_x, p50 120 ms → 240 ms (n = 12, 7; about 60 needed)");
    assert.match(markdownOf({ ...REPORT, loads }), "\n## Page loads: 2\n\n- slower: GET https://api.test/shop, p50");
  });

  test("given a slowed side, says so; given more than fit, says where all are", () => {
    const slowed = { ...REPORT, now: { ...REPORT.now, slowed: true } };
    assert.match(textOf(slowed), "Slowed on purpose, so its latencies are not the program's: b/run.har.");
    const many = { ...REPORT, endpoints: new Array<ComparedEndpoint>(32).fill(SLOWER) };
    for (const text of [textOf(many), markdownOf(many)])
      assert.match(text, "2 more endpoints: the comparison in JSON lists all.");
  });

  test("given no endpoint in both, says that there is nothing to compare", () => {
    const endpoints = [{ ...SLOWER, before: null }];
    assert.match(summaryOf({ overall: null, endpoints }), /^No endpoint has at least five requests in both/);
    assert.match(summaryOf({ overall: null, endpoints: [SLOWER] }), /^No endpoint has latencies in both/);
  });
});
