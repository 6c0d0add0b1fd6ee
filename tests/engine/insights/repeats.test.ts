import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type BodyKey, RepeatSweep } from "../../../src/engine/insights/repeats.ts";
import { type Exchange, statusOf } from "../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { processorTimeOf } from "../../support/processor-time.ts";

describe("repeats", (test) => {
  test("N+1: 5 requests of one path template with different literals by one client within 1 s", () => {
    assert.equal(found(items([0, 250, 500, 750, 1_000])), [
      { kind: "n+1", client: "c", template: "GET https://api.test/items/{id}", exchanges: [1, 2, 3, 4, 5] },
    ]);
    assert.equal(found(items([0, 250, 500, 750, 1_001])), []);
    assert.equal(found(items([0, 1, 2, 3])), []);
  });

  test("N+1 needs different literals, one client, one method and one origin", () => {
    const five = [0, 1, 2, 3, 4];
    assert.equal(found(five.map((at) => exchange({ id: at + 1, start: at * 10_001, target: "/items/7" }))), []);
    assert.equal(found(items(five).map((one, index) => ({ ...one, client: `c${index % 2}` }))), []);
    assert.equal(found(items(five).map((one, index) => ({ ...one, method: index === 0 ? "PUT" : "GET" }))), []);
    assert.equal(found(items(five).map((one, index) => ({ ...one, origin: `https://${index % 2}.test` }))), []);
  });

  test("a longer run is one finding, and two bursts are two", () => {
    const burst = [0, 100, 200, 300, 400];
    assert.equal(
      found(items([...burst, 1_100, 1_150, 1_190])).map(({ exchanges }) => exchanges),
      [[1, 2, 3, 4, 5, 6, 7, 8]],
    );
    assert.equal(
      found(items([...burst, ...burst.map((at) => at + 5_000)])).map(({ exchanges }) => exchanges.length),
      [5, 5],
    );
  });

  test("duplicate: same client, method, full URL and request body within 10 s", () => {
    const twice = (second: object = {}) => [
      exchange({ id: 1, client: "c", target: "/a?x=1", start: 0, requestBodySize: 3 }),
      exchange({ id: 2, client: "c", target: "/a?x=1", start: 10_000, requestBodySize: 3, ...second }),
    ];
    assert.equal(found(twice()), [
      { kind: "duplicate", client: "c", template: "GET https://api.test/a?x=1", exchanges: [1, 2] },
    ]);
    assert.equal(found(twice({ start: 10_001 })), []);
    assert.equal(found(twice({ client: "d" })), []);
    assert.equal(found(twice({ method: "HEAD" })), []);
    assert.equal(found(twice({ target: "/a?x=2" })), []);
    assert.equal(found(twice({ origin: "http://api.test" })), []);
    assert.equal(
      found(twice(), ({ id }) => String(id)),
      [],
    );
    assert.equal(
      found(twice(), () => null),
      [],
    );
  });

  test("requests in flight are told apart by the bodies they have sent, whose sizes are not known yet", () => {
    const waiting = [1, 2].map((id) => exchange({ id, method: "POST", end: null }));
    assert.equal(
      found(waiting, () => null),
      [],
    );
    assert.equal(
      found(waiting, () => "").map(({ exchanges }) => exchanges),
      [[1, 2]],
    );
  });

  test("a request without a body is known whole, in flight or not; another's body is asked for", () => {
    const get = (id: number, end: number | null = 0) => exchange({ id, end, requestBodySize: 0 });
    const idsOf = (exchanges: readonly Exchange[], bodyKey: BodyKey) =>
      found(exchanges, bodyKey).map(({ exchanges: ids }) => ids);
    assert.equal(
      idsOf([get(1), get(2)], () => null),
      [[1, 2]],
    );
    assert.equal(
      idsOf([get(1), get(2, null)], () => ""),
      [[1, 2]],
    );
    const post = exchange({ id: 2, requestBodySize: 1 });
    assert.equal(
      idsOf([{ ...post, id: 1 as ExchangeId }, post], () => null),
      [],
    );
  });

  test("what another request may still be joined to is not let go of before", () => {
    const others = (start: number) =>
      Array.from({ length: 30 }, (_, index) =>
        exchange({ id: 50 + index, start, target: `/other-${"x".repeat(index)}` }),
      );
    const [last, ...first] = items([0, 0, 0, 0, 1_000]).toReversed() as [Exchange, ...Exchange[]];
    const twins = [0, 10_000].map((start, index) => exchange({ id: index + 1, start })) as [Exchange, Exchange];
    const idsOf = (exchanges: readonly Exchange[]) =>
      found(exchanges, undefined, 0).map(({ exchanges: ids }) => ids.toSorted((left, right) => left - right));
    assert.equal(idsOf([...first, ...others(1_000), last]), [[1, 2, 3, 4, 5]]);
    assert.equal(idsOf([twins[0], ...others(10_000), twins[1]]), [[1, 2]]);
  });

  test("a revalidation is no duplicate: no 304 between", () => {
    const statuses = (list: readonly number[]) => list.map((status, at) => exchange({ id: at + 1, start: at, status }));
    assert.equal(found(statuses([200, 304, 304])), []);
    assert.equal(
      found(statuses([200, 304, 200])).map(({ exchanges }) => exchanges),
      [[2, 3]],
    );
    assert.equal(
      found(statuses([200, 200, 304, 200, 200])).map(({ exchanges }) => exchanges),
      [
        [1, 2],
        [3, 4, 5],
      ],
    );
  });

  test("probes and resends repeat nothing", () => {
    assert.equal(found([exchange({ id: 1 }), exchange({ id: 2, tags: ["resent"] })]), []);
  });

  test("any requests give what the definitions give, tried one by one", () => {
    const sketch = fc.record({
      gap: fc.constantFrom(0, 1, 90, 400, 9_700),
      target: fc.constantFrom("/a", "/items/1", "/items/2", "/items/3", "/items/4", "/items/5", "/items/6"),
      client: fc.constantFrom("c", "c", "c", "d"),
      status: fc.constantFrom(200, 200, 200, 304),
    });
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 50 }), fc.nat(20), (sketches, firstLimit) => {
        let start = 0;
        const exchanges = sketches.map(({ gap, ...rest }, index) => {
          start += gap;
          return exchange({ id: index + 1, start, ...rest });
        });
        const all = found(exchanges, undefined, firstLimit);
        const starts = all.map(({ exchanges: [first] }) => exchanges[Number(first) - 1]?.instants.startTime ?? 0);
        assert.equal(
          starts,
          starts.toSorted((left, right) => left - right),
        );
        const idsOf = (wanted: string) => all.flatMap(({ kind, exchanges: ids }) => (kind === wanted ? [ids] : []));
        assert.equal(
          new Set(
            idsOf("n+1")
              .flat()
              .toSorted((left, right) => left - right),
          ),
          siblingsOf(exchanges),
        );
        assert.equal(idsOf("duplicate").map(String).toSorted(), twinsOf(exchanges).map(String).toSorted());
      }),
      { numRuns: 300 },
    );
  });

  test("100,000 requests of one endpoint stay fast", () => {
    const many = Array.from({ length: 100_000 }, (_, index) =>
      exchange({ id: index + 1, start: index, target: `/items/${index % 50}` }),
    );
    const took = processorTimeOf(() => assert.is(found(many).length, 51));
    assert.ok(took < 2_000, `${took} ms`);
  });
});

