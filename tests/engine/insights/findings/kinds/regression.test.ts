import * as assert from "uvu/assert";
import type { BaselineSession, FindingOptions } from "../../../../../src/engine/insights/findings/draft.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";
import { Scene, times } from "../../../../support/scene.ts";
import { lognormal, seeded } from "../../../../support/seeded.ts";

const KEY = "GET https://api.test/search";

interface Kind {
  readonly median?: number;
  readonly bytes?: number;
  /** The share of requests that fail. */
  readonly failing?: number;
  /** How many of the first requests have uncertain times. */
  readonly uncertain?: number;
}

describe("regression", (test) => {
  test("given an endpoint that is half as slow again as its baseline, it became slower", () => {
    const finding = scene({ median: 90 }).only(baseline({}));
    assert.is(finding.kind, "regression");
    assert.match(finding.summary, /^GET \/search became slower: p50 \d+ ms \(baseline \d+ ms\), p95/);
  });

  test("given requests with uncertain times, says how many are left out", () => {
    const { summary } = scene({ median: 90, uncertain: 7 }).only(baseline({}));
    assert.match(summary, /p95 [\d,]+ ms \(baseline \d+ ms\); 7 left out: their times are uncertain by up to 30 ms\.$/);
  });

  test("given larger answers, it became larger, with the bytes that were added", () => {
    const [finding] = scene({ bytes: 40_000 }).report(baseline({ bytes: 20_000 })).findings;
    assert.is(finding?.kind, "regression");
    assert.match(finding?.summary ?? "", /became larger: 39 KB on average \(baseline 20 KB\)\.$/);
    assert.is(finding?.bytes, 60 * 20_000);
  });

  test("given rare failures where there were none, it became less reliable; given one, nothing is said", () => {
    const session = scene({ failing: 0.1 }).report(baseline({}, 4, 200)).findings;
    assert.equal(
      session.map(({ kind }) => kind),
      ["errors"],
      "what is a finding of its own is not told twice",
    );
    const rare = scene({ failing: 1 / 30, median: 400 }, 300).report(baseline({ median: 400 }, 4, 300)).findings;
    const found = rare.find(({ kind }) => kind === "regression");
    assert.match(found?.summary ?? "", /became less reliable: 10 of 300 requests failed \(3.3 %; baseline 0 %\)/);
    assert.equal(scene({ failing: 1 / 60 }).kinds(baseline({})), []);
  });

  test("given equal or quicker samples, or fewer than three sessions, nothing is said", () => {
    assert.equal(scene({}).kinds(baseline({})), []);
    assert.equal(scene({ median: 40 }).kinds(baseline({})), []);
    assert.equal(scene({ median: 90 }).kinds(baseline({}, 2)), []);
    assert.equal(scene({ median: 90 }).kinds(baseline({}, 4, 4)), []);
  });

  // 8 unchanged endpoints in each of 300 sessions.
  test("given unchanged endpoints, hardly ever is one a regression", () => {
    const random = seeded(23);
    let found = 0;
    for (const _ of times(rounds(300))) {
      const drawn = new Scene();
      const baselines = new Map<string, { sessions: BaselineSession[] }>();
      for (const endpoint of times(8)) {
        const path = `/e${endpoint}`;
        const sessions = times(4).map(() => session(random, { median: 60 }, 20));
        baselines.set(`GET https://api.test${path}`, { sessions });
        for (const index of times(20))
          drawn.ask({ at: index * 9_000 + endpoint * 100, target: path, server: lognormal(random, 59, 0.3) });
      }
      found += drawn.kinds({ baseline: baselines }).filter((kind) => kind === "regression").length;
    }
    assert.ok(found <= 2, `${found} of 2,400`);
  });

  test("given baseline sessions that differ as much among themselves, nothing is said", () => {
    const random = seeded(22);
    const sessions = [50, 55, 60, 140].map((median) => session(random, { median }, 60));
    assert.equal(scene({ median: 110 }).kinds({ baseline: new Map([[KEY, { sessions }]]) }), []);
  });
});

function scene({ median = 60, bytes = 20_000, failing = 0, uncertain = 0 }: Kind, count = 60): Scene {
  const random = seeded(20);
  const drawn = new Scene();
  for (const index of times(count))
    drawn.ask({
      at: index * 9_000,
      target: "/search",
      server: lognormal(random, median, 0.3),
      bytes,
      status: failing > 0 && index % Math.round(1 / failing) === 0 ? 503 : 200,
      uncertainty: index < uncertain ? 30 : 0,
    });
  return drawn;
}

function baseline(kind: Kind, sessions = 4, count = 60): Partial<FindingOptions> {
  const random = seeded(21);
  return { baseline: new Map([[KEY, { sessions: times(sessions).map(() => session(random, kind, count)) }]]) };
}

function session(random: () => number, { median = 60, bytes = 20_000 }: Kind, count: number): BaselineSession {
  return {
    requests: count,
    errors: 0,
    latencies: times(count).map(() => lognormal(random, median, 0.3)),
    sizes: times(count).map(() => bytes),
  };
}
