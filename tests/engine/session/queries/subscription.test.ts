import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { FindingsState } from "../../../../src/engine/messages/finding-messages.ts";
import type { ListState } from "../../../../src/engine/messages/list-messages.ts";
import { type FromEngine, keyOf, type ListRecord, type Query } from "../../../../src/engine/messages/messages.ts";
import type { Figures } from "../../../../src/engine/messages/status-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { FoundFindings } from "../../../../src/engine/session/evaluation/found-findings.ts";
import type { Context } from "../../../../src/engine/session/queries/context.ts";
import { Subscription } from "../../../../src/engine/session/queries/subscription.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { foundOf } from "../../../support/found.ts";
import { contextOf, EMPTY_ARCHIVE, NO_INSIGHTS, recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

const TRAFFIC: Query = {
  view: "traffic",
  filter: "",
  sort: { column: "id", descending: false },
  range: { from: 0, count: 8 },
};

/** A window's copy of a list: replaced by a range, patched by a delta whose `from` it has. */
class Replica {
  revision = 0;
  list: ListState | null = null;
  records = new Map<string | number, ListRecord>();

  take(message: FromEngine): void {
    if (message.type !== "window" && message.type !== "delta") throw new Error(`a ${message.type}`);
    if (message.type === "window") this.records = new Map();
    else assert.is(message.from, this.revision);
    const held = new Map(message.records.map((record) => [keyOf(record), record]));
    this.records = new Map(
      message.list.keys.map((key) => {
        const record = held.get(key) ?? this.records.get(key);
        if (record === undefined) throw new Error(`nobody sent ${key}`);
        return [key, record];
      }),
    );
    this.list = message.list;
    this.revision = message.revision;
  }
}

const anyQuery: fc.Arbitrary<Query> = fc.oneof(
  fc.record({
    view: fc.constant("traffic" as const),
    filter: fc.constantFrom("", "users", "slow:", "status:5xx"),
    sort: fc.record({ column: fc.constantFrom("id", "latency", "path", "status"), descending: fc.boolean() }),
    range: fc.record({ from: fc.nat(10), count: fc.nat(12) }),
  }),
  fc.record({
    view: fc.constant("latency" as const),
    filter: fc.constant(""),
    sort: fc.record({ column: fc.constantFrom("p95", "endpoint", "requests"), descending: fc.boolean() }),
    range: fc.constant({ from: 0, count: 5 }),
  }),
  fc.record({
    view: fc.constant("timeline" as const),
    filter: fc.constantFrom("", "status:5xx"),
    between: fc.constantFrom(null, { from: instant(3_000), to: instant(9_000) }),
    range: fc.record({ from: fc.nat(10), count: fc.nat(12) }),
  }),
  fc.record({
    view: fc.constant("payload" as const),
    filter: fc.constant(""),
    sort: fc.record({ column: fc.constantFrom("largest", "oversized", "endpoint"), descending: fc.boolean() }),
    range: fc.constant({ from: 0, count: 5 }),
  }),
  fc.constant({ view: "collecting", filter: "", range: { from: 0, count: 5 } } as const),
  fc.constant({
    ...({ view: "slow", filter: "", cause: "all", endpoint: null, group: null } as const),
    range: { from: 0, count: 5 },
  }),
  fc.constant({ view: "slow-groups", filter: "", cause: "all", endpoint: null, range: { from: 0, count: 5 } } as const),
);

describe("subscription", (test) => {
  test("given any queries, a replica that applies deltas equals a new full answer", () => {
    fc.assert(
      fc.property(anyExchanges(40), anyQuery, anyQuery, fc.constantFrom(6, 1_000), (exchanges, query, other, cap) => {
        const session = new Session(cap);
        const subscription = new Subscription(7, query);
        const replica = new Replica();
        exchanges.forEach((made, index) => {
          session.apply(eventsOf(made));
          if (index === 20) subscription.setQuery(other);
          const message = nextOf(subscription, contextOf(session));
          if (message !== null) {
            replica.take(message);
            subscription.acknowledge(replica.revision);
          }
          const fresh = nextOf(new Subscription(1, index < 20 ? query : other), contextOf(session));
          assert.ok(fresh?.type === "window");
          assert.equal(replica.list, fresh.list);
          assert.equal([...replica.records.values()], fresh.records);
        });
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given a first and a later answer, the first is complete and the later has only new rows", () => {
    const session = recorded([exchange({ id: 1 })]);
    const subscription = new Subscription(7, TRAFFIC);
    const first = nextOf(subscription, contextOf(session));
    assert.equal([first?.type, first !== null && "revision" in first && first.revision], ["window", 1]);
    subscription.acknowledge(1);
    session.apply(eventsOf(exchange({ id: 2, start: 1 })));
    const second = nextOf(subscription, contextOf(session));
    assert.ok(second?.type === "delta");
    assert.equal([second.from, second.revision, second.list.keys, second.records.map(keyOf)], [1, 2, [1, 2], [2]]);
  });

  test("given no acknowledgement or no change, sends nothing", () => {
    const session = recorded([exchange({ id: 1 })]);
    const subscription = new Subscription(7, TRAFFIC);
    assert.is(nextOf(subscription, contextOf(session))?.type, "window");
    session.apply(eventsOf(exchange({ id: 2, start: 1 })));
    assert.is(nextOf(subscription, contextOf(session)), null);
    subscription.acknowledge(9);
    subscription.acknowledge(0);
    assert.is(nextOf(subscription, contextOf(session)), null);
    subscription.acknowledge(1);
    assert.is(nextOf(subscription, contextOf(session))?.type, "delta");
    subscription.acknowledge(2);
    assert.is(nextOf(subscription, contextOf(session)), null);
  });

  test("given a change outside the range, sends only the totals", () => {
    const session = recorded([exchange({ id: 1 }), exchange({ id: 2, start: 1 })]);
    const subscription = new Subscription(7, { ...TRAFFIC, range: { from: 0, count: 2 } });
    nextOf(subscription, contextOf(session));
    subscription.acknowledge(1);
    session.apply(eventsOf(exchange({ id: 3, start: 2 })));
    const delta = nextOf(subscription, contextOf(session));
    assert.ok(delta?.type === "delta");
    assert.equal([delta.records, delta.list.total, delta.list.keys], [[], 3, [1, 2]]);
  });

  test("given another session, sends a full answer instead of a delta", () => {
    const subscription = new Subscription(7, TRAFFIC);
    nextOf(subscription, contextOf(recorded([exchange({ id: 1 })])));
    subscription.acknowledge(1);
    const message = nextOf(subscription, contextOf(recorded([exchange({ id: 1, target: "/other" })])));
    assert.ok(message?.type === "window");
    assert.is(message.revision, 2);
  });

  test("given an invalid filter, refuses it once with a sentence, and answers the next one in full", () => {
    const session = recorded([exchange({ id: 1 })]);
    const subscription = new Subscription(7, { ...TRAFFIC, filter: "status:abc" });
    const refused = nextOf(subscription, contextOf(session));
    assert.ok(refused?.type === "refused");
    assert.match(refused.problem, /not a status/);
    subscription.acknowledge(1);
    session.apply(eventsOf(exchange({ id: 2, start: 1 })));
    assert.is(nextOf(subscription, contextOf(session)), null);
    subscription.setQuery(TRAFFIC);
    assert.is(nextOf(subscription, contextOf(session))?.type, "window");
  });

  test("given a value query, sends the value again only if it changed", () => {
    const session = recorded([exchange({ id: 1 })]);
    const subscription = new Subscription(7, { view: "summary" });
    const context = contextOf(session, { now: 1_000 });
    assert.is(nextOf(subscription, context)?.type, "value");
    subscription.acknowledge(1);
    assert.is(nextOf(subscription, context), null);
    assert.is(nextOf(subscription, { ...context, now: contextOf(session, { now: 30_000 }).now })?.type, "value");
  });

  test("given queries for status, exchange, endpoint and messages, answers each", () => {
    const session = recorded([exchange({ id: 1 })]);
    const { id, endpoint } = exchange();
    const record = {
      index: 0,
      at: exchange().instants.startTime,
      side: "request",
      kind: "text",
      size: 1,
      preview: "a",
      cut: false,
    } as const;
    const archive = {
      ...EMPTY_ARCHIVE,
      bodyOf: () => ({ kept: 0 }),
      messageCount: () => 1,
      prepareMessages: () => true,
      messagesOf: () => [record],
    };
    const answer = (query: Query): FromEngine | null =>
      nextOf(new Subscription(1, query), contextOf(session, { archive }));
    const messages = answer({ view: "messages", exchange: id, range: { from: 0, count: 9 } });
    assert.ok(messages?.type === "window");
    assert.equal(messages.records, [record]);
    for (const query of [{ view: "status" }, { view: "exchange", exchange: id }] as const) {
      const message = answer(query);
      assert.ok(message?.type === "value" && message.value !== null);
    }
    const none = answer({ view: "endpoint", endpoint });
    assert.ok(none?.type === "value" && none.value === null);
  });

  test(
    "given very long addresses, an answer stays below 1 MB",
    () => {
      const target = `/${"é".repeat(60_000)}`;
      const session = recorded(
        Array.from({ length: 40 }, (_, index) => exchange({ id: index + 1, target: `${target}?${index}` })),
      );
      const message = nextOf(new Subscription(1, { ...TRAFFIC, range: { from: 0, count: 40 } }), contextOf(session));
      assert.ok(message?.type === "window" && message.records.length > 0 && message.list.matched === 40);
      assert.ok(Buffer.byteLength(JSON.stringify(message)) < 1_000_000);
    },
    { isLong: true },
  );

  test("given a filter by a header, reads stored heads in slices before the rows are looked for", () => {
    const session = recorded(Array.from({ length: 2_500 }, (_, index) => exchange({ id: index + 1, end: 5 })));
    let read = 0;
    const headsOf = (id: ExchangeId) => {
      read += 1;
      return { request: "", response: `HTTP/1.1 200 OK\r\nX-Cache: ${Number(id) % 2 === 0 ? "HIT" : "MISS"}\r\n\r\n` };
    };
    const context = contextOf(session, { archive: { ...EMPTY_ARCHIVE, headReader: () => headsOf } });
    const subscription = new Subscription(1, { ...TRAFFIC, filter: "resp.x-cache:miss" });
    let [slices, before] = [0, 0];
    let message = nextOf(subscription, context);
    for (; subscription.isPreparing; message = nextOf(subscription, context)) {
      assert.ok(read - before <= 256);
      before = read;
      slices += 1;
    }
    assert.ok(message?.type === "window" && message.list.matched === 1_250);
    assert.ok(slices >= 2);
    assert.is(read, 2_500);
    subscription.acknowledge(1);
    subscription.setQuery({ ...TRAFFIC, filter: "-resp.x-cache:hit" });
    assert.ok(nextOf(subscription, context)?.type === "window");
    assert.is(read, 2_500, "what was read is known for other values");
  });

  test("given a filter by findings, refuses it before the first results and then applies it to every view", () => {
    const session = recorded([1, 2, 3].map((id) => exchange({ id, end: 5, target: `/${id}` })));
    let found: FoundFindings | null = null;
    const insights = { ...NO_INSIGHTS, ranked: () => ({ progress: 1, leftOut: 0, found }) };
    const answer = (query: Query) => nextOf(new Subscription(1, query), contextOf(session, { insights }));
    const filter = "finding:errors";
    const early = answer({ ...TRAFFIC, filter });
    assert.ok(early?.type === "refused" && early.problem === "Weir is still looking for findings.");
    found = foundOf([
      ["errors", [2]],
      ["retries", [3]],
    ]);
    const list = answer({ ...TRAFFIC, filter });
    assert.ok(list?.type === "window");
    assert.equal(list.list.keys, [2]);
    const shown = answer({ view: "findings", filter });
    assert.ok(shown?.type === "value");
    assert.equal([(shown.value as FindingsState).found?.matched, (shown.value as FindingsState).found?.total], [1, 2]);
    const figures = answer({ view: "figures", filter });
    assert.ok(figures?.type === "value");
    assert.is((figures.value as Figures).exchanges, 1);
    const sort = { column: "requests", descending: true } as const;
    const collecting = answer({ view: "collecting", filter, range: { from: 0, count: 9 } });
    assert.ok(collecting?.type === "window");
    assert.equal([collecting.list.matched, collecting.list.total], [1, 3]);
    const latency = answer({ view: "latency", filter, sort, range: { from: 0, count: 9 } });
    assert.ok(latency?.type === "window" && latency.list.matched === 0);
  });

  test("given a changed threshold, sends the newly slow requests at once", () => {
    const session = recorded([exchange({ id: 1, end: 90 })]);
    const subscription = new Subscription(1, {
      view: "slow",
      filter: "",
      cause: "all",
      endpoint: null,
      group: null,
      range: { from: 0, count: 5 },
    });
    nextOf(subscription, contextOf(session));
    subscription.acknowledge(1);
    const delta = nextOf(subscription, contextOf(session, { settings: { fixedThreshold: 50 } }));
    assert.ok(delta?.type === "delta");
    assert.equal(delta.list.keys, [1]);
  });
});

function nextOf(subscription: Subscription, context: Context): FromEngine | null {
  const text = subscription.next(context);
  return text === null ? null : JSON.parse(text);
}
