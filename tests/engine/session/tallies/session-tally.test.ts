import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import { endpointOf } from "../../../../src/engine/model/endpoint.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Matcher } from "../../../../src/engine/session/filter/matcher.ts";
import { MatchedRows } from "../../../../src/engine/session/lists/matched-rows.ts";
import { hostCountsOf, occurringValuesOf } from "../../../../src/engine/session/lists/occurring-values.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import type { EndpointTally } from "../../../../src/engine/stats/endpoint-tally.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange, withTarget } from "../../../support/exchange.ts";
import { interleaved } from "../../../support/interleaved.ts";
import { rounds } from "../../../support/rounds.ts";

const PATHS = ["/items/7", "/items/8?page=1", "/items/9", "/users", "/users/9/x", "/{id}", "*"];

/** Exchanges of few paths and operations, with interleaved events and sizes that become known later. */
const anyEvents = fc
  .tuple(
    anyExchanges(60),
    fc.array(fc.tuple(fc.constantFrom(...PATHS), fc.option(fc.nat(9_999)), fc.constantFrom(null, "A", "B")), {
      minLength: 60,
      maxLength: 60,
    }),
    fc.array(fc.tuple(fc.nat(), fc.constant(false)), { minLength: 20, maxLength: 60 }),
  )
  .map(([made, drawn, order]) => {
    const stories = made.map((one, index) => {
      const [target = "/", size = null, name = null] = drawn[index] ?? [];
      return eventsOf(withTarget(one, target)).flatMap((event): CaptureEvent[] => {
        if (event.type !== "exchange-ended") return [event];
        const ended = name === null ? event : { ...event, operation: { kind: "graphql" as const, name } };
        return size === null ? [ended] : [ended, { type: "body-decoded", id: one.id, size, failed: size % 2 === 0 }];
      });
    });
    return interleaved(stories, order);
  });

