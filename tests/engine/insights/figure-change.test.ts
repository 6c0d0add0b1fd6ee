import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { shownGrowth } from "../../../src/engine/insights/change-evidence.ts";
import {
  errorVerdict,
  latencyVerdicts,
  SampleBaseline,
  sizeVerdict,
} from "../../../src/engine/insights/figure-change.ts";
import type { Direction } from "../../../src/engine/model/trend.ts";
import {
  type LatencySample,
  MOST_VALUES,
  percentileOf,
  type SizeSample,
  sampleOf,
} from "../../../src/engine/stats/percentile.ts";
import { describe } from "../../support/describe.ts";
import { IS_QUICK, rounds } from "../../support/rounds.ts";
import { lognormal, seeded } from "../../support/seeded.ts";

const LATENCY_BAND = { percent: 10, absolute: 10 };
const SIZE_BAND = { percent: 5, absolute: 1_024 };
const ERROR_BAND = { percent: 0, absolute: 1 };

/** Typical service times: the median in ms, and the standard deviation of the logarithm. */
const MEDIAN = 100;
const SIGMA = 0.4;

const random = seeded(30);

describe("latency change verdict", (test) => {
  test("given unchanged traffic with 20 requests a session, at most 3 of 100 endpoints have an arrow", () => {
    for (let sessions = 3; sessions <= 10; sessions += 1) {
      const share = arrowsIn(600, { sessions, count: 20, growth: 1 }, (direction) => direction !== "stable");
      assert.ok(share <= (IS_QUICK ? 0.05 : 0.03), `${share} with ${sessions} sessions`);
    }
  });

  test("given unchanged traffic with more requests than a session keeps, at most 3 % of endpoints have an arrow", () => {
    const share = arrowsIn(200, { sessions: 3, count: 5 * MOST_VALUES, growth: 1 }, (one) => one !== "stable");
    assert.ok(share <= 0.03, String(share));
  });

  test("given 200 requests a session that take a quarter longer, at least 95 of 100 endpoints have the arrow up", () => {
    for (let sessions = 3; sessions <= 10; sessions += 1) {
      const share = arrowsIn(150, { sessions, count: 200, growth: 1.25 }, (direction) => direction === "up");
      assert.ok(share >= 0.95, `${share} with ${sessions} sessions`);
    }
  });

  test("given as much faster ones, the arrow goes down", () => {
    const share = arrowsIn(150, { sessions: 5, count: 200, growth: 0.75 }, (direction) => direction === "down");
    assert.ok(share >= 0.95, String(share));
  });

  test("given the number of requests that the note names, most changes of a quarter are found; given half, few", () => {
    const verdicts = latencyVerdicts(drawn(7, MEDIAN), past(10, 7), LATENCY_BAND);
    assert.match(verdicts.p50.note ?? "", /^can't tell: n = 7, about \d+ needed$/);
    assert.is(
      latencyVerdicts(drawn(20, MEDIAN), past(10, 200), LATENCY_BAND).p50.note?.slice(0, 18),
      "can't tell: n = 20",
    );
    const needed = Number(/about (\d+)/.exec(noteOf(past(10, 400), 7))?.[1]);
    assert.ok(needed >= 45 && needed <= 75, String(needed));
    const isUp = (direction: Direction) => direction === "up";
    const found = arrowsIn(300, { sessions: 10, count: needed, growth: 1.25 }, isUp);
    const half = arrowsIn(300, { sessions: 10, count: Math.floor(needed / 2), growth: 1.25 }, isUp);
    assert.ok(found >= 0.8 && half < 0.75, `${found}, ${half}`);
  });

  test("given enough requests and no change, nothing is left open", () => {
    for (let run = 0; run < 20; run += 1) {
      const { p50, p95 } = latencyVerdicts(drawn(400, MEDIAN), past(6, 400), LATENCY_BAND);
      assert.equal([p50.note, p95.note], [null, null]);
    }
  });

  test("given 60 requests on each side and p shared out over 60 endpoints, 1.3x is found and no change hardly ever", () => {
    const significant = 0.02 / 60;
    const narrow = (median: number) => sampled(Array.from({ length: 60 }, () => lognormal(random, median, 0.25)));
    const isSlower = (growth: number) => {
      const { p50, p95 } = latencyVerdicts(
        narrow(MEDIAN * growth),
        new SampleBaseline([narrow(MEDIAN)]),
        LATENCY_BAND,
        significant,
      );
      return p50.direction === "up" || p95.direction === "up";
    };
    // 19 of 20 in the long run, and 1 of 50 comparisons of 60 endpoints; the bounds leave 4 standard deviations.
    const [draws, least] = IS_QUICK ? [200, 177] : [2_000, 1_861];
    const found = Array.from({ length: draws }, () => isSlower(1.3)).filter(Boolean).length;
    assert.ok(found >= least, String(found));
    const wrong = Array.from({ length: 3 * draws }, () => isSlower(1)).filter(Boolean).length;
    assert.ok(wrong <= 8, String(wrong));
  });

  test("given a growth that the samples would have shown, finds it nine times of ten", () => {
    const baseline = past(1, 60);
    const growth = shownGrowth(baseline.pooled, 60, 0.01) ?? 0;
    assert.ok(growth > 1.1 && growth < 2, String(growth));
    const found = Array.from({ length: 300 }, () => {
      const { p50 } = latencyVerdicts(drawn(60, MEDIAN * growth), past(1, 60), LATENCY_BAND);
      return p50.direction === "up";
    }).filter(Boolean).length;
    assert.ok(found >= 230, String(found));
  });

  test("given a tail alone that became slower, p95 has the arrow and p50 has none", () => {
    let [tails, middles] = [0, 0];
    for (let run = 0; run < 50; run += 1) {
      const values = Array.from({ length: 200 }, (_, index) => lognormal(random, MEDIAN, SIGMA) * (index < 24 ? 4 : 1));
      const { p50, p95 } = latencyVerdicts(sampled(values), past(5, 200), LATENCY_BAND);
      if (p95.direction === "up") tails += 1;
      if (p50.direction !== "stable") middles += 1;
    }
    assert.ok(tails >= 48 && middles <= 15, `${tails}, ${middles}`);
  });

  test("given a value within the range of the sessions or within the stable band, there is no arrow, whatever its samples", () => {
    const apart = new SampleBaseline([50, 100, 200].map((median) => drawn(200, median)));
    const within = latencyVerdicts(drawn(200, 150), apart, LATENCY_BAND);
    assert.equal([within.p50.direction, within.p95.direction], ["stable", "stable"]);
    const wide = latencyVerdicts(drawn(200, 130), past(5, 200), { percent: 10, absolute: 500 });
    assert.equal([wide.p50.direction, wide.p95.direction], ["stable", "stable"]);
  });

  test("given any values, an exchange of more and less turns every arrow", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 5, maxLength: 40 });
    fc.assert(
      fc.property(lengths, fc.array(lengths, { minLength: 3, maxLength: 4 }), (now, sessions) => {
        const mirrored = (values: readonly number[]) => sampled(values.map((value) => 401 - value));
        const none = { percent: 0, absolute: 0 };
        const one = latencyVerdicts(sampled(now), new SampleBaseline(sessions.map(sampled)), none);
        const other = latencyVerdicts(mirrored(now), new SampleBaseline(sessions.map(mirrored)), none);
        const turned = { up: "down", down: "up", stable: "stable" } as const;
        assert.is(turned[one.p50.direction], other.p50.direction);
      }),
      { numRuns: rounds(200) },
    );
  });
});

