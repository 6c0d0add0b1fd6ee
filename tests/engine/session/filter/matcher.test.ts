import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Side } from "../../../../src/engine/capture/event.ts";
import { PathTemplates } from "../../../../src/engine/insights/path-templates.ts";
import {
  type Exchange,
  failedAfterOf,
  isError,
  statusOf,
  timedLatencyOf,
} from "../../../../src/engine/model/exchange.ts";
import type { FindingKind } from "../../../../src/engine/model/finding.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import { NO_BODIES, NO_RANKED } from "../../../../src/engine/session/evaluation/insights.ts";
import { HeaderReading } from "../../../../src/engine/session/filter/header-reading.ts";
import type { Filter } from "../../../../src/engine/session/filter/term.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { foundOf } from "../../../support/found.ts";
import { BY_ID, EVERYTHING, filter, judgeOf } from "../../../support/list-questions.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

const latency = (one: Exchange): number => timedLatencyOf(one) ?? Number.NaN;
const duration = (one: Exchange): number => timedLatencyOf(one) ?? failedAfterOf(one) ?? Number.NaN;
const status = (one: Exchange): number => statusOf(one.outcome) ?? 0;

/** Terms of the filter language, each with a direct implementation. */
const PLAIN: Readonly<Record<string, (one: Exchange) => boolean>> = {
  "status:5xx": (one) => status(one) >= 500 && status(one) <= 599,
  "status:404": (one) => status(one) === 404,
  "dur>100": (one) => duration(one) > 100,
  "dur<=50": (one) => duration(one) <= 50,
  "latency>100": (one) => latency(one) > 100,
  "latency<=50": (one) => latency(one) <= 50,
  "size>=2000": ({ encodedBodySize }) => encodedBodySize >= 2_000,
  "size<1k": ({ encodedBodySize }) => encodedBodySize < 1_024,
  "method:get": ({ method }) => method === "GET",
  "host:CDN": ({ origin }) => origin.includes("cdn"),
  "type:HTML": ({ contentType }) => contentType?.includes("html") === true,
  "protocol:http/1": ({ protocol }) => protocol.includes("http/1"),
  "client:curl": ({ client }) => client.includes("curl"),
  "error:": ({ outcome }) => isError(outcome),
  "tag:websocket": ({ tags }) => tags.includes("websocket"),
  "tag:repaired": ({ tags }) => tags.some((tag) => tag.startsWith("repaired:")),
  'endpoint:"GET https://api.test/users"': ({ endpoint }) => endpoint === "GET https://api.test/users",
  users: ({ target }) => target.includes("users"),
  "PAGE=2": ({ target }) => target.includes("Page=2"),
  "api.test/users?page": ({ origin, target }) =>
    `${origin}${target}`.includes("api.test/users?page") || `${origin}${target}`.includes("api.test/users?Page"),
  "50": (one) => `${one.method} ${one.origin}${one.target} ${status(one)}`.includes("50"),
  post: ({ method }) => method === "POST",
  "*": ({ target }) => target === "*",
  "path:SERS": ({ target }) => target.split("?")[0]?.includes("sers") === true,
  "q.Page:2": ({ target }) => new URLSearchParams(target.split("?")[1] ?? "").getAll("Page").includes("2"),
  "q.Page:": ({ target }) => new URLSearchParams(target.split("?")[1] ?? "").has("Page"),
  "method:get,put": ({ method }) => method === "GET" || method === "PUT",
  "status:404,5xx": (one) => status(one) === 404 || (status(one) >= 500 && status(one) <= 599),
};

function hasResponse({ outcome }: Exchange): boolean {
  return outcome !== null && outcome.status !== null;
}

