import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { trafficOf } from "../../../../src/engine/insights/findings/traffic.ts";
import { criticalPathsOf } from "../../../../src/engine/insights/links/critical-paths.ts";
import { unitsOf } from "../../../../src/engine/insights/what-if/timed-units.ts";
import { UnitGains } from "../../../../src/engine/insights/what-if/unit-gains.ts";
import { loadsOf, pageLoadsOf } from "../../../../src/engine/insights/where/page-loads.ts";
import { heldTimesOf, type WaitSpan, withStepGains } from "../../../../src/engine/insights/where/where.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Where } from "../../../../src/engine/model/where.ts";
import { describe } from "../../../support/describe.ts";
import { factsOf, foundIn, type Talk } from "../../../support/linked.ts";
import { type Asked, Scene, times } from "../../../support/scene.ts";

/** Times as they are recorded: with fractions of a millisecond, since 1970. */
const length = fc.double({ min: 0, max: 900, noNaN: true });
const asked: fc.Arbitrary<Asked> = fc.record(
  {
    at: fc.double({ min: 1.7e12, max: 1.7e12 + 4_000, noNaN: true }),
    target: fc.constantFrom("/a", "/b", "/c"),
    client: fc.constantFrom("10.0.0.1 a", "10.0.0.2 b"),
    queued: length,
    dns: length,
    connect: length,
    tls: length,
    server: length,
    transfer: length,
    tags: fc.constantFrom([], [], [], ["event-stream"], ["websocket"], ["probe"]),
  },
  { requiredKeys: ["at", "target"] },
);
const sessions = fc.array(asked, { maxLength: 25 }).map(sceneOf);

describe("Where the time went", (test) => {
  test("given any session, the parts add up to the waiting exactly, and it is the union of the intervals", () => {
    fc.assert(
      fc.property(sessions, (scene) => {
        const { waiting, parts } = whereIn(scene);
        const inMicroseconds = parts.map(({ time }) => Math.round(time * 1_000));
        assert.is(inMicroseconds.reduce((sum, time) => sum + time, 0) / 1_000, waiting);
        assert.ok(parts.every(({ time, requests }) => time > 0 && requests > 0));
        assert.ok(Math.abs(waiting - slowWaitingOf(scene)) < 0.001 * (1 + 2 * scene.facts.length));
        const shares = parts.reduce((sum, { share }) => sum + share, 0);
        assert.ok(parts.length === 0 || Math.abs(shares - 1) < 1e-9);
      }),
    );
  });

  test("given any session, its waiting is that of the report, which also counts until streams begin", () => {
    fc.assert(
      fc.property(sessions, (scene) => {
        const { waiting, where } = scene.report();
        const hasStreams = scene.facts.some(({ exchange }) => exchange.tags.some((tag) => tag !== "probe"));
        assert.ok(hasStreams ? waiting >= where.waiting : waiting === where.waiting);
      }),
    );
  });

  test("given one slow request among fast ones, its server comes first, with its share", () => {
    const scene = new Scene();
    for (const index of times(20)) scene.ask({ at: index * 100, target: `/item${index}`, server: 40, transfer: 0 });
    scene.ask({ at: 2_000, target: "/report", server: 7_200, transfer: 0 });
    const [first] = whereIn(scene).parts;
    assert.equal(first, {
      endpoint: { method: "GET", origin: "https://api.test", path: "/report", operation: null },
      phase: "ttfb",
      time: 7_200,
      share: 0.9,
      requests: 1,
    });
  });

  test("given requests that overlap, the one that ends last holds the time", () => {
    const scene = new Scene();
    scene.ask({ at: 0, target: "/first", server: 100, transfer: 0 });
    scene.ask({ at: 60, target: "/last", server: 20, transfer: 70 });
    scene.ask({ at: 61, target: "/beside", server: 30, transfer: 0 });
    assert.equal(textsOf(whereIn(scene)), ["/last transfer 70 1", "/first ttfb 60 1", "/last ttfb 20 1"]);
  });

  test("given streams, WebSockets, long polls and probes, leaves them out", () => {
    const scene = new Scene();
    for (const tag of ["event-stream", "websocket", "stream", "probe"] as const)
      scene.ask({ at: 0, server: 5_000, tags: [tag] });
    for (const index of times(5)) scene.ask({ at: index * 6_010, target: "/poll", server: 6_000, transfer: 0 });
    assert.equal(whereIn(scene), { waiting: 0, parts: [], slowest: [], loads: [], limits: [] });
  });

  test("given a request that failed, counts its time until it failed", () => {
    const scene = new Scene();
    const outcome = { kind: "failed", errorType: "response-timeout", detail: "", status: null } as const;
    scene.ask({ at: 0, target: "/gone", server: 3_000, transfer: 0, outcome });
    assert.equal(textsOf(whereIn(scene)), ["/gone ttfb 3000 1"]);
  });

  test("given limits of the source, hands them on", () => {
    const limits = ["The file has no bodies."];
    assert.equal(new Scene().report({ limits }).where.limits, limits);
  });
});

