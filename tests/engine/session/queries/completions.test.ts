import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { fieldsOf } from "../../../../src/engine/model/head.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Completions } from "../../../../src/engine/session/queries/completions.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { foundOf } from "../../../support/found.ts";
import { contextOf, EMPTY_ARCHIVE, NO_INSIGHTS } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

/** A session whose heads are stored. */
class Stored {
  readonly session = new Session();
  readonly #heads = new Map<ExchangeId, { readonly request: string; readonly response: string | null }>();

  add(exchanges: readonly Exchange[]): void {
    for (const one of exchanges) {
      const events = eventsOf(one);
      const [request = "", response = null] = events.flatMap((event) => ("head" in event ? [event.head] : []));
      this.#heads.set(one.id, { request, response });
      this.session.apply(events);
    }
  }

  get context(): ReturnType<typeof contextOf> {
    return contextOf(this.session, {
      archive: { ...EMPTY_ARCHIVE, headReader: () => (id) => this.#heads.get(id) ?? null },
    });
  }

  namesOf(side: "request" | "response"): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const heads of this.#heads.values())
      for (const name of new Set(fieldsOf(heads[side] ?? "").map((field) => field.name.toLowerCase())))
        counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }
}

const mapOf = (values: readonly { readonly value: string; readonly exchanges: number }[]) =>
  new Map(values.map(({ value, exchanges }) => [value, exchanges]));

const sorted = (counts: ReadonlyMap<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));

describe("filter completions", (test) => {
  test("given exchanges before and after, counts header names by exchange, in slices", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.nat({ max: 60 }), fc.integer({ min: 1, max: 9 }), (exchanges, before, most) => {
        const stored = new Stored();
        const completions = new Completions();
        for (const some of [exchanges.slice(0, before), exchanges.slice(before)]) {
          stored.add(some);
          while (!completions.prepare("resp.", stored.context, most));
          for (const [key, side] of [
            ["req.", "request"],
            ["resp.", "response"],
          ] as const) {
            const told = mapOf(completions.of(key, stored.context));
            const counts = stored.namesOf(side);
            assert.is(told.size, counts.size);
            for (const [name, count] of counts) assert.is(told.get(name), count, name);
          }
        }
      }),
    );
  });

  test("given a response that arrives after its exchange was counted, counts its headers then", () => {
    const session = new Session();
    const completions = new Completions();
    const events = eventsOf(exchange({ id: 1, end: 5, contentType: "a/b" }));
    const [started, answered] = events;
    assert.ok(started !== undefined && answered?.type === "response-started");
    let response: string | null = null;
    const archive = { ...EMPTY_ARCHIVE, headReader: () => () => ({ request: "", response }) };
    session.apply([started]);
    assert.equal(completions.of("resp.", contextOf(session, { archive })), []);
    session.apply(events.slice(1));
    response = answered.head;
    const told = completions.of("resp.", contextOf(session, { archive }));
    assert.equal(told, [{ value: "content-type", exchanges: 1 }]);
  });

  test("given requests in flight without a response, reads no head of them, and each other head once", () => {
    const drawn = fc.array(fc.boolean(), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(drawn, fc.integer({ min: 1, max: 9 }), (arePending, most) => {
        const session = new Session();
        const completions = new Completions();
        const all = arePending.map((_, index) => eventsOf(exchange({ id: index + 1, end: 5, contentType: "a/b" })));
        let reads: ExchangeId[] = [];
        const response = "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\n\r\n";
        const headReader = () => (id: ExchangeId) => {
          reads.push(id);
          return { request: "", response };
        };
        const context = contextOf(session, { archive: { ...EMPTY_ARCHIVE, headReader } });
        const readAll = () => {
          const found: ExchangeId[] = [];
          for (let isDone = false; !isDone; ) {
            reads = [];
            isDone = completions.prepare("resp.", context, most);
            assert.ok(reads.length <= most);
            found.push(...reads);
          }
          return found.toSorted((one, other) => one - other);
        };
        const idsOf = (isPending: boolean) =>
          arePending.flatMap((one, index) => (one === isPending ? index + 1 : [])) as ExchangeId[];
        for (const [index, events] of all.entries()) session.apply(arePending[index] ? events.slice(0, 1) : events);
        assert.equal(readAll(), idsOf(false));
        assert.equal(readAll(), []);
        for (const [index, events] of all.entries()) if (arePending[index]) session.apply(events.slice(1, 2));
        assert.equal(readAll(), idsOf(true));
        assert.equal(completions.of("resp.", context), [{ value: "content-type", exchanges: all.length }]);
      }),
    );
  });

  test("given targets, the parameters of their queries are counted by exchange, and their values, in slices", () => {
    const name = fc.constantFrom("a", "A", "b b", "");
    const value = fc.constantFrom("1", "x y", "", "&");
    const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(query, { maxLength: 40 }), fc.nat({ max: 40 }), (queries, before) => {
        const targets = queries.map((pairs) => (pairs.length === 0 ? "/" : `/?${new URLSearchParams(pairs)}`));
        const stored = new Stored();
        const completions = new Completions();
        const counted = (partsOf: (pairs: URLSearchParams) => Iterable<string>) => {
          const counts = new Map<string, number>();
          for (const target of targets.slice(0, stored.session.exchanges))
            for (const part of new Set(partsOf(new URL(target, "https://a.test").searchParams)))
              counts.set(part, (counts.get(part) ?? 0) + 1);
          return counts;
        };
        const all = targets.map((target, index) => exchange({ id: index + 1, end: 5, target }));
        for (const some of [all.slice(0, before), all.slice(before)]) {
          stored.add(some);
          while (!completions.prepare("q.", stored.context, 1));
          const names = mapOf(completions.of("q.", stored.context));
          assert.equal(sorted(names), sorted(counted((pairs) => pairs.keys())));
          for (const each of ["a", "A", "none"]) {
            const values = mapOf(completions.of(`q.${each}`, stored.context));
            assert.equal(sorted(values), sorted(counted((pairs) => pairs.getAll(each))), each);
          }
        }
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given a header, completes its values, and none for an unknown header", () => {
    const stored = new Stored();
    stored.add(["a/b", "a/b", "c/d"].map((contentType, index) => exchange({ id: index + 1, end: 5, contentType })));
    const completions = new Completions();
    assert.equal(completions.of("resp.Content-Type", stored.context), [
      { value: "a/b", exchanges: 2 },
      { value: "c/d", exchanges: 1 },
    ]);
    assert.equal(completions.of("resp.x-none", stored.context), []);
  });

  test("given findings, completes their kinds by exchanges, and none before the first results", () => {
    const { context } = new Stored();
    const found = foundOf([
      ["errors", [1]],
      ["retries", [2, 3]],
    ]);
    const ranked = () => ({ progress: 1, leftOut: 0, found });
    const completions = new Completions();
    assert.equal(completions.of("finding", { ...context, insights: { ...NO_INSIGHTS, ranked } }), [
      { value: "retries", exchanges: 2 },
      { value: "errors", exchanges: 1 },
    ]);
    assert.equal(completions.of("finding", context), []);
  });
});