describe("filter matcher", (test) => {
  test("given any filter terms, matches the exchanges of their plain definitions", () => {
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
      { numRuns: rounds(300) },
    );
  });

  test("given alternatives and groups, also of what is judged, lists what holds for any of them", () => {
    const ends = [...Array.from({ length: 40 }, () => 10), 5_000];
    const word = fc.constantFrom("slow:", "-oversized:", ...Object.keys(PLAIN));
    const choices = fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anyExchanges(), choices, fc.boolean(), word, (exchanges, of, isExcluded, beside) => {
        const drawn = exchanges.map((one, at) => ({ ...one, id: (at + 42) as ExchangeId }));
        const all = [...ends.map((end, at) => exchange({ id: at + 1, end, target: "/steady" })), ...drawn];
        const session = recorded(all);
        const evaluator = judgeOf(session);
        const listed = (text: string) =>
          new TrafficList(session, filter(text)).read(BY_ID, EVERYTHING, evaluator).records.map(({ id }) => id);
        const judged = { "slow:": new Set(listed("slow:")), "-oversized:": new Set(listed("-oversized:")) };
        const holds = (name: string, one: Exchange) => {
          return name in judged ? judged[name as keyof typeof judged].has(one.id) : PLAIN[name]?.(one) === true;
        };
        const text = `${isExcluded ? "-" : ""}(${of.map((words) => words.join(" ")).join(" OR ")}) ${beside}`;
        assert.equal(
          listed(text),
          all
            .filter(
              (one) => of.some((words) => words.every((name) => holds(name, one))) !== isExcluded && holds(beside, one),
            )
            .map(({ id }) => id),
          text,
        );
      }),
      { numRuns: rounds(200) },
    );
  });

  test("given a negated term, matches exactly the exchanges that the term does not match", () => {
    const words = fc.constantFrom(...Object.keys(PLAIN));
    fc.assert(
      fc.property(anyExchanges(), words, words, fc.constantFrom("-", "not:"), (exchanges, word, beside, sign) => {
        const session = recorded(exchanges);
        const idsOf = (written: string) =>
          new TrafficList(session, filter(written))
            .read(BY_ID, EVERYTHING, judgeOf(session))
            .records.map(({ id }) => id);
        const shown = new Set(idsOf(word));
        assert.equal(
          idsOf(`${sign}${word} ${beside}`),
          idsOf(beside).filter((id) => !shown.has(id)),
        );
      }),
      { numRuns: rounds(300) },
    );
  });

  test("given negated slow and oversized terms, excludes slow and oversized exchanges", () => {
    const ends = [...Array.from({ length: 40 }, () => 10), 5_000];
    const session = recorded(ends.map((end, at) => exchange({ id: at + 1, end })));
    const idsOf = (written: string) =>
      new TrafficList(session, filter(written)).read(BY_ID, EVERYTHING, judgeOf(session)).records.map(({ id }) => id);
    assert.equal(idsOf("slow:"), [41]);
    assert.equal(idsOf("-slow: -oversized:"), ends.map((_, at) => at + 1).slice(0, 40));
  });

  test("given a value equal to the limit, matches <= and >= but not < and >", () => {
    const sizes = [99, 100, 101];
    const session = recorded(sizes.map((size, at) => exchange({ id: at + 1, end: size, encodedBodySize: size })));
    const found = (written: string): number[] =>
      new TrafficList(session, filter(written)).read(BY_ID, EVERYTHING, judgeOf(session)).records.map(({ id }) => id);
    for (const figure of ["dur", "latency", "size"]) {
      assert.equal([found(`${figure}<100`), found(`${figure}<=100`)], [[1], [1, 2]], figure);
      assert.equal([found(`${figure}>100`), found(`${figure}>=100`)], [[3], [2, 3]], figure);
    }
  });

  test("given a path with quotes, finds the endpoint by its name", () => {
    for (const target of ['/a"b', '/a"b"', "/ab"]) {
      const session = recorded([exchange({ id: 1, target }), exchange({ id: 2, target: "/abc" })]);
      const name = filter(`dur<9 endpoint:"GET https://api.test${target}"`);
      const { records } = new TrafficList(session, name).read(BY_ID, EVERYTHING, judgeOf(session));
      assert.equal(
        records.map(({ id }) => id),
        [1],
      );
    }
  });

  test("given any part of method, URL and query, finds it with literal and with grouped paths", () => {
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
          // A grouped endpoint's placeholder matches too.
          fc.pre(text.trim() === text && text !== "" && !"{id}".includes(text));
          const session = new Session(1_000, grouped ? new PathTemplates() : null);
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
      { numRuns: rounds(500) },
    );
  });

  test("given header terms, matches parts of values in earlier and later exchanges", () => {
    const words = {
      "req.user-agent:CURL": (one: Exchange) => /^\S+ .*curl/i.test(one.client),
      "req.User-Agent:": (one: Exchange) => one.client.includes(" "),
      "resp.content-type:html,json": (one: Exchange) => hasResponse(one) && /html|json/.test(one.contentType ?? ""),
      "-resp.content-type:": (one: Exchange) => !hasResponse(one) || one.contentType === null,
      "resp.x-absent:": () => false,
    };
    const chosen = fc.uniqueArray(fc.constantFrom(...(Object.keys(words) as (keyof typeof words)[])), { minLength: 1 });
    fc.assert(
      fc.property(anyExchanges(), chosen, fc.nat({ max: 60 }), (exchanges, written, before) => {
        const stored = new Map<ExchangeId, Record<Side, string | null>>();
        const session = new Session();
        const apply = (some: readonly Exchange[]) => {
          for (const one of some) {
            const events = eventsOf(one);
            const [request, response] = events.map((event) => ("head" in event ? event.head : null));
            stored.set(one.id, { request: request ?? null, response: response ?? null });
            session.apply(events);
          }
        };
        apply(exchanges.slice(0, before));
        const terms = filter(written.join(" "));
        const reading = new HeaderReading(session.table, terms);
        while (!reading.advance((id) => stored.get(id) ?? null, 7));
        const list = new TrafficList(session, terms);
        assert.is(list.rows(judgeOf(session)).length, matchingOf(exchanges.slice(0, before)).length);
        apply(exchanges.slice(before));
        assert.equal(
          Array.from(list.rows(judgeOf(session)), (row) => session.table.ids.at(row)),
          matchingOf(exchanges).map(({ id }) => Number(id)),
          written.join(" "),
        );
        function matchingOf(some: readonly Exchange[]): readonly Exchange[] {
          return some.filter((one) => written.every((word) => words[word](one)));
        }
      }),
    );
  });

  test("given body:, matches the exchanges whose bodies were found to have the text so far", () => {
    const session = recorded([1, 2, 3].map((id) => exchange({ id, end: 5 })));
    const found = new Map([
      ["a token", new Set([1])],
      ["other", new Set([2])],
    ]);
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS, {
      version: 1,
      ranked: () => NO_RANKED,
      bodies: (text) => ({ progress: 0.5, has: (id) => found.get(text)?.has(id) === true }),
    });
    const matched = (written: string) =>
      new TrafficList(session, filter(written)).read(BY_ID, EVERYTHING, evaluator).records.map(({ id }) => Number(id));
    assert.equal(['body:"a token"', "-body:other", "body:other OR body:none", "body:none"].map(matched), [
      [1],
      [1, 3],
      [2],
      [],
    ]);
  });

  test("given a finding term, matches the exchanges of current findings of that kind", () => {
    const session = recorded([1, 2, 3].map((id) => exchange({ id, end: 5 })));
    let version = 1;
    const covers = new Map<FindingKind, number[]>([["errors", [2]]]);
    const ranked = () => ({ progress: 1, leftOut: 0, found: foundOf(covers) });
    const insights = {
      get version() {
        return version;
      },
      ranked,
      bodies: () => NO_BODIES,
    };
    const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS, insights);
    const found = (written: string) =>
      new TrafficList(session, filter(written)).read(BY_ID, EVERYTHING, evaluator).records.map(({ id }) => Number(id));
    assert.equal(["finding:errors", "-finding:errors", "finding:retries", "finding:retries,errors"].map(found), [
      [2],
      [1, 3],
      [],
      [2],
    ]);
    covers.set("retries", [1, 3]);
    version = 2;
    assert.equal(["finding:retries", "finding:retries,errors"].map(found), [
      [1, 3],
      [1, 2, 3],
    ]);
  });
});
