import * as assert from "uvu/assert";
import type { Instant } from "../../../../src/engine/model/units.ts";
import {
  type Bar,
  momentAt,
  openPathOf,
  phasePathsOf,
  waitPathOf,
  xOf,
} from "../../../../src/ui/views/timeline/bars.ts";
import { describe } from "../../../support/describe.ts";

const ALL = new Set(["dns", "connect", "tls", "ttfb", "transfer"] as const);
const scale = { range: { from: 1_000 as Instant, to: 2_000 as Instant }, width: 500 };
const bar = (start: number, end: number, ...spans: Bar["spans"]): Bar => ({
  start,
  end,
  spans,
  wait: null,
  slowed: [],
});

describe("Timeline bars", (test) => {
  test("given a phase, draws it at its exact offset on the scale", () => {
    const paths = phasePathsOf([bar(1_100, 1_300, { phase: "ttfb", from: 20, to: 200 })], scale, ALL);
    // From 60 px to 150 px, minus a pixel of gap; 12 px high with its bottom at 20.
    assert.is(paths.ttfb, "M60 8H149v12H60z");
    assert.is(paths.dns + paths.connect + paths.tls + paths.transfer, "");
  });

  test("given several phases, draws each at its own height, and Transfer as two rails", () => {
    const spans = (["dns", "connect", "tls", "transfer"] as const).map((phase, at) => ({
      phase,
      from: at * 100,
      to: at * 100 + 100,
    }));
    const paths = phasePathsOf([bar(1_000, 1_400, ...spans)], scale, ALL);
    assert.match(paths.dns, /^M0 16H49v4/);
    assert.match(paths.connect, /^M50 14H99v6/);
    assert.match(paths.tls, /^M100 11H149v9/);
    assert.match(paths.transfer, /^M150 8H199v5H150zM150 15H199v5H150z$/);
  });

  test("given a row that is still loading, leaves its place empty above the next row", () => {
    const one = bar(1_000, 1_010, { phase: "ttfb", from: 0, to: 10 });
    assert.is(phasePathsOf([null, one], scale, ALL).ttfb, "M0 36H4v12H0z");
  });

  test("given a phase beyond an edge, cuts it there, and draws nothing outside the range", () => {
    const long = bar(0, 9_000, { phase: "ttfb", from: 0, to: 9_000 });
    assert.is(phasePathsOf([long], scale, ALL).ttfb, "M0 8H500v12H0z");
    assert.is(phasePathsOf([bar(10, 20, { phase: "ttfb", from: 0, to: 10 })], scale, ALL).ttfb, "");
  });

  test("given a phase of no length, draws it one pixel wide", () => {
    assert.is(
      phasePathsOf([bar(1_500, 1_500, { phase: "dns", from: 0, to: 0 })], scale, ALL).dns,
      "M250 16H251v4H250z",
    );
  });

  test("given a phase hidden by the legend, leaves its place empty", () => {
    const both = bar(1_000, 1_200, { phase: "ttfb", from: 0, to: 100 }, { phase: "transfer", from: 100, to: 200 });
    const paths = phasePathsOf([both], scale, new Set(["transfer"] as const));
    assert.is(paths.ttfb, "");
    assert.match(paths.transfer, /^M50 /);
  });

  test("given an open end after the last phase or no phase at all, draws a thin line to the end", () => {
    assert.is(openPathOf([bar(1_000, 1_400, { phase: "dns", from: 0, to: 100 })], scale), "M50 13H200v2H50z");
    assert.is(openPathOf([bar(1_000, 1_100)], scale), "M0 13H50v2H0z");
    assert.is(openPathOf([bar(1_000, 1_100, { phase: "ttfb", from: 0, to: 100 })], scale), "");
  });

  test("given a wait, draws it as the lowest step before the first phase, and nothing without one", () => {
    const phase = { phase: "ttfb", from: 100, to: 200 } as const;
    const waited = { ...bar(1_000, 1_200, phase), wait: { waitedFor: "stream", from: 20, to: 100 } as const };
    assert.is(waitPathOf([null, waited, bar(1_000, 1_200, phase)], scale, false), "M10 46H49v2H10z");
    assert.is(waitPathOf([waited], scale, true), "");
    const queued = { ...waited, wait: { ...waited.wait, waitedFor: "browser" as const } };
    assert.is(waitPathOf([queued], scale, true), "M10 14H49v6H10z");
    assert.is(waitPathOf([queued], scale, false), "");
    assert.is(openPathOf([{ ...bar(1_000, 1_100), wait: { waitedFor: "stream", from: 0, to: 100 } }], scale), "");
  });

  test("given any moment, converting it to pixels and back returns the same moment", () => {
    for (const at of [1_000, 1_234.5, 2_000]) assert.ok(Math.abs(momentAt(xOf(at, scale), scale) - at) < 1e-6);
  });
});
