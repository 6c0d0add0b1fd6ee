import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { TRAFFIC_COLUMNS } from "../../../../src/engine/messages/traffic-messages.ts";
import { type Annotation, MARKS } from "../../../../src/engine/model/annotation.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Matcher } from "../../../../src/engine/session/filter/matcher.ts";
import { MatchedRows } from "../../../../src/engine/session/lists/matched-rows.ts";
import { JudgedRows, TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { BY_ID, EVERYTHING, filter, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

describe("traffic list in the engine", (test) => {
  test("given a filter with many conditions, checks fewer rows per step", () => {
    const session = recorded(Array.from({ length: 3_000 }, (_, index) => exchange({ id: index + 1 })));
    const slicesOf = (conditions: number): number => {
      const words = Array.from({ length: conditions }, (_, index) => `status:${300 + index}`);
      const list = new TrafficList(session, filter(words.join(" OR ")));
      let slices = 1;
      while (!list.advance()) slices += 1;
      return slices;
    };
    assert.is(slicesOf(1), 1);
    assert.is(slicesOf(100), 2);
  });

  test("given a request that names an operation, its row has the operation once the exchange has ended", () => {
    const session = new Session();
    const operationNow = () =>
      new TrafficList(session, []).read(BY_ID, EVERYTHING, judgeOf(session)).records.map(({ operation }) => operation);
    const events = eventsOf(exchange({ method: "POST", target: "/graphql?v=2", operation: "GetUser", end: 20 }));
    session.apply(events.slice(0, 1));
    assert.equal(operationNow(), [null]);
    session.apply(events.slice(1));
    assert.equal(operationNow(), ["GetUser"]);
  });

  test("given events one by one, the list equals a new list after each", () => {
    const words = fc.constantFrom("", "status:5xx", "users", "dur>100", "slow:", "oversized:", "error: slow:");
    fc.assert(
      fc.property(anyExchanges(), words, fc.constantFrom(4, 1_000), fc.nat(60), (exchanges, word, cap, lowered) => {
        const session = new Session(cap);
        const list = new TrafficList(session, filter(word));
        const open: ReturnType<typeof eventsOf> = [];
        for (const made of exchanges) {
          const [first, ...later] = eventsOf(made);
          session.apply(first === undefined ? [] : [first]);
          open.push(...later);
          if (made.id % 3 === 0) session.apply(open.splice(0, 2));
          if (made.id === lowered) session.setRowCap(2);
          assert.equal(
            [...list.rows(judgeOf(session))],
            [...new TrafficList(session, filter(word)).rows(judgeOf(session))],
          );
        }
      }),
    );
  });

  test("given a search in steps while events arrive, the list equals a new list", () => {
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

  test("given 7 rows in steps of 3, ends at the third step", () => {
    const session = recorded(Array.from({ length: 7 }, (_, index) => exchange({ id: index + 1 })));
    const list = new TrafficList(session, [{ kind: "duration", comparison: ">=", limit: 0 }]);
    assert.equal([list.advance(3), list.advance(3), list.advance(3), list.advance(3)], [false, false, true, true]);
  });

  test("given an exchange in flight, its record has no status, latency or phases", () => {
    const session = recorded([exchange({ id: 1, start: 7, end: null, target: "/a?b" })]);
    const [record] = new TrafficList(session, []).read(BY_ID, EVERYTHING, judgeOf(session)).records;
    assert.equal([record?.inFlight, record?.status, record?.latency, record?.spans], [true, null, null, []]);
    assert.equal([record?.startTime, record?.target], [7, "/a?b"]);
  });

  test("given a response head in flight, its status is known and found but is no error yet", () => {
    const session = recorded([exchange({ id: 1, end: null })]);
    const found = (text: string) =>
      new TrafficList(session, filter(text)).read(BY_ID, EVERYTHING, judgeOf(session)).records;
    const answer = (status: number): void => {
      const head = `HTTP/1.1 ${status} Said\r\n\r\n`;
      session.apply([{ type: "response-started", id: 1 as ExchangeId, at: instant(9), status, head }]);
    };
    answer(100);
    answer(503);
    assert.equal(
      found("status:5xx").map(({ status, inFlight }) => [status, inFlight]),
      [[503, true]],
    );
    assert.is(found("error:").length, 0);
  });

  test("given any order and filter, an exchange's index is its index in the list, or null", () => {
    const sorts = fc.record({ column: fc.constantFrom(...TRAFFIC_COLUMNS), descending: fc.boolean() });
    const words = fc.constantFrom("", "status:5xx", "users", "error:");
    fc.assert(
      fc.property(anyExchanges(), sorts, words, fc.constantFrom(4, 1_000), (exchanges, sort, word, cap) => {
        const session = recorded(exchanges, cap);
        const list = new TrafficList(session, filter(word));
        const evaluator = judgeOf(session);
        const ids = list.read(sort, EVERYTHING, evaluator).records.map(({ id }) => id);
        for (const { id } of exchanges) {
          const index = ids.indexOf(id);
          assert.is(list.positionOf(id, sort, evaluator), index < 0 ? null : index);
        }
      }),
    );
  });

  test("given annotations, filters find them once made and no longer once removed", () => {
    const says = ["mark:", "mark:star", "mark:flag", "comment:", "comment:RETRY", 'comment:"a.b"'] as const;
    const annotation = fc.record(
      {
        mark: fc.constantFrom(null, ...MARKS),
        comment: fc.constantFrom("", "retry a.b", "Retry\nlater", "axb"),
      },
      { noNullPrototype: true },
    );
    const steps = fc.array(fc.record({ id: fc.integer({ min: 1, max: 12 }), annotation }), { maxLength: 20 });
    fc.assert(
      fc.property(anyExchanges(10), steps, fc.constantFrom(...says), (exchanges, told, word) => {
        const session = recorded(exchanges);
        const list = new TrafficList(session, filter(word));
        const held = new Map<number, Annotation>();
        for (const { id, annotation } of told) {
          session.annotate(id as ExchangeId, annotation);
          if (id <= exchanges.length) held.set(id, annotation);
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

  test("given a long comment, cuts it in the row", () => {
    const session = recorded([exchange({ id: 1 })]);
    session.annotate(1 as ExchangeId, { mark: null, comment: "x".repeat(4_000) });
    const [record] = new TrafficList(session, []).read(BY_ID, EVERYTHING, judgeOf(session)).records;
    assert.is(record?.comment, "x".repeat(200));
  });

  test("given a range beyond the end, returns the last rows", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.nat(12), fc.nat({ max: Number.MAX_SAFE_INTEGER }), (exchanges, count, from) => {
        const session = recorded(exchanges);
        const list = new TrafficList(session, filter(""));
        const evaluator = judgeOf(session);
        const all = list.read(BY_ID, EVERYTHING, evaluator).records;
        const begin = Math.min(from, Math.max(0, all.length - count));
        const part = list.read(BY_ID, { from, count }, evaluator);
        assert.is(part.from, begin);
        assert.equal(part.records, all.slice(begin, begin + count));
      }),
    );
  });
});

function saysSo(word: string, { mark, comment }: Annotation): boolean {
  const [name, value = ""] = word.split(":");
  if (name === "mark") return value === "" ? mark !== null : mark === value;
  return comment !== "" && comment.toLowerCase().includes(value.replaceAll('"', "").toLowerCase());
}

/** Far more rows than are kept beyond a range. */
const MANY = 700;

/** The oldest take longest, so that the row cap evicts the first of them; some end later, or are refused. */
function drawn(index: number, dice: number): Exchange {
  const latency = dice % 3 === 0 ? (dice % 400) + 1 : 1_000 - index;
  const status = dice % 5 === 0 ? 500 : 200;
  return exchange({ id: index + 1, start: index, end: index + latency, status, target: `/${dice % 50}` });
}

describe("first rows of the traffic list", (test) => {
  test("given any additions, changes and evictions, are those that a new list finds", () => {
    const sort = fc.record({
      column: fc.constantFrom("latency" as const, "path" as const, "status" as const),
      descending: fc.boolean(),
    });
    const step = fc.record({
      kind: fc.constantFrom("begin", "begin", "end", "end", "read", "read", "annotation", "leave"),
      dice: fc.nat(10_000),
      many: fc.integer({ min: 1, max: 60 }),
    });
    const steps = fc.array(step, { minLength: 20, maxLength: 40 });
    const range = fc.record({ from: fc.nat(5), count: fc.integer({ min: 1, max: 20 }) });
    fc.assert(
      fc.property(
        fc.nat(999),
        sort,
        range,
        fc.constantFrom("", "status:200"),
        steps,
        (seed, sorted, window, word, all) => {
          const session = new Session();
          const open: ReturnType<typeof eventsOf>[] = [];
          const begin = (dice: number): void => {
            const [started, ...later] = eventsOf(drawn(session.exchanges, dice));
            if (started !== undefined) session.apply([started]);
            open.push(later);
          };
          const end = (dice: number): void => session.apply(open.splice(dice % Math.max(1, open.length), 1).flat());
          for (let index = 0; index < MANY; index += 1) {
            begin((index * (seed + 7_919)) % 10_007);
            if (index % 4 > 0) end(index);
          }
          const list = new TrafficList(session, filter(word));
          for (const { kind, dice, many } of all) {
            for (let time = 0; time < many; time += 1) {
              if (kind === "begin") begin(dice + time);
              if (kind === "end") end(dice + time);
              if (kind === "annotation")
                session.annotate(session.table.ids.at(dice % MANY) as Exchange["id"], { mark: "star", comment: "" });
            }
            if (kind === "leave")
              session.setRowCap(Math.max(1, session.table.nextRow - session.table.firstRow - 2 * many));
            const evaluator = judgeOf(session);
            const expected = new TrafficList(session, filter(word)).read(sorted, window, evaluator);
            assert.equal(list.read(sorted, window, evaluator), expected);
          }
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});

const WORDS = ["slow:", "oversized:", "-slow:", "status:5xx", "users", "dur>100", "error:", "finding:errors"];

/** Conditions joined by OR, in groups, some of them negated. */
const FILTERS = fc
  .array(fc.tuple(fc.boolean(), fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 })), {
    minLength: 1,
    maxLength: 3,
  })
  .map((groups) => groups.map(([isNot, words]) => `${isNot ? "-" : ""}(${words.join(" OR ")})`).join(" "));

describe("traffic rows by statistics-dependent filters", (test) => {
  test("given any filter, are the rows that match one by one, also after more was captured", () => {
    fc.assert(
      fc.property(
        FILTERS,
        anyExchanges(),
        anyExchanges(),
        fc.integer({ min: 1, max: 9 }),
        (text, first, more, most) => {
          const session = new Session();
          const matcher = new Matcher(session.table, filter(text));
          const own = new MatchedRows(session, matcher);
          const judged = new JudgedRows(session, matcher.judged);
          let id = 0;
          for (const exchanges of [first, more]) {
            for (const one of exchanges) {
              id += 1;
              session.apply(eventsOf({ ...one, id: id as typeof one.id }));
            }
            judged.advance(most);
            const evaluator = judgeOf(session);
            const one = new Matcher(session.table, filter(text));
            const { firstRow, nextRow } = session.table;
            const rows = Array.from({ length: nextRow - firstRow }, (_, position) => firstRow + position);
            assert.equal(
              [...judged.among(own.rows(), evaluator)],
              rows.filter((row) => one.matches(row) && one.matchesNow(row, evaluator)),
            );
          }
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  test("given many rows of which few are slow, tests none of them by itself", () => {
    const session = recorded(
      Array.from({ length: 2_000 }, (_, index) =>
        exchange({ id: index + 1, start: index * 10, end: index * 10 + (index % 100 === 99 ? 900 : 5) }),
      ),
    );
    const evaluator = judgeOf(session);
    let tested = 0;
    const isSlow = evaluator.isSlow.bind(evaluator);
    evaluator.isSlow = (row) => {
      tested += 1;
      return isSlow(row);
    };
    const { judged } = new Matcher(session.table, filter("slow: OR status:404"));
    const rows = Uint32Array.from({ length: 2_000 }, (_, row) => row);
    assert.is(new JudgedRows(session, judged).among(rows, evaluator).length, 20);
    assert.is(tested, 0);
  });
});
