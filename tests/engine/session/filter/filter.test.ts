import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unwrap } from "../../../../src/engine/model/result.ts";
import { endpointFilterOf, type Filter, filterOf, type Term } from "../../../../src/engine/session/filter/filter.ts";
import { describe } from "../../../support/describe.ts";
import { problemOf } from "../../../support/problem-of.ts";

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
  ['"status:abc"', [text("word", "status:abc")]],
  ["a.*(b", [text("word", "a.*(b")]],
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
];

describe("filter language", (test) => {
  for (const [written, terms] of UNDERSTOOD) {
    test(`understands “${written}”`, () => {
      assert.equal(unwrap(filterOf(written)), terms);
    });
  }

  for (const written of REFUSED) {
    test(`answers “${written}” with a sentence`, () => {
      assert.match(problemOf(filterOf(written)), /^[A-Z“].*\.$/);
    });
  }

  test("of a filter the words that are about exchanges do not apply to endpoints", () => {
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
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray([...apply, ...others, "stauts:5xx"]), (words) => {
        assert.is(endpointFilterOf(words.join("  ")), words.filter((word) => !others.includes(word)).join(" "));
      }),
    );
  });

  test("a header that is named twice counts once among the most a filter can name", () => {
    const words = Array.from({ length: 8 }, (_, index) => `resp.x-${index}:a,b -resp.X-${index}:c`);
    assert.ok(filterOf(words.join(" ")).ok);
  });

  test("any words with a name are understood as they are written, or refused", () => {
    const name = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/);
    const value = fc.stringMatching(/^[^\s",]{0,20}$/);
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
      { numRuns: 10 },
    );
  });

  test("any text is either understood or refused, and quickly", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (written) => {
        const filter = filterOf(written);
        assert.ok(!filter.ok || Array.isArray(filter.value));
      }),
    );
  });
});
