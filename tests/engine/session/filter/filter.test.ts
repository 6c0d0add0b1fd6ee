import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { hostOf } from "../../../../src/engine/model/endpoint.ts";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import { InsightEvaluator } from "../../../../src/engine/session/evaluation/insight-evaluator.ts";
import {
  endpointFilterOf,
  filterOf,
  hiddenHostsOf,
  withoutHosts,
} from "../../../../src/engine/session/filter/filter.ts";
import type { Filter, Term } from "../../../../src/engine/session/filter/term.ts";
import { atOnce, pickedExchanges } from "../../../../src/engine/session/lists/matching-exchanges.ts";
import { TrafficList } from "../../../../src/engine/session/lists/traffic-list.ts";
import { summaryOf } from "../../../../src/engine/session/queries/summary.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { problemOf } from "../../../support/problem-of.ts";
import { recorded } from "../../../support/recorded.ts";
import { rounds } from "../../../support/rounds.ts";

type Text = Extract<Term, { kind: "text" }>;

const text = (field: Text["field"], value: string): Text => ({ kind: "text", field, text: value });

const UNDERSTOOD: readonly (readonly [string, Filter])[] = [
  ["", []],
  ["  ", []],
  ["status:5xx", [{ kind: "status", least: 500, most: 599 }]],
  ["status:404", [{ kind: "status", least: 404, most: 404 }]],
  ["dur>500", [{ kind: "duration", comparison: ">", limit: 500 }]],
  ["latency>=1s", [{ kind: "latency", comparison: ">=", limit: 1_000 }]],
  ["dur<20", [{ kind: "duration", comparison: "<", limit: 20 }]],
  [
    "dur>=50 dur<2s",
    [
      { kind: "duration", comparison: ">=", limit: 50 },
      { kind: "duration", comparison: "<", limit: 2_000 },
    ],
  ],
  ["size>100k", [{ kind: "size", comparison: ">", limit: 102_400 }]],
  ["size<=1.5MB", [{ kind: "size", comparison: "<=", limit: 1_572_864 }]],
  ["method:post host:api", [text("method", "post"), text("host", "api")]],
  [
    "slow: error:",
    [
      { kind: "flag", flag: "slow" },
      { kind: "flag", flag: "error" },
    ],
  ],
  ["ws:", [{ kind: "tag", tag: "websocket" }]],
  [
    "mark: mark:Star",
    [
      { kind: "mark", mark: null },
      { kind: "mark", mark: "star" },
    ],
  ],
  [
    'comment: comment:"try again"',
    [
      { kind: "comment", text: "" },
      { kind: "comment", text: "try again" },
    ],
  ],
  ["protocol:h2 protocol:HTTP/1", [text("protocol", "h2"), text("protocol", "HTTP/1")]],
  ["connection:3 Connection:65535", [3, 65_535].map((connection) => ({ kind: "connection", connection }) as const)],
  ["under:api.test/v1/users", [{ kind: "under", host: "api.test", path: "/v1/users" }]],
  [
    "under:api.test:81 under:/v1/",
    [
      { kind: "under", host: "api.test:81", path: "" },
      { kind: "under", host: "", path: "/v1/" },
    ],
  ],
  ["tag:probe", [{ kind: "tag", tag: "probe" }]],
  ["tag:repaired", [{ kind: "tag", tag: "repaired" }]],
  ["tag:repaired:folded-line", [{ kind: "tag", tag: "repaired:folded-line" }]],
  ['client:"curl/8 x" type:json', [text("client", "curl/8 x"), text("type", "json")]],
  ['endpoint:"GET https://a.test/x"', [text("endpoint", "GET https://a.test/x")]],
  ["https://a.test localhost:3000/x", [text("word", "https://a.test"), text("word", "localhost:3000/x")]],
  [
    "host:127 -host:10 client:127 body:404",
    [
      text("host", "127"),
      { kind: "not", of: text("host", "10") },
      text("client", "127"),
      { kind: "body", text: "404" },
    ],
  ],
  ["host:127.0.0.1:8080", [text("host", "127.0.0.1:8080")]],
  ['"status:abc"', [text("word", "status:abc")]],
  ["a.*(b", [text("word", "a.*(b")]],
  ["path:/users(1) or", [text("path", "/users(1)"), text("word", "or")]],
  ["(host:a host:b) AND (host:c)", ["a", "b", "c"].map((host) => text("host", host))],
  ["host:a,b OR host:c", [{ kind: "any", of: ["a", "b", "c"].map((host) => text("host", host)) }]],
  [
    'a b OR -(c "OR")',
    [
      {
        kind: "any",
        of: [
          { kind: "all", of: [text("word", "a"), text("word", "b")] },
          { kind: "not", of: { kind: "all", of: [text("word", "c"), text("word", "OR")] } },
        ],
      },
    ],
  ],
  ["path:/v1 op:GetUser", [text("path", "/v1"), text("op", "GetUser")]],
  [
    "page:page_1 -page:/cart page:3",
    [text("page", "page_1"), { kind: "not", of: text("page", "/cart") }, text("page", "3")],
  ],
  [
    "q.Page:3 q.x[]:",
    [
      { kind: "query", name: "Page", value: "3" },
      { kind: "query", name: "x[]", value: null },
    ],
  ],
  [
    "req.Accept:json resp.X-Cache: RESP.age:0 -req.cookie:",
    [
      { kind: "header", side: "request", name: "accept", value: "json" },
      { kind: "header", side: "response", name: "x-cache", value: null },
      { kind: "header", side: "response", name: "age", value: "0" },
      { kind: "not", of: { kind: "header", side: "request", name: "cookie", value: null } },
    ],
  ],
  [
    'resp.cache-control:no-store,"max-age=0, private"',
    [
      {
        kind: "any",
        of: ["no-store", "max-age=0, private"].map((value) => {
          return { kind: "header", side: "response", name: "cache-control", value } as const;
        }),
      },
    ],
  ],
  [
    'body:Token,"two words"',
    [
      {
        kind: "any",
        of: [
          { kind: "body", text: "Token" },
          { kind: "body", text: "two words" },
        ],
      },
    ],
  ],
  [
    "finding:N-plus-one -finding:errors",
    [
      { kind: "finding", finding: "n-plus-one" },
      { kind: "not", of: { kind: "finding", finding: "errors" } },
    ],
  ],
  ["resp.test/users", [text("word", "resp.test/users")]],
  ["-users", [{ kind: "not", of: text("word", "users") }]],
  ['not:"a b" "-users"', [{ kind: "not", of: text("word", "a b") }, text("word", "-users")]],
  [
    "-slow: -dur>5",
    [
      { kind: "not", of: { kind: "flag", flag: "slow" } },
      { kind: "not", of: { kind: "duration", comparison: ">", limit: 5 } },
    ],
  ],
  ["host:a,b", [{ kind: "any", of: [text("host", "a"), text("host", "b")] }]],
  ["status:404,", [{ kind: "status", least: 404, most: 404 }]],
  [
    '-status:404,5xx client:"a,b"',
    [
      {
        kind: "not",
        of: {
          kind: "any",
          of: [
            { kind: "status", least: 404, most: 404 },
            { kind: "status", least: 500, most: 599 },
          ],
        },
      },
      text("client", "a,b"),
    ],
  ],
];