describe("session tallies", (test) => {
  test("given a regrouping at any time, says what a session says that was grouped so from the start, and back", () => {
    fc.assert(
      fc.property(anyEvents, fc.nat(80), (events, cut) => {
        const [grouped, apart] = [new Session(undefined, new PathTemplates()), new Session()];
        const [folded, split] = [new Session(), new Session(undefined, new PathTemplates())];
        for (const [index, event] of events.entries()) {
          if (index === cut) folded.regroup(new PathTemplates());
          if (index === cut) split.regroup(null);
          for (const session of [grouped, apart, folded, split]) session.apply([event]);
        }
        if (cut >= events.length) folded.regroup(new PathTemplates());
        if (cut >= events.length) split.regroup(null);
        assert.equal(saidBy(folded), saidBy(grouped));
        assert.equal(saidBy(split), saidBy(apart));
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given rows that left, folding keeps their figures, and splitting counts what is left", () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: 1, max: 30 }), (events, cap) => {
        const [grouped, folded] = [new Session(cap, new PathTemplates()), new Session(cap)];
        for (const session of [grouped, folded]) session.apply(events);
        folded.regroup(new PathTemplates());
        assert.equal(talliesOf(folded), talliesOf(grouped));
        grouped.regroup(null);
        const { table } = grouped;
        for (let row = table.firstRow; row < table.nextRow; row += 1) {
          assert.is(table.endpointAt(row), table.literalAt(row));
        }
      }),
      { numRuns: rounds(100) },
    );
  });

  test("given a session regrouped as it was, changes nothing, also of rows that left", () => {
    fc.assert(
      fc.property(anyEvents, fc.integer({ min: 1, max: 30 }), fc.boolean(), (events, cap, isGrouped) => {
        const session = new Session(cap, isGrouped ? new PathTemplates() : null);
        session.apply(events);
        const before = saidBy(session);
        session.regroup(isGrouped ? new PathTemplates() : null);
        assert.equal(saidBy(session), before);
      }),
      { numRuns: rounds(100) },
    );
  });

  test("given deleted exchanges, says what a session says that never had them; shown again, what it said before", () => {
    fc.assert(
      fc.property(
        anyEvents,
        fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }),
        fc.array(fc.nat(3), { minLength: 60, maxLength: 60 }),
        (events, chosen, moments) => {
          const [session, rest, whole] = [new Session(), new Session(), new Session()];
          const ended = events.flatMap((event) => (event.type === "exchange-ended" ? [event.id] : []));
          const gone = new Set(ended.filter((_, position) => chosen[position]));
          /**
           * Whether a body is decoded before the deletion (0), before it is counted, while hidden, or once shown (3).
           */
          const momentOf = (event: CaptureEvent) =>
            event.type === "body-decoded" && gone.has(event.id) ? moments[event.id % moments.length] : 0;
          const at = (moment: number) => session.apply(events.filter((event) => momentOf(event) === moment));
          whole.apply(events);
          rest.apply(events.filter((event) => !("id" in event) || !gone.has(event.id as never)));
          at(0);
          const rows = session.hide([...gone]);
          session.uncount(rows.slice(0, 5));
          at(1);
          session.uncount(rows.slice(5));
          session.recount();
          at(2);
          const renewed = session.renewed();
          assert.equal(shownBy(renewed), shownBy(rest));
          const shown = renewed.show([...gone]);
          at(3);
          renewed.countAgain(shown.slice(0, 5));
          renewed.countAgain(shown.slice(5));
          assert.equal(shownBy(renewed.renewed()), shownBy(whole));
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  test("given one of 2,000 exchanges, deleting it folds and reads no other", () => {
    const session = new Session();
    for (let id = 1; id <= 2_000; id += 1)
      session.add(exchange({ id, target: `/p${id % 7}`, start: id, end: id + (id % 50), encodedBodySize: id % 500 }));
    const { table } = session;
    let read = 0;
    const original = table.exchangeAt.bind(table);
    Object.assign(table, {
      exchangeAt: (row: number) => {
        read += 1;
        return original(row);
      },
    });
    session.uncount(session.hide([999 as ExchangeId]));
    session.recount();
    assert.is(table.size, 1_999);
    assert.ok(read <= 2, `${read} exchanges were read`);
    session.countAgain(session.show([999 as ExchangeId]));
    assert.is(session.summary.counted, 2_000);
    assert.ok(read <= 4, `${read} exchanges were read`);
  });

  test("given more endpoints than are told apart, counts the requests of further ones in the totals alone", () => {
    const session = new Session(undefined, null, 3);
    for (let id = 1; id <= 10; id += 1) session.add(exchange({ id, target: `/p${id % 5}`, end: id, status: 500 }));
    assert.equal(
      session.tallies.counted().map(({ requests }) => requests),
      [2, 2, 2],
    );
    assert.equal([session.unlisted, session.summary.counted, session.summary.errors], [4, 10, 10]);
    assert.equal(
      [session.exchange(4 as never)?.target, session.exchange(4 as never)?.endpoint],
      ["/p4", "GET https://api.test/p4"],
    );
    session.regroup(new PathTemplates());
    assert.is(session.unlisted, 4);
  });

  test("given a WebSocket whose row left, counts it once, under its template", () => {
    const socket = exchange({ end: 9, target: "/rooms/7", status: 101, tags: ["websocket"] });
    for (const cap of [1, 9]) {
      const session = new Session(cap);
      session.apply(eventsOf(socket).slice(0, 2));
      session.apply(eventsOf(exchange({ id: 2, target: "/health" })));
      session.regroup(new PathTemplates());
      const tally = session.tally(endpointOf("GET", "https://api.test", "/rooms/{id}"));
      assert.equal([tally?.requests, tally?.payload.responses], [1, 0]);
      session.apply(eventsOf(socket).slice(2));
      assert.equal([tally?.requests, tally?.payload.responses, session.summary.counted], [1, 1, 2]);
    }
  });

  test("given more than 200 operations of a path, pools the rest and says so; they stay pooled", () => {
    const session = new Session();
    const ask = (id: number, name: string) => {
      for (const event of eventsOf(exchange({ id, target: "/graphql", method: "POST" }))) {
        const isEnd = event.type === "exchange-ended";
        session.apply([isEnd ? { ...event, operation: { kind: "graphql", name } } : event]);
      }
    };
    for (let id = 1; id <= 200; id += 1) ask(id, `Op${id}`);
    assert.not(session.poolsOperations);
    for (let id = 201; id <= 210; id += 1) ask(id, `Op${id}`);
    const pooled = () => session.tally(endpointOf("POST", "https://api.test", "/graphql", "(other operations)"));
    assert.ok(session.poolsOperations);
    assert.is(pooled()?.requests, 10);
    ask(211, "Op7");
    assert.is(session.tally(endpointOf("POST", "https://api.test", "/graphql", "Op7"))?.requests, 2);
    session.regroup(new PathTemplates());
    assert.is(pooled()?.requests, 10);
  });

  test("given twenty siblings, may learn, folds them, and splits off the one that is requested far more often", () => {
    const session = new Session(undefined, new PathTemplates());
    const name = (index: number) => `/tags/${"abcdefghijklmnopqrst"[index]}`;
    let id = 0;
    const ask = (target: string) => {
      id += 1;
      session.add(exchange({ id, target, end: 5 }));
    };
    for (let index = 0; index < 19; index += 1) ask(name(index));
    assert.equal([session.mayLearn, session.learn()], [false, false]);
    for (let again = 0; again < 2; again += 1) for (let index = 0; index < 20; index += 1) ask(name(index));
    assert.ok(session.learn());
    const requestsOf = (path: string) => session.tally(endpointOf("GET", "https://api.test", path))?.requests ?? null;
    assert.equal([requestsOf("/tags/{id}"), requestsOf(name(3))], [59, null]);
    for (let again = 0; again < 37; again += 1) ask(name(3));
    assert.ok(session.mayLearn);
    assert.ok(session.learn());
    assert.equal([requestsOf("/tags/{id}"), requestsOf(name(3))], [56, 40]);
  });
});

/** What lists and figures show, rounded where sums are not exact. */
function shownBy(session: Session): unknown {
  const { table, summary } = session;
  const list = new MatchedRows(session, new Matcher(table, [])).rows();
  const told = {
    tallies: talliesOf(session),
    sizes: session.tallies
      .counted()
      .map(({ payload }) => Array.from(payload.sizes?.values ?? []))
      .sort(),
    rows: Array.from(list, (row) => table.exchangeAt(row)),
    known: Array.from(list, (row) => table.rowOf(table.ids.at(row) as ExchangeId) === row),
    size: table.size,
    exchanges: session.exchanges,
    hosts: [...hostCountsOf(session)].sort(),
    first: table.earliestStart(),
    counted: summary.counted,
    errors: summary.errors,
    bytes: summary.bytes,
    last: table.size === 0 ? null : table.lastTime,
    p95: summary.p95,
    overhead: summary.overheadP95,
    slices: summary.slices().reduce((sum, { requests, errors, bytes }) => sum + requests + errors + bytes, 0),
    methods: occurringValuesOf(session, "method"),
  };
  return JSON.parse(JSON.stringify(told, (_, value) => (typeof value === "number" ? Number(value.toFixed(6)) : value)));
}

/** All counts by endpoint, and each exchange. */
function saidBy(session: Session): unknown {
  const { table } = session;
  const exchanges: Exchange[] = [];
  for (let row = table.firstRow; row < table.nextRow; row += 1) exchanges.push(table.exchangeAt(row));
  return { tallies: talliesOf(session), exchanges, errors: session.summary.errors };
}

function talliesOf({ tallies }: Session): unknown {
  return tallies
    .counted()
    .map(factsOf)
    .sort((one, other) => (one.endpoint < other.endpoint ? -1 : 1));
}

function factsOf(tally: EndpointTally) {
  const { payload } = tally;
  const above: number[] = [];
  tally.forEachAbove(50, (_, id) => above.push(id));
  return {
    endpoint: tally.endpoint,
    requests: tally.requests,
    errors: tally.errors,
    left: tally.left,
    connections: tally.connections,
    greatest: tally.greatest,
    figures: tally.figures(),
    medians: tally.medians(),
    means: tally.means(),
    listedAbove: tally.countListedAbove(50),
    above: above.sort((one, other) => one - other),
    payload: [payload.responses, payload.responseBytes, payload.largest, payload.meanRequest, payload.meanDecoded],
  };
}