function sceneOf(list: readonly Asked[]): Scene {
  const scene = new Scene();
  for (const one of list) scene.ask(one);
  return scene;
}

function whereIn(scene: Scene): Where {
  return scene.report().where;
}

function textsOf({ parts }: Where): readonly string[] {
  return parts.map(({ endpoint, phase, time, requests }) => `${endpoint.path} ${phase} ${time} ${requests}`);
}

/** The waiting, in ms: the length of all stretches between two instants in which some request is in flight. */
function slowWaitingOf({ facts }: Scene): number {
  const spans = facts
    .filter(({ exchange }) => exchange.tags.length === 0)
    .map(({ exchange }) => ({
      client: exchange.client,
      start: exchange.instants.startTime,
      end: exchange.endTime ?? 0,
    }));
  const edges = [...new Set(spans.flatMap(({ start, end }) => [start, end]))].sort((one, other) => one - other);
  let waiting = 0;
  for (const client of new Set(spans.map((span) => span.client)))
    for (const [index, from] of edges.entries()) {
      const to = edges[index + 1] ?? from;
      const isBusy = spans.some((span) => span.client === client && span.start <= from && span.end >= to);
      if (isBusy) waiting += to - from;
    }
  return waiting;
}

const spans = fc
  .array(fc.record({ start: fc.nat(60), length: fc.nat(25) }), { maxLength: 20 })
  .map((list) =>
    list
      .map(({ start, length }, index) => spanOf(index + 1, start, start + length))
      .sort((one, other) => one.start - other.start || one.id - other.id),
  );

describe("attribution of overlapping time", (test) => {
  test("given any spans, each moment goes to the span that the rule names", () => {
    fc.assert(
      fc.property(spans, (own) => {
        assert.equal(holdersIn(own), holdersByTheRule(own));
      }),
    );
  });

  test("given equal ends, the later start holds the time, then the higher id", () => {
    const [long, short, twin] = [spanOf(1, 0, 10), spanOf(2, 6, 10), spanOf(3, 6, 10)];
    assert.equal(heldTimesOf([long, short, twin]), [
      { by: twin, from: 6, to: 10 },
      { by: long, from: 0, to: 6 },
    ]);
  });

  test("given twice as many overlapping spans, reads at most twice as many times", () => {
    const [few, many] = [10_000, 20_000].map(readsOf) as [number, number];
    assert.ok(few >= 10_000 && many <= 2 * few, `${few}, then ${many}`);
  });
});

function spanOf(id: number, start: number, end: number): WaitSpan {
  return { id: id as ExchangeId, start, end };
}

