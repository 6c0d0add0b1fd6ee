import * as assert from "uvu/assert";
import type { JudgedSummary } from "../../../../src/engine/messages/status-messages.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { figuresOf } from "../../../../src/ui/views/performance/figures.ts";
import { describe } from "../../../support/describe.ts";

const NOW = 702_000 as Instant;
const SUMMARY: JudgedSummary = {
  sessionStart: 0 as Instant,
  sessionEnd: null,
  exchanges: 396,
  inFlight: 0,
  counted: 396,
  errors: 18,
  errorRate: 4.545,
  ratePerMinute: 33.84,
  p95: 542.3,
  baselineP95: null,
  p95Direction: null,
  bytes: 12_792_627,
  overheadP95: 0.4,
  slow: 23,
  dropped: 0,
  templates: 0,
  unlisted: 0,
  poolsOperations: false,
  forgotten: 0,
  sliceLength: 16_000,
  slices: [
    { at: 0 as Instant, requests: 4, errors: 0, p95: 300, bytes: 1024 },
    { at: 16_000 as Instant, requests: 0, errors: 0, p95: null, bytes: 0 },
    { at: 32_000 as Instant, requests: 9, errors: 2, p95: 812.2, bytes: 4096 },
  ],
  hosts: [],
  hostCount: 0,
  ofHiddenHosts: 0,
};

describe("summary figures of Performance", (test) => {
  test("given a summary, shows each figure with its value, unit and context", () => {
    const shown = figuresOf(SUMMARY, null, NOW).map(({ label, value, unit, context }) => [label, value, unit, context]);
    assert.equal(shown, [
      ["Rate, last minute", "33.8", "/min", "396 exchanges in 11:42"],
      ["p95 of all requests", "542", "ms", ""],
      ["Errors", "4.5", "%", "18 of 396 requests"],
      ["Transferred", "12.2", "MB", "bodies, encoded"],
    ]);
  });

  test("given baseline sessions, compares the p95 with them in words", () => {
    const against = (baselineP95: number | null, p95Direction: JudgedSummary["p95Direction"]) => {
      const p95 = figuresOf({ ...SUMMARY, baselineP95, p95Direction }, null, NOW)[1];
      assert.is(p95?.contextTitle.includes("follows the mix of endpoints"), baselineP95 !== null);
      return [p95?.context, p95?.contextKind, p95?.baseline !== ""];
    };
    assert.equal(against(480, "up"), ["13 % over baseline", "is-rising", true]);
    assert.equal(against(29.8, "up"), ["18x the baseline", "is-rising", true], "as the trends tell it");
    assert.equal(against(800, "down"), ["32 % under baseline", "is-falling", true]);
    assert.equal(against(540, "stable"), ["as in the baseline", "is-stable", true]);
    assert.equal(against(null, null), ["", "", false]);
  });

  test("given the engine's direction, follows it instead of comparing the figures", () => {
    const wide = figuresOf({ ...SUMMARY, baselineP95: 480, p95Direction: "stable" }, null, NOW)[1];
    assert.equal([wide?.context, wide?.contextKind], ["as in the baseline", "is-stable"]);
    const narrow = figuresOf({ ...SUMMARY, baselineP95: 540, p95Direction: "up" }, null, NOW)[1];
    assert.equal([narrow?.context, narrow?.contextKind], ["0 % over baseline", "is-rising"]);
  });

  test("given a filter, shows the figures of matching exchanges without a baseline", () => {
    const whole = { ...SUMMARY, baselineP95: 480, p95Direction: "up" as const };
    const matching = { ...SUMMARY, exchanges: 12, counted: 10, errors: 1, errorRate: 10, p95: 90, bytes: 2048 };
    const shown = figuresOf(whole, matching, NOW);
    assert.is(shown[1]?.label, "p95 of matching requests");
    assert.equal(
      shown.map(({ value, unit, context }) => [value + unit, context]),
      [
        ["33.8/min", "12 of 396"],
        ["90ms", ""],
        ["10.0%", "1 of 10 requests"],
        ["2.0KB", "bodies, encoded"],
      ],
    );
    assert.equal([shown[1]?.baseline, shown[1]?.contextKind], ["", ""]);
  });

  test("given sparklines, describes each in words", () => {
    assert.equal(
      figuresOf(SUMMARY, null, NOW).map(({ description }) => description),
      [
        "Up to 9 requests in each 0:16 of the session",
        "From 300 to 812 ms in each 0:16 of the session",
        "Up to 2 errors in each 0:16 of the session",
        "Up to 4.0 KB in each 0:16 of the session",
      ],
    );
  });

  test("given no request so far, shows zeros or dashes and no sparklines", () => {
    const nothing = { exchanges: 0, counted: 0, errors: 0, errorRate: null, ratePerMinute: 0, p95: null, bytes: 0 };
    const shown = figuresOf({ ...SUMMARY, ...nothing, sessionStart: null, slices: [] }, null, NOW);
    assert.equal(
      shown.map(({ value, unit }) => `${value}${unit}`),
      ["0.0/min", "–", "–", "0B"],
    );
    assert.equal(
      shown.map(({ bars, line, end }) => bars + line + end),
      ["", "", "", ""],
    );
  });

  test("given a rate of hundreds and no error, shows both without decimals", () => {
    const [rate, , errors] = figuresOf({ ...SUMMARY, ratePerMinute: 72_012.4, errors: 0, errorRate: 0 }, null, NOW);
    assert.is(rate?.value, "72,012");
    assert.is(errors?.value, "0");
  });
});
