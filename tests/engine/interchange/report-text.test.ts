import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { VERDICT_FORMATS, verdictText } from "../../../src/engine/budget/verdict-texts.ts";
import { reportHtml } from "../../../src/engine/interchange/report-html.ts";
import { reportMarkdown, reportText } from "../../../src/engine/interchange/report-text.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import { visibleJson } from "../../../src/engine/interchange/table.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { NO_WAITING } from "../../../src/engine/model/where.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const NOTHING: SourceReport = {
  schema: 1,
  source: "a.har",
  exchanges: 1_234,
  endpoints: 7,
  clients: 1,
  duration: 358_000,
  waiting: 41_250,
  where: NO_WAITING,
  findings: [],
  uncounted: 0,
  leftOut: [],
  leftOutCount: 0,
};

const FOUND: SourceReport = {
  ...NOTHING,
  leftOut: [{ entry: 3, reason: "it is not an object: null" }],
  leftOutCount: 2,
  findings: [
    {
      kind: "slow-server",
      endpoint: { method: "GET", origin: "https://a.test", path: "/x_*y", operation: "Op" },
      origin: null,
      client: null,
      attribute: null,
      count: 20,
      time: 840,
      bytes: null,
      confidence: "likely",
      exchanges: Array.from({ length: 14 }, (_, index) => (index + 1) as ExchangeId),
      summary: `The server takes long.\u001b[31m ${"word ".repeat(40)}`,
      advice: "Look at it.",
      evidence: [{ name: "median", value: "840 ms" }],
      basis: "Measured.",
    },
  ],
};

const PAGE = { version: "1", madeAt: "", redact: true };

const textOf = (report: SourceReport) => [...reportText(report)].join("");

