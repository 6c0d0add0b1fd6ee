import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DependencyChains, LISTED_CHAINS, type Traces } from "../../../src/engine/insights/dependency-chains.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import type { Chain } from "../../../src/engine/model/findings.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { processorTimeOf } from "../../support/processor-time.ts";
import { resultOf } from "../../support/slices.ts";
import { timeline } from "../../support/timeline.ts";

const EVER = Number.POSITIVE_INFINITY as Instant;
const { chainGap } = DEFAULT_SETTINGS;

describe("dependency chains", (test) => {
  test("a sequence of requests where each starts only after the previous one completes is a chain", () => {
    const [chain] = chainsOf(
      timeline(`
      a ---
      b     ----
      c          --
    `),
    );
    assert.equal(
      chain?.steps.map(({ id }) => id),
      [1, 2, 3],
    );
    assert.is(chain?.duration, 110);
    assert.is(chain?.client, "client");
    assert.equal(
      chain?.edges.map(({ from, to, gap, kind }) => [from, to, gap, kind]),
      [
        [1, 2, 10, "sequential"],
        [2, 3, 10, "sequential"],
      ],
    );
    assert.equal(
      chain?.steps.map(({ start, end }) => [start, end]),
      [
        [0, 30],
        [40, 80],
        [90, 110],
      ],
    );
  });

  test("a request that overlaps starts no chain", () => {
    assert.equal(
      chainsOf(
        timeline(`
      a ----
      b   ----
    `),
      ),
      [],
    );
  });

  test("chains are one client's", () => {
    assert.equal(
      chainsOf(
        timeline(`
      a@x --
      b@y   --
    `),
      ),
      [],
    );
  });

  test("B starts from A's end to 300 ms later, not after", () => {
    const pair = (start: number) => [
      exchange({ id: 1, start: 0, end: 100 }),
      exchange({ id: 2, start, end: start + 50 }),
    ];
    assert.is(chainsOf(pair(400)).length, 1);
    assert.is(chainsOf(pair(400.5)).length, 0);
    assert.is(chainsOf(pair(100.5), 0).length, 0);
    assert.is(chainsOf(pair(100), 0).length, 1);
  });

  test("before A's end there is a tolerance, the smaller of 1 ms and 10 % of A's latency", () => {
    const pair = (end: number, start: number) => [
      exchange({ id: 1, start: 0, end }),
      exchange({ id: 2, start, end: end + 50 }),
    ];
    assert.is(chainsOf(pair(100, 99)).length, 1);
    assert.is(chainsOf(pair(100, 98.9)).length, 0);
    assert.is(chainsOf(pair(2, 1.8)).length, 1);
    assert.is(chainsOf(pair(2, 1.7)).length, 0);
  });

  test("it never goes both ways: what took no time follows nothing that starts with it", () => {
    assert.equal(chainsOf([exchange({ id: 1, start: 5, end: 5 }), exchange({ id: 2, start: 5, end: 5 })]), []);
    assert.is(chainsOf([exchange({ id: 1, start: 5, end: 5 }), exchange({ id: 2, start: 6, end: 6 })]).length, 1);
  });

  test("of several predecessors the longer chain wins, then the earlier id", () => {
    const chains = chainsOf(
      timeline(`
      a --
      b    --
      c   ---
      d         --
    `),
    );
    assert.equal(
      chains.map(({ steps }) => steps.map(({ id }) => id)),
      [[1, 2, 4]],
    );
    const equal = chainsOf(
      timeline(`
      a --
      b --
      c    --
    `),
    );
    assert.equal(
      equal[0]?.steps.map(({ id }) => id),
      [1, 3],
    );
  });

  test("of several predecessors a proven one wins, and the evidence is shown", () => {
    const exchanges = timeline(`
      a --
      b   --
      c   --
      d      --
    `);
    const value = "order-771234";
    const traces = new Map<number, Traces>([
      [3, { words: new Set(), values: [{ source: "body", value }] }],
      [4, { words: new Set([value]), values: [] }],
    ]);
    const [chain] = chainsOf(exchanges, chainGap, traces);
    assert.equal(
      chain?.steps.map(({ id }) => id),
      [1, 3, 4],
    );
    assert.equal(chain?.edges[1], { from: 3, to: 4, gap: 10, kind: "proven", evidence: { source: "body", value } });
  });

  test("what could be saved counts sequential edges only", () => {
    const exchanges = timeline(`
      a --
      b    ---
      c        -----
    `);
    const proven = (from: number, to: number) =>
      new Map<number, Traces>([
        [from, { words: new Set(), values: [{ source: "location", value: "/orders/17" }] }],
        [to, { words: new Set(["/orders/17"]), values: [] }],
      ]);
    assert.is(chainsOf(exchanges)[0]?.couldSave, 120 - 50);
    assert.is(chainsOf(exchanges, chainGap, proven(2, 3))[0]?.couldSave, 120 - 90);
    assert.is(chainsOf(exchanges.slice(1), chainGap, proven(2, 3))[0]?.couldSave, null);
  });

  test("what could be saved is told whenever the chain began, and to a part of a millisecond", () => {
    const at = (times: readonly number[]) =>
      times.map((start, index) => exchange({ id: index + 1, start, end: start + 0.25 }));
    assert.is(chainsOf(at([5_000, 5_001, 5_002.5]))[0]?.couldSave, 2.5);
    const within = [exchange({ id: 1, start: 0, end: 100 }), exchange({ id: 2, start: 99.5, end: 99.6 })];
    assert.is(chainsOf(within)[0]?.couldSave, 0);
  });

  test("of a value that proves, 200 characters are shown", () => {
    const value = "a".repeat(300);
    const traces = new Map<number, Traces>([
      [1, { words: new Set(), values: [{ source: "body", value }] }],
      [2, { words: new Set([value]), values: [] }],
    ]);
    const [chain] = chainsOf(
      timeline(`
      a --
      b   --
    `),
      chainGap,
      traces,
    );
    assert.is(chain?.edges[0]?.evidence?.value, value.slice(0, 200));
  });

  test("what is recorded long after it began follows nothing that had not ended then", () => {
    const chains = new DependencyChains(chainGap);
    chains.record(exchange({ id: 1, start: 0, end: 100 }));
    assert.equal(resultOf(chains.list(EVER)), []);
    chains.record(exchange({ id: 2, start: 50, end: 200 }));
    assert.equal(resultOf(chains.list(EVER)), []);
  });

  test("probes, resends, tunnels, WebSockets and event streams are in no chain", () => {
    for (const tag of ["probe", "resent", "tunnel", "malformed", "websocket", "event-stream"] as const)
      assert.equal(
        chainsOf([exchange({ id: 1, end: 10 }), exchange({ id: 2, start: 20, end: 30, tags: [tag] })]),
        [],
        tag,
      );
  });

  test("an exchange in flight is in no chain until it has ended", () => {
    const [first, second] = timeline(`
      a --
      b   --
    `) as [Exchange, Exchange];
    const chains = new DependencyChains(chainGap);
    chains.record(first);
    chains.record({ ...second, endTime: null });
    assert.equal(resultOf(chains.list(EVER)), []);
    chains.record(second);
    assert.is(resultOf(chains.list(EVER)).length, 1);
  });

  test("any timeline gives what the definition gives, tried pair by pair", () => {
    fc.assert(
      fc.property(session, fc.constantFrom(0, 3, 300), ({ exchanges, traces }, window) => {
        const found = chainsOf(exchanges, window, traces);
        assert.equal(idsOf(found), idsOf(bruteForce(exchanges, window, traces)));
      }),
      { numRuns: 1_000 },
    );
  });

  test("recorded live, event by event with lists in between, it ends the same", () => {
    fc.assert(
      fc.property(session, fc.array(fc.nat(40), { maxLength: 5 }), ({ exchanges, traces }, lists) => {
        const live = new DependencyChains(chainGap);
        const events = exchanges.flatMap((ended) => [
          { at: ended.instants.startTime as number, order: 0, exchange: { ...ended, endTime: null } },
          { at: ended.endTime as number, order: 1, exchange: ended },
        ]);
        events.sort((left, right) => left.at - right.at || left.order - right.order);
        for (const event of events) {
          if (lists.includes(event.at)) resultOf(live.list((event.at + 98) as Instant));
          live.record(event.exchange, event.order === 1 ? traces.get(event.exchange.id) : undefined);
        }
        assert.equal(idsOf(resultOf(live.list(EVER))), idsOf(chainsOf(exchanges, chainGap, traces)));
      }),
      { numRuns: 500 },
    );
  });

  test("at most 10 are listed, the longest first, and no exchange is in two", () => {
    const exchanges = Array.from({ length: 40 }, (_, index) =>
      exchange({
        id: index + 1,
        client: `c${index % 20}`,
        start: index < 20 ? 0 : 20 + index,
        end: index < 20 ? 10 : 200 + index,
      }),
    );
    const chains = chainsOf(exchanges);
    assert.equal([chains.length, LISTED_CHAINS], [10, 10]);
    const durations = chains.map(({ duration }) => duration);
    assert.equal(
      durations,
      durations.toSorted((left, right) => right - left),
    );
    const ids = chains.flatMap(({ steps }) => steps.map(({ id }) => id));
    assert.is(new Set(ids).size, ids.length);
  });

  test("100,000 overlapping requests of one client, and as many candidates for one, stay fast", () => {
    const overlapping = Array.from({ length: 100_000 }, (_, index) =>
      exchange({ id: index + 1, start: index / 1_000, end: 1_000 + index / 1_000 }),
    );
    const bursts = Array.from({ length: 100_000 }, (_, index) => {
      const start = Math.floor(index / 10_000) * 20;
      return exchange({ id: index + 1, start, end: start + 10 });
    });
    const took = processorTimeOf(() => {
      assert.equal(chainsOf(overlapping), []);
      assert.is(chainsOf(bursts)[0]?.steps.length, 10);
    });
    assert.ok(took < 6_000, `${took} ms`);
  });

  test("100,000 are listed in slices", () => {
    const chains = new DependencyChains(chainGap);
    for (let id = 1; id <= 100_000; id += 1) chains.record(exchange({ id, client: `c${id % 20}`, start: id, end: id }));
    let slices = 0;
    for (const _ of chains.list(EVER)) slices += 1;
    // Twice all links, and each of ten chains of 5,000.
    assert.is(slices, 2 + 2 + 10);
  });
});