const REFUSED: readonly string[] = [
  "status:abc",
  "status:99",
  "status:",
  "stauts:5xx",
  "dur>abc",
  "dur>",
  "size>10q",
  "lat>5",
  "host:",
  "under:",
  "protocol:",
  "connection:",
  "connection:new",
  "connection:-1",
  "slow:yes",
  "tag:none",
  "mark:blue",
  "finding:",
  "finding:none",
  "body:",
  "body:a body:b body:c body:d body:e",
  Array.from({ length: 9 }, (_, index) => `resp.x-${index}:`).join(" "),
  "users status:abc",
  "-",
  "--users",
  "not:-status:5xx",
  "-NOT:slow:",
  "not:",
  "-host:",
  "-stauts:5xx",
  "status:404,abc",
  "q.a(b):3",
];

/** Filters whose parts do not fit, with what the problem says, and where. */
const MISPLACED: readonly (readonly [string, RegExp])[] = [
  ["OR a", /^“OR” at character 1 needs a term before it\.$/],
  ["a OR", /^“OR” at character 3 needs a term after it\.$/],
  ["a OR OR b", /^“OR” at character 3 needs a term after it\.$/],
  ['a OR ""', /^“OR” at character 3 needs a term after it\.$/],
  ["AND a", /^“AND” at character 1 needs a term before it\.$/],
  ["a AND OR b", /^“AND” at character 3 needs a term after it\.$/],
  ["a AND AND b", /^“AND” at character 3 needs a term after it\.$/],
  ["(a OR b", /^“\(” at character 1 is not closed\. Add a “\)”\.$/],
  ["a -(b", /^“-\(” at character 3 is not closed\. Add a “\)”\.$/],
  ["a OR b)", /^“\)” at character 7 closes nothing\./],
  [") a", /^“\)” at character 1 closes nothing\./],
  ["a ()", /^“\(” at character 3 has no term inside\.$/],
  ["host:(a OR b)", /^“\)” at character 13 closes nothing\./],
  ["(host:a status:abc) OR b", /^“status:abc” is not a status\./],
];

