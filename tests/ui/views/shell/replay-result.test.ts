import * as assert from "uvu/assert";
import type { ReplayDoubt, ReplayResult, ReplayVerdict } from "../../../../src/engine/messages/replay-messages.ts";
import { replayTextsOf } from "../../../../src/ui/views/shell/replay-result.ts";
import { describe } from "../../../support/describe.ts";

const FIGURES = { count: 20, p50: 50, p95: 1_234, least: 4.21, most: 2_000 };

const RESULT: ReplayResult = {
  times: 1_000,
  atOnce: 1,
  ended: 250,
  otherwise: 0,
  latency: 900,
  slowFrom: 600,
  recorded: FIGURES,
  replays: { ...FIGURES, count: 1_000 },
  distributions: { from: 10, to: 1_000, left: [1, 0.5], right: [0, 1] },
  verdict: null,
};

const told = (verdict: ReplayVerdict, part: Partial<ReplayResult> = {}): string => {
  const { title, reason } = replayTextsOf({ ...RESULT, ...part, verdict });
  return `${title}: ${reason}`;
};

describe("result texts of repeats", (test) => {
  test("given a run, it shows progress, both sides, and where the recorded request is", () => {
    const texts = replayTextsOf(RESULT);
    assert.equal([texts.progress, texts.progressText, texts.title, texts.reason], [0.25, "250 of 1,000", "", ""]);
    assert.equal(texts.rows, [
      { name: "Recorded", kind: "is-before", count: "20", figures: ["50", "1,234", "4.2", "2,000"] },
      { name: "Repeats", kind: "is-after", count: "1,000", figures: ["50", "1,234", "4.2", "2,000"] },
    ]);
    assert.is(texts.shape?.text, "Latencies from 10 ms to 1,000 ms and more: recorded above the axis, repeats below");
    assert.is(texts.shape?.mark, "M125.1 0V12");
    assert.equal(texts.notes, ["The line marks the recorded request, 900 ms. Repeats count as slow from 600 ms."]);
    const closed = replayTextsOf({
      ...RESULT,
      recorded: { ...FIGURES, most: 900 },
      replays: { ...FIGURES, most: 1_000 },
    });
    assert.is(closed.shape?.to, "1,000 ms");
    const beyond = replayTextsOf({ ...RESULT, latency: 5_000 });
    assert.is(beyond.shape?.mark, "M127.5 0V12");
  });

  test("given no latencies of a side, it shows the other, and no drawing", () => {
    const texts = replayTextsOf({ ...RESULT, recorded: null, latency: null, distributions: null, otherwise: 3 });
    assert.equal([texts.rows.map(({ name }) => name), texts.shape], [["Repeats"], null]);
    assert.equal(texts.notes, ["3 repeats failed or got another status; the figures leave them out."]);
  });

  test("given a verdict, it says it in two short sentences at most", () => {
    const verdicts: readonly (readonly [ReplayVerdict, string, Partial<ReplayResult>?])[] = [
      [
        { kind: "always", slow: 20, count: 20 },
        "Always slow: All 20 repeats took nearly as long as the recorded request.",
      ],
      [
        { kind: "always", slow: 19, count: 20 },
        "Always slow: 19 of 20 repeats took nearly as long as the recorded request.",
      ],
      [
        { kind: "at-first", first: 1, slow: 1, count: 20 },
        "Slow only at first: The first repeat was slow, all later repeats were fast.",
      ],
      [
        { kind: "at-first", first: 3, slow: 4, count: 100 },
        "Slow only at first: The first 3 repeats were slow, nearly all later repeats were fast.",
      ],
      [
        { kind: "beside-others", basis: "repeats" },
        "Slow only with others in flight: Repeats one after another were fast; repeats in parallel were slow.",
      ],
      [
        { kind: "beside-others", basis: "recorded" },
        "Slow only with others in flight: The endpoint’s recorded requests were slow while other requests to this server were in flight. Without others in flight, recorded requests and repeats were fast.",
      ],
      [{ kind: "not-now", slow: 0, count: 20, beside: 0 }, "Not slow now: All 20 repeats were fast."],
      [
        { kind: "not-now", slow: 1, count: 20, beside: 3 },
        "Not slow now: 19 of 20 repeats were fast. The recorded request began while 3 other requests to this server were in flight: also repeat it with 4 in parallel.",
      ],
      [{ kind: "not-now", slow: 0, count: 20, beside: 3 }, "Not slow now: All 20 repeats were fast.", { atOnce: 4 }],
      [
        { kind: "not-now", slow: 0, count: 20, beside: null },
        "Not slow now: All 20 repeats were fast. Weir no longer knows whether other requests were in flight when the recorded request began.",
      ],
      [
        { kind: "not-now", slow: 0, count: 20, beside: 200 },
        "Not slow now: All 20 repeats were fast. The recorded request began while 200 other requests to this server were in flight: also repeat it with 100 in parallel.",
      ],
    ];
    for (const [verdict, text, part] of verdicts) assert.is(told(verdict, part), text);
    const doubts: Readonly<Record<ReplayDoubt, RegExp>> = {
      "no-latency": /has no latency/,
      "not-slow": /was not slow\./,
      "too-few": /^Can’t tell: 8 repeats are too few\. Repeat the request at least 11 times\.$/,
      "answered-otherwise": /another status/,
      "uncertain-times": /too busy/,
      "only-at-once": /repeat the request with 1 in parallel\.$/,
      mixed: /^Can’t tell: 3 of 8 repeats were slow\. Their order does not show why\.$/,
    };
    for (const [doubt, pattern] of Object.entries(doubts)) {
      const text = told({ kind: "unknown", doubt: doubt as ReplayDoubt, slow: 3, count: 8 });
      assert.match(text, pattern);
      assert.match(text, /^Can’t tell: /);
    }
  });

  test("given a verdict, names the limit of slow repeats only if the recorded request was slow", () => {
    const notes = (doubt: ReplayDoubt) =>
      replayTextsOf({ ...RESULT, verdict: { kind: "unknown", doubt, slow: 3, count: 8 } }).notes.join(" ");
    assert.match(notes("mixed"), /Repeats count as slow from 600 ms\./);
    assert.not.match(notes("not-slow"), /count as slow/);
    assert.match(notes("not-slow"), /The line marks the recorded request/);
  });
});