const session = fc
  .array(
    fc.record({
      start: fc.nat(40),
      length: fc.nat(12),
      client: fc.constantFrom("x", "y"),
      gives: fc.nat(6),
      asks: fc.nat(6),
    }),
    { maxLength: 14 },
  )
  .map((sketches) => {
    const sorted = sketches.toSorted((left, right) => left.start - right.start);
    const exchanges = sorted.map(({ start, length, client }, index) =>
      exchange({ id: index + 1, start, end: start + length, client }),
    );
    const traces = new Map<number, Traces>(
      sorted.map(({ gives, asks }, index) => [
        index + 1,
        {
          words: new Set([`value-${asks}`]),
          values: gives < 4 ? [{ source: "body" as const, value: `value-${gives}` }] : [],
        },
      ]),
    );
    return { exchanges, traces };
  });

function chainsOf(
  exchanges: readonly Exchange[],
  window: number = chainGap,
  traces = new Map<number, Traces>(),
): readonly Chain[] {
  const chains = new DependencyChains(window);
  for (const ended of exchanges) chains.record(ended, traces.get(ended.id));
  return resultOf(chains.list(EVER));
}

function idsOf(
  chains: readonly {
    readonly steps: readonly { readonly id: number }[];
    readonly kinds?: string[];
    readonly edges?: Chain["edges"];
  }[],
): unknown {
  return chains.map(({ steps, edges, kinds }) => [steps.map(({ id }) => id), kinds ?? edges?.map(({ kind }) => kind)]);
}