const NAMES = ["aa", "bb", "cc", "dd"] as const;

type Tree = (typeof NAMES)[number] | { readonly kind: "and" | "or" | "not"; readonly of: readonly Tree[] };

function drawnTree(depth: number): fc.Arbitrary<Tree> {
  const name = fc.constantFrom(...NAMES);
  if (depth === 0) return name;
  const of = fc.array(drawnTree(depth - 1), { minLength: 2, maxLength: 3 });
  return fc.oneof(
    name,
    fc.record({ kind: fc.constantFrom("and", "or"), of }),
    drawnTree(depth - 1).map((inner): Tree => ({ kind: "not", of: [inner] })),
  );
}

/** The tree with as few parentheses as its precedence allows. */
function written(tree: Tree): string {
  if (typeof tree === "string") return tree;
  const part = (one: Tree): string => {
    const isBare =
      typeof one === "string" ||
      (tree.kind !== "not" && one.kind === "not") ||
      (tree.kind === "or" && one.kind === "and");
    return isBare ? written(one) : `(${written(one)})`;
  };
  if (tree.kind === "not") return `-${tree.of.map(part).join("")}`;
  return tree.of.map(part).join(tree.kind === "or" ? " OR " : " ");
}

function holdsFor(tree: Tree, set: ReadonlySet<string>): boolean {
  if (typeof tree === "string") return set.has(tree);
  if (tree.kind === "not") return !tree.of.some((one) => holdsFor(one, set));
  return tree.kind === "or" ? tree.of.some((one) => holdsFor(one, set)) : tree.of.every((one) => holdsFor(one, set));
}

function termHolds(term: Term, set: ReadonlySet<string>): boolean {
  switch (term.kind) {
    case "not":
      return !termHolds(term.of, set);
    case "any":
      return term.of.some((one) => termHolds(one, set));
    case "all":
      return term.of.every((one) => termHolds(one, set));
    default:
      return term.kind === "text" && set.has(term.text);
  }
}

describe("filter language", (test) => {
  for (const [written, terms] of UNDERSTOOD) {
    test(`given “${written}”, parses its terms`, () => {
      assert.equal(unwrap(filterOf(written)), terms);
    });
  }

  for (const written of REFUSED) {
    test(`given “${written}”, returns a problem that is a sentence`, () => {
      assert.match(problemOf(filterOf(written)), /^[A-Z“].*\.$/);
    });
  }

  for (const [text, problem] of MISPLACED) {
    test(`given “${text}”, returns the problem and its position`, () => {
      assert.match(problemOf(filterOf(text)), problem);
    });
  }

  test("given terms with OR, spaces and parentheses, binds a space stronger than OR, whatever the terms", () => {
    const sets = Array.from({ length: 16 }, (_, bits) => new Set(NAMES.filter((_name, at) => (bits >> at) & 1)));
    fc.assert(
      fc.property(drawnTree(3), (tree) => {
        const filter = filterOf(written(tree));
        fc.pre(filter.ok || !filter.problem.includes("conditions"));
        const terms = unwrap(filter);
        for (const set of sets)
          assert.is(
            terms.every((term) => termHolds(term, set)),
            holdsFor(tree, set),
            written(tree),
          );
      }),
    );
  });

  test("given up to 20 groups within each other, understands them; refuses more", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom("(", "-(", "( "), (depth, open) => {
        const filter = filterOf(`${open.repeat(depth)}a${")".repeat(depth)}`);
        assert.is(filter.ok, depth <= 20);
        if (!filter.ok) assert.match(filter.problem, /nested too deep/);
      }),
    ));

  test("given a filter that is refused, keeps all of it for endpoints, so that its problem is told", () => {
    for (const text of [...REFUSED, ...MISPLACED.map(([malformed]) => malformed)])
      assert.is(endpointFilterOf(text), text);
  });

  test("given a filter with terms about exchanges, the filter for endpoints leaves them out", () => {
    const apply = [
      "users",
      "-users",
      "method:get,post",
      "host:a",
      "path:/v1",
      "op:Get",
      "under:a/b",
      'endpoint:"GET a"',
    ];
    const others = [
      "status:5xx",
      "-status:5xx",
      "type:json,html",
      "client:curl",
      "page:/cart",
      "slow:",
      "dur>5",
      "q.page:3",
      "tag:probe",
      "req.accept:json",
      "-resp.x-cache:HIT",
      "finding:errors",
      'body:"two words"',
      "(users OR slow:)",
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...apply, ...others]), (words) => {
        const kept = unwrap(filterOf(words.filter((word) => !others.includes(word)).join(" ")));
        assert.equal(unwrap(filterOf(endpointFilterOf(words.join("  ")))), kept);
      }),
    );
  });

  test("given a header named twice, counts it once towards the limit", () => {
    const words = Array.from({ length: 8 }, (_, index) => `resp.x-${index}:a,b -resp.X-${index}:c`);
    assert.ok(filterOf(words.join(" ")).ok);
  });

  test("given any header name and value, parses the term as written", () => {
    const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/);
    const value = fc.stringMatching(/^[^\s",()]{0,20}$/);
    fc.assert(
      fc.property(fc.constantFrom("req", "resp"), name, value, (key, header, wanted) => {
        fc.pre(!wanted.startsWith("//"));
        assert.equal(unwrap(filterOf(`${key}.${header}:${wanted}`)), [
          {
            kind: "header",
            side: key === "req" ? "request" : "response",
            name: header.toLowerCase(),
            value: wanted === "" ? null : wanted,
          },
        ]);
      }),
    );
  });

  test("given more than 100 conditions, is refused, since each is tested on every exchange", () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 40 }), (counts) => {
        const words = counts.map((count, at) => `${at % 2 === 0 ? "" : "-"}host:${Array(count).fill("a").join(",")}`);
        const conditions = counts.reduce((sum, count) => sum + count, 0);
        assert.is(filterOf(words.join(" ")).ok, conditions <= 100);
      }),
    ));

  test("given more than 71,000 characters, is refused, whatever they are", () => {
    const word = fc.constantFrom("a", "a ", "(", "-", '"', "host:", "status:404,");
    fc.assert(
      fc.property(word, fc.integer({ min: 71_001, max: 3_000_000 }), (part, size) =>
        assert.match(problemOf(filterOf(part.repeat(size))), /71000 characters/),
      ),
      { numRuns: rounds(10) },
    );
  });

  test("given any text, parses or refuses it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (written) => {
        const filter = filterOf(written);
        assert.ok(!filter.ok || Array.isArray(filter.value));
      }),
    );
  });
});