describe("size change verdict", (test) => {
  test("given larger responses, the arrow goes up; given the same ones, there is none", () => {
    const before = new SampleBaseline([1, 2, 3, 4].map(() => sizes(20_000, 40)));
    assert.is(sizeVerdict(sizes(30_000, 40), before, SIZE_BAND).direction, "up");
    let arrows = 0;
    for (let run = 0; run < 400; run += 1) {
      const same = new SampleBaseline([1, 2, 3].map(() => sizes(20_000, 20)));
      if (sizeVerdict(sizes(20_000, 20), same, SIZE_BAND).direction !== "stable") arrows += 1;
    }
    assert.ok(arrows <= 12, String(arrows));
  });

  test("given empty responses alone, as before, that is no open question", () => {
    const empty = { ...sampleOf([0, 0, 0, 0, 0], MOST_VALUES), mean: 0 };
    assert.equal(sizeVerdict(empty, new SampleBaseline([empty, empty, empty]), SIZE_BAND), {
      direction: "stable",
      note: null,
    });
  });
});

describe("error change verdict", (test) => {
  test("given one failure among five, the verdict is stable and names the number of requests needed", () => {
    const without = [1, 2, 3].map(() => ({ errors: 0, requests: 5 }));
    const { direction, note } = errorVerdict({ errors: 1, requests: 5 }, without, ERROR_BAND);
    assert.is(direction, "stable");
    assert.match(note ?? "", /^can't tell: n = 5, about \d+ needed$/);
  });

  test("given many failures where there were none, the arrow goes up, and back down", () => {
    const [none, many] = [
      { errors: 0, requests: 200 },
      { errors: 20, requests: 200 },
    ];
    assert.equal(errorVerdict(many, [none, none, none], ERROR_BAND), { direction: "up", note: null });
    assert.equal(errorVerdict(none, [many, many, many], ERROR_BAND), { direction: "down", note: null });
  });

  test("given the same rate, hardly ever is there an arrow, and without failures nothing is open", () => {
    let arrows = 0;
    const session = () => {
      const errors = Array.from({ length: 20 }, () => random()).filter((chance) => chance < 0.1).length;
      return { errors, requests: 20 };
    };
    for (let run = 0; run < 1_000; run += 1) {
      const verdict = errorVerdict(session(), [session(), session(), session()], ERROR_BAND);
      if (verdict.direction !== "stable") arrows += 1;
    }
    assert.ok(arrows <= 15, String(arrows));
    const none = { errors: 0, requests: 5 };
    assert.is(errorVerdict(none, [none, none, none], ERROR_BAND).note, null);
  });
});

interface Drawn {
  readonly sessions: number;
  readonly count: number;
  readonly growth: number;
}

/** The share of runs in which either percentile has this direction. */
function arrowsIn(
  runs: number,
  { sessions, count, growth }: Drawn,
  isFound: (direction: Direction) => boolean,
): number {
  let found = 0;
  const played = rounds(runs);
  for (let run = 0; run < played; run += 1) {
    const { p50, p95 } = latencyVerdicts(drawn(count, MEDIAN * growth), past(sessions, count), LATENCY_BAND);
    if (isFound(p50.direction) || isFound(p95.direction)) found += 1;
  }
  return found / played;
}

/** The note for a short session with the same distribution: redrawn until it shows no change. */
function noteOf(baseline: SampleBaseline<LatencySample>, count: number): string {
  for (;;) {
    const { note } = latencyVerdicts(drawn(count, MEDIAN), baseline, LATENCY_BAND).p50;
    if (note !== null) return note;
  }
}

function past(sessions: number, count: number): SampleBaseline<LatencySample> {
  return new SampleBaseline(Array.from({ length: sessions }, () => drawn(count, MEDIAN)));
}

function drawn(count: number, median: number): LatencySample {
  return sampled(Array.from({ length: count }, () => lognormal(random, median, SIGMA)));
}

function sampled(values: readonly number[]): LatencySample {
  const ascending = Float64Array.from(values).sort();
  return {
    ...sampleOf(ascending, MOST_VALUES),
    p50: percentileOf(ascending, 0.5),
    p95: percentileOf(ascending, 0.95),
  };
}

function sizes(median: number, count: number): SizeSample {
  const values = Float64Array.from({ length: count }, () => Math.round(lognormal(random, median, 0.2))).sort();
  return { ...sampleOf(values, MOST_VALUES), mean: values.reduce((sum, value) => sum + value, 0) / count };
}
