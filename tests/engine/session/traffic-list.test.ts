import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { TrafficColumn } from "../../../src/engine/messages/traffic-messages.ts";
import { type Exchange, isError, statusOf } from "../../../src/engine/model/exchange.ts";
import { phasesOf } from "../../../src/engine/model/phases.ts";
import { MARKS, type Remark } from "../../../src/engine/model/remark.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { type Filter, filterOf, isNarrower, isProblem } from "../../../src/engine/session/filter.ts";
import { Judge } from "../../../src/engine/session/judge.ts";
import { matchingExchanges, pickedExchanges } from "../../../src/engine/session/matching-exchanges.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { TrafficList } from "../../../src/engine/session/traffic-list.ts";
import { timedLatencyOf } from "../../../src/engine/stats/endpoint-tally.ts";
import { anyExchanges, eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";

const EVERYTHING = { from: 0, count: 1_000 };
const BY_ID = { column: "id", descending: false } as const;

const latency = (one: Exchange): number => timedLatencyOf(one) ?? Number.NaN;
const status = (one: Exchange): number => statusOf(one.outcome) ?? 0;

/** Each word of the language beside its plain meaning. */
const PLAIN: Readonly<Record<string, (one: Exchange) => boolean>> = {
  "status:5xx": (one) => status(one) >= 500 && status(one) <= 599,
  "status:404": (one) => status(one) === 404,
  "dur>100": (one) => latency(one) > 100,
  "dur<=50": (one) => latency(one) <= 50,
  "size>=2000": ({ encodedBodySize }) => encodedBodySize >= 2_000,
  "size<1k": ({ encodedBodySize }) => encodedBodySize < 1_024,
  "method:get": ({ method }) => method === "GET",
  "host:CDN": ({ origin }) => origin.includes("cdn"),
  "client:curl": ({ client }) => client.includes("curl"),
  "error:": ({ outcome }) => isError(outcome),
  "tag:websocket": ({ tags }) => tags.includes("websocket"),
  'endpoint:"GET https://api.test/users"': ({ endpoint }) => endpoint === "GET https://api.test/users",
  users: ({ target }) => target.includes("users"),
  "PAGE=2": ({ target }) => target.includes("Page=2"),
  "api.test/users?page": ({ origin, target }) =>
    `${origin}${target}`.includes("api.test/users?page") || `${origin}${target}`.includes("api.test/users?Page"),
  "50": (one) => `${one.method} ${one.origin}${one.target} ${status(one)}`.includes("50"),
  post: ({ method }) => method === "POST",
  "*": ({ target }) => target === "*",
};

function filter(text: string): Filter {
  const understood = filterOf(text);
  if (isProblem(understood)) throw new Error(understood.problem);
  return understood;
}

const judgeOf = (session: Session): Judge => new Judge(session, DEFAULT_SETTINGS);

describe("traffic list", (test) => {
  test("every word of the filter language means what it says", () => {
    const words = fc.uniqueArray(fc.constantFrom(...Object.keys(PLAIN)), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(anyExchanges(), words, (exchanges, chosen) => {
        const session = recorded(exchanges);
        const list = new TrafficList(session, filter(chosen.join(" ")));
        const { records, matched, total } = list.read(BY_ID, EVERYTHING, judgeOf(session));
        const expected = exchanges.filter((one) => chosen.every((word) => PLAIN[word]?.(one)));
        assert.equal(
          records.map(({ id }) => id),
          expected.map(({ id }) => id),
          chosen.join(" "),
        );
        assert.equal([matched, total], [expected.length, exchanges.length]);
      }),
      { numRuns: 300 },
    );
  });

  test("what it keeps up with event by event is what a new one finds", () => {
    const words = fc.constantFrom("", "status:5xx", "users", "dur>100", "slow:", "oversized:", "error: slow:");
    fc.assert(
      fc.property(anyExchanges(), words, fc.constantFrom(4, 1_000), (exchanges, word, cap) => {
        const session = new Session(cap);
        const list = new TrafficList(session, filter(word));
        const open: ReturnType<typeof eventsOf> = [];
        for (const made of exchanges) {
          const [first, ...later] = eventsOf(made);
          session.apply(first === undefined ? [] : [first]);
          open.push(...later);
          if (made.id % 3 === 0) session.apply(open.splice(0, 2));
          assert.equal(
            [...list.rows(judgeOf(session))],
            [...new TrafficList(session, filter(word)).rows(judgeOf(session))],
          );
        }
      }),
    );
  });

  test("looked at in parts while the session goes on, it finds what a new one finds", () => {
    const words = fc.constantFrom("", "status:5xx", "users", "dur>100", "slow:");
    fc.assert(
      fc.property(anyExchanges(), words, fc.constantFrom(4, 1_000), fc.nat(60), (exchanges, word, cap, already) => {
        const session = new Session(cap);
        const events = exchanges.map(eventsOf);
        for (const some of events.slice(0, already)) session.apply(some.slice(0, 1));
        const list = new TrafficList(session, filter(word));
        for (const some of [...events.slice(already), ...events.slice(0, already).map((each) => each.slice(1))]) {
          list.advance(1);
          session.apply(some);
        }
        while (!list.advance(1));
        assert.equal(
          [...list.rows(judgeOf(session))],
          [...new TrafficList(session, filter(word)).rows(judgeOf(session))],
        );
      }),
    );
  });

  test("a narrower filter goes on from the wider one's rows, also while the session goes on, and finds what a new one finds", () => {
    const texts = fc.constantFrom(
      "users?page",
      "api.test/users?page=2",
      "host:cdn error:",
      "50",
      "status:5xx Users",
      "comment:retry",
    );
    fc.assert(
      fc.property(
        anyExchanges(),
        texts,
        fc.nat(40),
        fc.nat(60),
        fc.constantFrom(4, 1_000),
        (exchanges, text, cut, already, cap) => {
          const session = new Session(cap);
          const events = exchanges.map(eventsOf);
          for (const some of events.slice(0, already)) session.apply(some);
          const before = filterOf(text.slice(0, cut));
          fc.pre(!isProblem(before) && isNarrower(filter(text), before));
          const wider = new TrafficList(session, isProblem(before) ? [] : before);
          wider.rows(judgeOf(session));
          for (const some of events.slice(already)) {
            session.apply(some.slice(0, 2));
          }
          const list = new TrafficList(session, filter(text), wider);
          for (const some of events.slice(already)) {
            list.advance(1);
            session.apply(some.slice(2));
          }
          assert.equal(
            [...list.rows(judgeOf(session))],
            [...new TrafficList(session, filter(text)).rows(judgeOf(session))],
          );
        },
      ),
    );
  });

  test("a filter that is called narrower matches nothing that the other does not", () => {
    const whole = fc.constantFrom(
      ...Object.keys(PLAIN),
      "host:c",
      "user",
      "api",
      "PAGE",
      "comment:x",
      "é",
      "É",
      "İ",
      "ı",
    );
    const cut = (word: string): fc.Arbitrary<string> =>
      fc.nat(word.length).map((length) => word.slice(0, length === 0 ? undefined : length));
    // Every other pair is a filter and what may have been typed on the way to it.
    const pairs = fc.array(whole, { minLength: 1, maxLength: 3 }).chain((after) => {
      const typed = fc.tuple(...after.map(cut));
      const others = fc.array(whole.chain(cut), { minLength: 1, maxLength: 3 });
      return fc.tuple(fc.constant(after), fc.oneof(typed, others));
    });
    let narrower = 0;
    fc.assert(
      fc.property(anyExchanges(), pairs, (exchanges, [after, before]) => {
        const [a, b] = [filterOf(after.join(" ")), filterOf(before.join(" "))];
        if (isProblem(a) || isProblem(b) || !isNarrower(a, b)) return;
        narrower += 1;
        const session = recorded(exchanges);
        const wide = new Set(new TrafficList(session, b).rows(judgeOf(session)));
        for (const row of new TrafficList(session, a).rows(judgeOf(session))) assert.ok(wide.has(row));
      }),
      { numRuns: 1_000 },
    );
    assert.ok(narrower > 50, `only ${narrower} pairs were told`);
  });

  test("what a wider filter has sorted out is not looked at again", () => {
    const session = recorded([
      exchange({ id: 1, target: "/check" }),
      exchange({ id: 2, target: "/orders" }),
      exchange({ id: 3, target: "/checkout" }),
    ]);
    const wider = new TrafficList(session, filter("check"));
    const looked = (from: TrafficList | null): number => {
      const list = new TrafficList(session, filter("checko"), from);
      let looks = 1;
      while (!list.advance(1)) looks += 1;
      return looks;
    };
    assert.is(looked(wider), 3, "a wider list that has not looked yet says nothing");
    wider.rows(judgeOf(session));
    assert.is(looked(wider), 2);
  });

  test("a part is as many rows as it says; without a filter there is nothing to look at", () => {
    const session = recorded(Array.from({ length: 7 }, (_, index) => exchange({ id: index + 1 })));
    const list = new TrafficList(session, [{ kind: "duration", comparison: ">=", limit: 0 }]);
    assert.equal([list.advance(3), list.advance(3), list.advance(3), list.advance(3)], [false, false, true, true]);
    assert.is(new TrafficList(session, []).advance(3), true);
  });

  test("a text is found wherever it begins and ends: in method, host, path and query, with literal and grouped paths", () => {
    const part = (whole: string) =>
      fc.tuple(fc.nat(whole.length), fc.nat(whole.length)).map(([a, b]) => whole.slice(Math.min(a, b), Math.max(a, b)));
    const target = fc.constantFrom("/users/42?Page=2", "/users/7", "/?st/users", "/a?x=https://api.test/users", "*");
    const origin = fc.constantFrom("https://api.test", "http://api.test:8080", "https://a");
    const whole = fc.tuple(fc.constantFrom("GET", "POST"), origin, target);
    fc.assert(
      fc.property(
        fc.array(whole, { minLength: 1, maxLength: 8 }),
        whole.chain(([method, from, to]) => part(`${method} ${from}${to}`)),
        fc.boolean(),
        (wholes, text, grouped) => {
          // A grouped endpoint's placeholder is found too.
          fc.pre(text.trim() === text && text !== "" && !"{id}".includes(text));
          const session = new Session(1_000, grouped);
          for (const [index, [method, from, to]] of wholes.entries()) {
            session.add(exchange({ id: index + 1, method, origin: from, target: to, status: 204 }));
          }
          const terms: Filter = [{ kind: "text", field: "word", text }];
          const found = [...new TrafficList(session, terms).rows(judgeOf(session))];
          const expected = wholes.flatMap(([method, from, to], row) => {
            const [written, slashed] = [to, `/${to}`].map((path) => `${method} ${from}${path}`.toLowerCase());
            const isIn = [written, to.startsWith("/") ? "" : slashed].some((all) => all?.includes(text.toLowerCase()));
            return isIn || "204".includes(text) ? [row] : [];
          });
          assert.equal(found, expected, text);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("every order is the plain one, without a value last and equal ones by start", () => {
    const keys: Readonly<Record<TrafficColumn, (one: Exchange) => number | string | null>> = {
      id: ({ id }) => id,
      startTime: ({ instants }) => instants.startTime,
      method: ({ method }) => method,
      status: ({ outcome }) => statusOf(outcome),
      path: ({ target }) => `/${target.split("?")[0]}`.replace("//", "/"),
      host: ({ origin }) => origin.split("://")[1] ?? "",
      type: ({ contentType }) => contentType,
      size: ({ encodedBodySize }) => encodedBodySize,
      latency: (one) => timedLatencyOf(one),
      client: ({ client }) => client,
      protocol: ({ protocol }) => protocol,
      server: () => null,
      requestSize: ({ requestBodySize }) => requestBodySize,
      dns: ({ instants }) => phasesOf(instants).dns,
      connect: ({ instants }) => phasesOf(instants).connect,
      tls: ({ instants }) => phasesOf(instants).tls,
      ttfb: ({ instants }) => phasesOf(instants).ttfb,
      transfer: ({ instants }) => phasesOf(instants).transfer,
    };
    const columns = fc.constantFrom(...(Object.keys(keys) as TrafficColumn[]));
    fc.assert(
      fc.property(
        anyExchanges(),
        columns,
        fc.boolean(),
        fc.nat(30),
        fc.nat(30),
        (made, column, descending, from, count) => {
          const session = recorded(made);
          const exchanges = [...iterable(matchingExchanges(session, "", DEFAULT_SETTINGS))];
          const { from: begin = from, records } = new TrafficList(session, []).read(
            { column, descending },
            { from, count },
            judgeOf(session),
          );
          const key = keys[column];
          // Newest first is oldest first turned round, equal ones included.
          const byStart = column === "startTime" && descending ? exchanges.toReversed() : exchanges;
          const expected = byStart.toSorted((a, b) => compare(key(a), key(b), descending));
          assert.equal(
            records.map(({ id }) => id),
            expected.slice(begin, begin + count).map(({ id }) => id),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  test("a head that came slowly does not spoil the order by start time", () => {
    const session = recorded([1, 3, 2].map((id) => exchange({ id, start: 10 * id })));
    const list = new TrafficList(session, []);
    const { records } = list.read({ column: "startTime", descending: true }, EVERYTHING, judgeOf(session));
    assert.equal(
      records.map(({ id }) => id),
      [3, 2, 1],
    );
  });

  test("a record says what is known of an exchange in flight", () => {
    const session = recorded([exchange({ id: 1, start: 7, end: null, target: "/a?b" })]);
    const [record] = new TrafficList(session, []).read(BY_ID, EVERYTHING, judgeOf(session)).records;
    assert.equal([record?.inFlight, record?.status, record?.latency, record?.spans], [true, null, null, []]);
    assert.equal([record?.startTime, record?.target], [7, "/a?b"]);
  });

  test("remarks are found as soon as they are made, and no longer once they are taken back", () => {
    const says = ["mark:", "mark:star", "mark:flag", "comment:", "comment:RETRY", 'comment:"a.b"'] as const;
    const remark = fc.record(
      {
        mark: fc.constantFrom(null, ...MARKS),
        comment: fc.constantFrom("", "retry a.b", "Retry\nlater", "axb"),
      },
      { noNullPrototype: true },
    );
    const steps = fc.array(fc.record({ id: fc.integer({ min: 1, max: 12 }), remark }), { maxLength: 20 });
    fc.assert(
      fc.property(anyExchanges(10), steps, fc.constantFrom(...says), (exchanges, told, word) => {
        const session = recorded(exchanges);
        const list = new TrafficList(session, filter(word));
        const held = new Map<number, Remark>();
        for (const { id, remark } of told) {
          session.remark(id as ExchangeId, remark);
          if (id <= exchanges.length) held.set(id, remark);
          const { records } = list.read(BY_ID, EVERYTHING, judgeOf(session));
          const expected = [...held].filter(([, said]) => saysSo(word, said)).map(([one]) => one);
          assert.equal(
            records.map((record) => record.id),
            expected.sort((a, b) => a - b),
          );
          for (const { id: one, mark, comment } of records) assert.equal({ mark, comment }, held.get(one));
        }
      }),
    );
  });

  test("a long comment is cut in its row", () => {
    const session = recorded([exchange({ id: 1 })]);
    session.remark(1 as ExchangeId, { mark: null, comment: "x".repeat(4_000) });
    const [record] = new TrafficList(session, []).read(BY_ID, EVERYTHING, judgeOf(session)).records;
    assert.is(record?.comment, "x".repeat(200));
  });

  test("a row says which server answered, and rows are in order by it", () => {
    const session = new Session();
    for (const [connection, address] of ["192.0.2.9:443", "[2001:db8::1]:80"].entries()) {
      session.apply([{ type: "connection-opened", id: connection, at: instant(0), address, tls: null }]);
    }
    for (const [index, connection] of [0, 1, 0, 7].entries()) {
      session.apply(eventsOf(exchange({ id: index + 1, start: index, connection })));
    }
    const { records } = new TrafficList(session, []).read(
      { column: "server", descending: true },
      EVERYTHING,
      judgeOf(session),
    );
    assert.equal(
      records.map(({ id, server }) => [id, server]),
      [
        [2, "[2001:db8::1]:80"],
        [1, "192.0.2.9:443"],
        [3, "192.0.2.9:443"],
        [4, null],
      ],
    );
  });

  test("what is picked is the rows between the ends of the stretches, as they lie in that order", () => {
    const sizes = [30, 10, 20, 40];
    const session = recorded(sizes.map((encodedBodySize, index) => exchange({ id: index + 1, encodedBodySize })));
    const sort = { column: "size", descending: true } as const;
    const picked = (...stretches: (readonly [number | null, number | null])[]) =>
      pickedExchanges(
        session,
        {
          filter: "",
          sort,
          stretches: stretches.map(([from, to]) => ({ from: from as ExchangeId, to: to as ExchangeId })),
        },
        DEFAULT_SETTINGS,
      );
    assert.equal(picked([1, 3]), [1, 3]);
    assert.equal(picked([null, 1]), [1, 4]);
    assert.equal(picked([4, 4], [2, null]), [2, 4]);
    assert.equal(picked(), []);
  });

  test("a window that would begin too far down is the last rows", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.nat(12), fc.nat({ max: Number.MAX_SAFE_INTEGER }), (exchanges, count, from) => {
        const session = recorded(exchanges);
        const list = new TrafficList(session, filter(""));
        const judge = judgeOf(session);
        const all = list.read(BY_ID, EVERYTHING, judge).records;
        const begin = Math.min(from, Math.max(0, all.length - count));
        const part = list.read(BY_ID, { from, count }, judge);
        assert.is(part.from, begin);
        assert.equal(part.records, all.slice(begin, begin + count));
      }),
    );
  });
});

function saysSo(word: string, { mark, comment }: Remark): boolean {
  const [name, value = ""] = word.split(":");
  if (name === "mark") return value === "" ? mark !== null : mark === value;
  return comment !== "" && comment.toLowerCase().includes(value.replaceAll('"', "").toLowerCase());
}

function compare(a: number | string | null, b: number | string | null, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (a === b) return 0;
  return a < b === descending ? 1 : -1;
}

function iterable(exchanges: ReturnType<typeof matchingExchanges>): Iterable<Exchange> {
  if ("problem" in exchanges) throw new Error(exchanges.problem);
  return exchanges;
}