const ORIGINS = ["http://a.test", "https://a.test", "https://API.test:8443", "http://b.a.test", "http://[::1]:81"];
const HOSTS = ["a.test", "api.TEST:8443", "b.a.test", "[::1]:81", "never.test"];
const METHODS = ["GET", "POST"];

const drawn = fc.record({
  rows: fc.array(fc.tuple(fc.constantFrom(...ORIGINS), fc.constantFrom(...METHODS)), { maxLength: 40 }),
  hidden: fc.uniqueArray(fc.constantFrom(...HOSTS)),
  filter: fc.constantFrom("", "method:post", "-host:b"),
});

describe("hidden hosts", (test) => {
  test("given any filter, lists leave out the exchanges of hidden hosts and no others, and the summary counts them", () => {
    fc.assert(
      fc.property(drawn, ({ rows, hidden, filter }) => {
        const session = recorded(rows.map(([origin, method], index) => exchange({ id: index + 1, origin, method })));
        const evaluator = new InsightEvaluator(session, DEFAULT_SETTINGS);
        const idsUnder = (hosts: readonly string[]) => {
          const list = new TrafficList(session, withoutHosts(unwrap(filterOf(filter)), hosts));
          return Array.from(list.rows(evaluator), (row) => session.table.ids.at(row));
        };
        const isHidden = (id: number) =>
          hidden.some((host) => host.toLowerCase() === hostOf(rows[id - 1]?.[0] ?? "").toLowerCase());
        const expected = idsUnder([]).filter((id) => !isHidden(Number(id)));
        assert.equal(idsUnder(hidden), expected);
        const source = { session, settings: DEFAULT_SETTINGS, headsOf: () => null, insights: null };
        const everything = [{ from: null, to: null }];
        const sort = { column: "startTime", descending: false } as const;
        const picked = atOnce(
          pickedExchanges({ ...source, hiddenHosts: hidden }, { filter, sort, stretches: everything }),
        );
        assert.equal(unwrap(picked), expected);
        const settings = { hiddenHosts: hidden, showHiddenHosts: false };
        const told = summaryOf(session, evaluator, instant(0), { p95: null }, settings);
        assert.is(told.ofHiddenHosts, rows.filter((_, index) => isHidden(index + 1)).length);
        assert.is(told.exchanges, rows.length);
        assert.is(
          told.hosts.reduce((sum, { exchanges }) => sum + exchanges, 0),
          rows.length - told.ofHiddenHosts,
        );
      }),
    );
  });

  test("given that hidden hosts are listed all the same, none is left out", () => {
    assert.equal(hiddenHostsOf({ hiddenHosts: HOSTS, showHiddenHosts: true }), []);
    assert.equal(hiddenHostsOf({ hiddenHosts: HOSTS, showHiddenHosts: false }), HOSTS);
  });
});