/** decisions.md, word by word: a best predecessor for each, then the longest chain again and again, taken out each time. */
function bruteForce(exchanges: readonly Exchange[], window: number, traces: ReadonlyMap<number, Traces>) {
  const previous = new Map<number, Exchange>();
  const proven = new Set<number>();
  const start = (one: Exchange) => one.instants.startTime as number;
  const end = (one: Exchange) => one.endTime as number;
  const follows = (b: Exchange, a: Exchange) =>
    a.client === b.client &&
    start(b) > start(a) &&
    start(b) >= end(a) - Math.min(1, 0.1 * (end(a) - start(a))) &&
    start(b) <= end(a) + window;
  const proves = (a: Exchange, b: Exchange) =>
    (traces.get(a.id)?.values ?? []).some(({ value }) => traces.get(b.id)?.words.has(value));
  const lengthOf = (one: Exchange): number => {
    const before = previous.get(one.id);
    return before === undefined ? 1 : lengthOf(before) + 1;
  };
  for (const b of exchanges) {
    const rank = (a: Exchange) => [proves(a, b) ? 1 : 0, lengthOf(a), -a.id];
    const best = exchanges.filter((a) => follows(b, a)).toSorted((left, right) => compare(rank(right), rank(left)))[0];
    if (best === undefined) continue;
    previous.set(b.id, best);
    if (proves(best, b)) proven.add(b.id);
  }
  const left = new Set(exchanges);
  const found: { steps: Exchange[]; kinds: string[] }[] = [];
  const paths = () => {
    const all: Exchange[][] = [];
    for (const tail of left) {
      if ([...left].some((other) => previous.get(other.id) === tail)) continue;
      const path = [tail];
      for (
        let before = previous.get(tail.id);
        before !== undefined && left.has(before);
        before = previous.get(before.id)
      )
        path.unshift(before);
      all.push(path);
    }
    return all;
  };
  const rank = (path: Exchange[]) => {
    const [head, tail] = [path[0] as Exchange, path.at(-1) as Exchange];
    return [end(tail) - start(head), -head.id, path.length, -tail.id];
  };
  while (left.size > 0 && found.length < LISTED_CHAINS) {
    const best = paths()
      .filter((path) => path.length > 1)
      .toSorted((one, other) => compare(rank(other), rank(one)))[0];
    if (best === undefined) break;
    for (const step of best) left.delete(step);
    found.push({ steps: best, kinds: best.slice(1).map(({ id }) => (proven.has(id) ? "proven" : "sequential")) });
  }
  return found;
}

function compare(left: readonly number[], right: readonly number[]): number {
  for (const [index, value] of left.entries()) if (value !== right[index]) return value - (right[index] ?? 0);
  return 0;
}