describe("text report", (test) => {
  test("given nothing, says what was looked at and what was checked", () => {
    const text = textOf(NOTHING);
    assert.match(
      text,
      "a.har: 1,234 requests to 7 endpoints by 1 client in 5 min 58 s; 41.3 s spent waiting for responses.\n",
    );
    assert.match(text, /Nothing stands out\. Checked 1,234 requests for: .*Slow server/);
  });

  test("given what requests save in page loads, says so in text, Markdown and HTML", () => {
    const both = (time: number) => ({ byLinks: 0, atMost: time });
    const loadGain = { unit: "load", units: 14, onPath: 12, perhaps: 1, duration: 16_400 } as const;
    const gain = { ...loadGain, median: both(190), sum: both(2_100) };
    const changes = [{ endpoint: "GET /x_*y", to: 50, requests: 14 }];
    const report: SourceReport = {
      ...FOUND,
      findings: FOUND.findings.map((finding) => ({ ...finding, loadGain: gain, onPath: 12 / 14 })),
      whatIf: { changes, loads: gain, walks: null },
    };
    const text = textOf(report).replaceAll(/\s+/g, " ");
    const scope = "On the path in 12 of 14 loads, perhaps in 1 more";
    const together = "14 page loads together would end at most 2.1 s sooner (of 16.4 s), a median of at most 190 ms";
    for (const said of [`${scope}: at most 2.1 s of 16.4 s, if these requests took no time.`, `${scope}.`, together])
      for (const form of [
        text,
        [...reportMarkdown(report)].join(""),
        [...reportHtml([{ report, endpoints: [], named: null }], PAGE)].join(""),
      ])
        assert.ok(form.includes(said), `${said} in ${form}`);
    assert.match(text, "What if GET /x_*y took 50 ms 14 page loads");
    assert.not.match(textOf(FOUND), /path|What if/);
  });

  test("given uncounted requests, states their number; given none, says nothing", () => {
    assert.match(
      textOf({ ...NOTHING, uncounted: 3 }),
      "\n3 more requests not counted: probes, tunnels, and requests that are unfinished, malformed, resent, mocked or from a browser's cache",
    );
    assert.not.match(textOf(NOTHING), "not counted");
  });

  test("given a finding, tells place, cost, advice, evidence and its first requests, in lines that fit", () => {
    const text = textOf(FOUND);
    assert.match(text, "1. 840 ms lost: Slow server, GET https://a.test/x_*y · Op (likely)\n");
    assert.match(text, "2 entries left out. Entry 3: it is not an object: null\n");
    assert.match(text, "What to do: Look at it.\n");
    assert.match(text, "     median: 840 ms\n");
    assert.match(text, /Requests 1, 2, .*12 and 2 more\n/);
    assert.ok(text.split("\n").every((line) => line.length <= 101));
  });

  test("given more than ten findings, lists ten and says how many more there are", () => {
    fc.assert(
      fc.property(fc.integer({ min: 11, max: 40 }), (count) => {
        const [one] = FOUND.findings;
        if (one === undefined) throw new Error("no finding");
        const many = { ...FOUND, findings: Array.from({ length: count }, () => one) };
        const more = `${count - 10} more finding${count === 11 ? "" : "s"}`;
        for (const text of [textOf(many), [...reportMarkdown(many)].join("")]) {
          assert.match(text, "10. 840 ms lost");
          assert.not.match(text, "11. 840 ms lost");
          assert.match(text, more);
        }
        const page = [
          ...reportHtml([{ report: many, endpoints: [], named: null }], { version: "0", madeAt: "now", redact: false }),
        ].join("");
        assert.match(page, `<summary>${more}</summary>`);
        assert.is(page.split("<li").length, page.split("</li>").length);
      }),
      { numRuns: rounds(5) },
    );
  });

  test("given an upper bound and a client, says so and names the client", () => {
    const [finding] = FOUND.findings;
    if (finding === undefined) throw new Error("no finding");
    const client =
      "unknown Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
    const scope = { endpoint: null, origin: "https://a.test", client } as const;
    const text = textOf({
      ...FOUND,
      findings: [{ ...finding, ...scope, kind: "n-plus-one", basis: "Up to: all of it." }],
    });
    assert.match(text, "1. up to 840 ms lost: N+1 requests, https://a.test, Chrome 126 (likely)\n");
  });

  test("given hostile captured text, removes terminal control characters and escapes Markdown", () => {
    assert.not.match(textOf(FOUND), "\u001b");
    const markdown = [...reportMarkdown(FOUND)].join("");
    assert.not.match(markdown, "\u001b");
    assert.match(markdown, "## 1. 840 ms lost: Slow server, GET https://a.test/x\\_\\*y · Op (likely)\n");
  });

  test("given captured text, its Markdown mentions nobody: a zero-width space follows each @", () => {
    const [finding] = FOUND.findings;
    if (finding === undefined) return assert.unreachable();
    fc.assert(
      fc.property(fc.stringMatching(/^[\w @/-]{0,20}$/), (path) => {
        const summary = `GET https://a.test/@team/${path}`;
        const markdown = [...reportMarkdown({ ...FOUND, findings: [{ ...finding, summary }] })].join("");
        assert.match(markdown, "https://a.test/@&#8203;team/");
        assert.not.match(markdown, /@(?!&#8203;)/);
      }),
    );
  });

  test("given any captured text, prints no character that is invisible or moves text, and no command to a CI system", () => {
    const captured = fc.string({
      unit: fc.constantFrom(
        ...["\n", "\r", "\u0085", "\u2028", "\u2029", "\u202e", "\u2066", "\u200b", "\u00ad", "\ufeff", "\u001b[31m"],
        ...[
          "\t",
          " ",
          "::error::",
          "::error title=a::",
          "##[error]",
          "##vso[task.x]",
          "##teamcity[a]",
          "a",
          "word ",
          "\ud800",
        ],
      ),
      maxLength: 30,
    });
    const [finding] = FOUND.findings;
    if (finding === undefined) throw new Error("no finding");
    fc.assert(
      fc.property(captured, (text) => {
        const hostile = {
          ...finding,
          summary: text,
          advice: text,
          basis: text,
          evidence: [{ name: text, value: text }],
          endpoint: { method: "GET", origin: text, path: text, operation: text },
          attribute: { name: text, value: text },
        };
        const report = { ...FOUND, source: text, leftOut: [{ entry: 1, reason: text }], findings: [hostile] };
        const judged = {
          source: text,
          unjudged: 0,
          gone: [],
          changed: [],
          verdicts: (["finding", "regression", "p95"] as const).map((what) => ({
            outcome: "broken" as const,
            subject: text,
            what,
            place: null,
            limit: 1,
            measured: 2,
            time: 2,
            n: 5,
            detail: text,
            fingerprint: null,
            evidence: [{ name: text, value: text }],
            acceptance: { reason: text, until: null, expired: false, grew: { from: text, to: text } },
            change: null,
          })),
        };
        const page = { version: "1", madeAt: "", redact: false };
        const outputs = [
          textOf(report),
          [...reportMarkdown(report)].join(""),
          [...reportHtml([{ report, endpoints: [], named: null }], page)].join(""),
          ...VERDICT_FORMATS.map((format) =>
            verdictText([judged], format, { version: "1", budget: null, notes: [], baseline: null, accepted: null }),
          ),
          visibleJson(JSON.stringify(report, null, 2)),
        ];
        for (const output of outputs) {
          assert.not.match(output, /(?!\n)[\p{C}\p{Zl}\p{Zp}]/u);
          assert.not.match(output, /##[a-z]*\[/i);
          for (const line of output.split("\n"))
            assert.not.match(line, /^\s*::(?!(?:error|warning) (?:file=[^:,]*,line=\d+,)?title=Weir budget::)/);
        }
      }),
    );
  });
});