/** The id that holds each moment, by moment. */
function holdersIn(own: readonly WaitSpan[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  for (const { by, from, to } of heldTimesOf(own))
    for (let moment = from; moment < to; moment += 1) {
      assert.not(holders.has(moment));
      holders.set(moment, by.id);
    }
  return new Map([...holders].sort(([one], [other]) => one - other));
}

/** The same by the words of the rule, with a look at all spans for each moment. */
function holdersByTheRule(own: readonly WaitSpan[]): ReadonlyMap<number, number> {
  const holders = new Map<number, number>();
  let holder: WaitSpan | null = null;
  for (let moment = 100; moment >= 0; moment -= 1) {
    if (holder === null || moment < holder.start) {
      const inFlight = own.filter(({ start, end }) => start <= moment && moment < end);
      const lastEnd = Math.max(...inFlight.map(({ end }) => end));
      const ending = inFlight.filter(({ end }) => end === lastEnd);
      const lastStart = Math.max(...ending.map(({ start }) => start));
      holder = ending.filter(({ start }) => start === lastStart).at(-1) ?? null;
    }
    if (holder !== null) holders.set(moment, holder.id);
  }
  return new Map([...holders].sort(([one], [other]) => one - other));
}

/** How often `heldTimesOf` reads a start or an end. */
function readsOf(count: number): number {
  let reads = 0;
  const own = Array.from({ length: count }, (_, index) => {
    const start = index;
    return {
      id: index as ExchangeId,
      get start() {
        reads += 1;
        return start;
      },
      get end() {
        reads += 1;
        return start + count + ((index * 7_919) % count);
      },
    };
  });
  heldTimesOf(own);
  return reads;
}

const HTML = "Content-Type: text/html";

/** The page loads, without and with what their steps save. */
function gainsIn(talks: readonly Talk[]) {
  const facts = factsOf(talks).map((one) => one.facts);
  const found = foundIn(talks);
  const traffic = trafficOf(facts, found.links);
  const paths = criticalPathsOf(facts, found);
  const loads = loadsOf(traffic, paths, () => null);
  const described = pageLoadsOf(loads, traffic, paths);
  return { described, gained: withStepGains(described, new UnitGains(unitsOf(traffic, loads))) };
}

describe("step gains", (test) => {
  test("given a step beside a shorter request, the shorter one caps what the step saves", () => {
    const times = fc.record({ script: fc.integer({ min: 200, max: 900 }), style: fc.integer({ min: 20, max: 190 }) });
    fc.assert(
      fc.property(times, ({ script, style }) => {
        const answer = '<script src="/app.js"></script><link rel="stylesheet" href="/app.css">';
        const talks: readonly Talk[] = [
          { at: 0, lasts: 100, target: "/", sends: ["Sec-Fetch-Dest: document"], gives: [HTML], answer },
          { at: 110, lasts: script, target: "/app.js", initiators: ["https://api.test/"] },
          { at: 110, lasts: style, target: "/app.css", initiators: ["https://api.test/"] },
        ];
        const { described, gained } = gainsIn(talks);
        assert.equal(
          gained[0]?.path.map(({ endpoint, ifGone }) => [endpoint.path, ifGone]),
          [
            ["/", { byLinks: 100, atMost: 100 }],
            ["/app.js", { byLinks: script - style, atMost: script - style }],
          ],
        );
        assert.equal(withStepGains(described, new UnitGains([])), described);
      }),
    );
  });

  test("given a run of steps to one endpoint, its first step says what they save together", () => {
    const times = fc.array(fc.integer({ min: 20, max: 300 }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(times, (lengths) => {
        let at = 110;
        const items = lengths.map((lasts, index): Talk => {
          const talk = { at, lasts, target: `/items/${1_000 + index}` };
          at += lasts;
          const before = index === 0 ? "/" : `/items/${999 + index}`;
          return { ...talk, initiators: [`https://api.test${before}`], gives: ["Content-Type: text/javascript"] };
        });
        const document = { at: 0, lasts: 100, target: "/", sends: ["Sec-Fetch-Dest: document"], gives: [HTML] };
        const [load] = gainsIn([document, ...items]).gained;
        const sum = lengths.reduce((total, length) => total + length, 0);
        assert.equal(
          load?.path.map(({ ifRunGone }) => ifRunGone?.byLinks ?? null),
          [null, ...lengths.map((_, index) => (index === 0 && lengths.length > 3 ? sum : null))],
        );
      }),
    );
  });
});
