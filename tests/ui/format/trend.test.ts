import * as assert from "uvu/assert";
import { changeTextOf, metricText, signedText } from "../../../src/ui/format/trend.ts";
import { describe } from "../../support/describe.ts";

const up = { direction: "up", changePercent: null, note: null } as const;

describe("change format", (test) => {
  test("given a metric and a direction, uses that metric's own words for better, worse and stable", () => {
    const words = (["latency", "errorRate", "payload"] as const).map((metric) =>
      (["up", "down", "stable"] as const).map(
        (direction) => changeTextOf({ metric, direction, change: 5, changePercent: 5, note: null }).word,
      ),
    );
    assert.equal(words, [
      ["slower", "faster", "stable"],
      ["more errors", "fewer errors", "stable"],
      ["larger", "smaller", "stable"],
    ]);
  });

  test("given a change, shows its size in percent, points or a factor, and without a baseline in its unit", () => {
    assert.is(changeTextOf({ ...up, metric: "latency", change: 60, changePercent: 31.4 }).size, "31 %");
    assert.is(changeTextOf({ ...up, metric: "errorRate", change: 3.14, changePercent: 200 }).size, "3.1 points");
    assert.is(changeTextOf({ ...up, metric: "latency", change: 900, changePercent: 1_100 }).size, "12x");
    assert.is(changeTextOf({ ...up, metric: "latency", change: 60 }).size, "60 ms");
    assert.is(changeTextOf({ ...up, metric: "payload", change: 2_048 }).size, "2.0 KB");
    assert.is(
      changeTextOf({ metric: "latency", direction: "stable", change: 1, changePercent: 1, note: null }).size,
      "",
    );
  });

  test('given too few samples, says "can\'t tell", and how many are needed in the detail', () => {
    const open = { metric: "latency", direction: "stable", change: 9, changePercent: 9 } as const;
    const told = (note: string | null) => {
      const { word, size, detail } = changeTextOf({ ...open, note });
      return [word, size, detail];
    };
    assert.equal(told("can't tell: n = 7, about 60 needed"), ["can't tell", "", "n = 7, about 60 needed"]);
    assert.equal(told("tail: can't tell: n = 90, about 180 needed"), ["tail: can't tell", "", "about 180 needed"]);
    assert.equal(told(null), ["stable", "", ""]);
  });

  test("given a change or a metric's value, writes a sign before the change and a unit after each", () => {
    assert.is(signedText("latency", -46.4), "−46 ms");
    assert.is(signedText("errorRate", 2), "+2.0 points");
    assert.is(signedText("payload", 1_536), "+1.5 KB");
    assert.equal([metricText("latency", 312.4), metricText("errorRate", 4.5)], ["312 ms", "4.5 %"]);
  });
});