function items(starts: readonly number[]): Exchange[] {
  return starts.map((start, index) => exchange({ id: index + 1, client: "c", start, target: `/items/${index}` }));
}

function found(exchanges: readonly Exchange[], bodyKey: BodyKey = () => "same body", firstLimit?: number) {
  const sweep = new RepeatSweep(bodyKey, firstLimit);
  for (const exchange of exchanges) sweep.take(exchange);
  return sweep.end();
}

/** Every request that lies in some second of one client's in which five different items are asked for. */
function siblingsOf(exchanges: readonly Exchange[]): Set<ExchangeId> {
  const items = exchanges.filter(({ target }) => target.startsWith("/items/"));
  const bursts = items.map(({ client, instants: { startTime } }) =>
    items.filter((one) => {
      const after = one.instants.startTime - startTime;
      return one.client === client && after >= 0 && after <= 1_000;
    }),
  );
  const large = bursts.filter((burst) => new Set(burst.map(({ target }) => target)).size >= 5);
  return new Set(
    large
      .flat()
      .map(({ id }) => id)
      .toSorted((left, right) => left - right),
  );
}

/** Runs of one request of which each comes within 10 s of the one before, and is no 304. */
function twinsOf(exchanges: readonly Exchange[]): ExchangeId[][] {
  const runs: Exchange[][] = [];
  for (const one of exchanges) {
    const own = runs.findLast(([first]) => first?.client === one.client && first.target === one.target);
    const last = own?.at(-1);
    const isAgain = last !== undefined && one.instants.startTime - last.instants.startTime <= 10_000;
    if (isAgain && statusOf(one.outcome) !== 304) own?.push(one);
    else runs.push([one]);
  }
  return runs.filter(({ length }) => length > 1).map((run) => run.map(({ id }) => id));
}
