import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Asked, type Given, valuesOf, wordsOf } from "../../../src/engine/insights/evidence.ts";
import { describe } from "../../support/describe.ts";
import { processorTimeOf } from "../../support/processor-time.ts";

describe("evidence", (test) => {
  const id = "order-771234";
  const proofs: readonly [string, Partial<Given>, Partial<Asked>, string][] = [
    [
      "a Location that is followed, absolute",
      { head: "HTTP/1.1 302 Found\r\nLocation: https://a.test/next?x=1\r\n\r\n" },
      { target: "/next?x=1" },
      "location",
    ],
    [
      "a Location that is followed, relative",
      { head: "HTTP/1.1 302 Found\r\nLocation: /next-page#top\r\n\r\n" },
      { target: "/next-page" },
      "location",
    ],
    [
      "a cookie that comes back",
      { head: `HTTP/1.1 200 OK\r\nSet-Cookie: sid=${id}; Path=/\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nCookie: a=b; sid=${id}\r\n\r\n` },
      "set-cookie",
    ],
    [
      "a cookie in base64 that comes back among others",
      { head: "HTTP/1.1 200 OK\r\nSet-Cookie: sid=YWJjZGVmZw==; Path=/\r\n\r\n" },
      { head: "GET / HTTP/1.1\r\nCookie: a=b; sid=YWJjZGVmZw==\r\n\r\n" },
      "set-cookie",
    ],
    [
      "a cookie in quotes, with spaces around",
      { head: `HTTP/1.1 200 OK\r\nSet-Cookie: sid= "${id}" ; Path=/\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nCookie: sid="${id}"\r\n\r\n` },
      "set-cookie",
    ],
    [
      "a cookie without quotes, with spaces around",
      { head: `HTTP/1.1 200 OK\r\nSet-Cookie: sid= ${id} ; Path=/\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nCookie: sid=${id}\r\n\r\n` },
      "set-cookie",
    ],
    [
      "an ETag that comes back among others",
      { head: `HTTP/1.1 200 OK\r\nETag: "${id}"\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nIf-None-Match: "a", "${id}"\r\n\r\n` },
      "header",
    ],
    [
      "a weak ETag that comes back among others",
      { head: `HTTP/1.1 200 OK\r\nETag: W/"${id}"\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nIf-None-Match: W/"a", W/"${id}"\r\n\r\n` },
      "header",
    ],
    [
      "an ETag that comes back",
      { head: `HTTP/1.1 200 OK\r\nETag: W/"${id}"\r\n\r\n` },
      { head: `GET / HTTP/1.1\r\nIf-None-Match: W/"${id}"\r\n\r\n` },
      "header",
    ],
    [
      "an id of a header in the path",
      { head: `HTTP/1.1 200 OK\r\nX-Order: ${id}\r\n\r\n` },
      { target: `/orders/${id}/items` },
      "header",
    ],
    [
      "a Location with its fragment, in a query",
      { head: "HTTP/1.1 302 Found\r\nLocation: /next-page#top\r\n\r\n" },
      { target: "/login?to=%2Fnext-page%23top" },
      "location",
    ],
    [
      "a Link that is followed",
      { head: 'HTTP/1.1 200 OK\r\nLink: </page?c=2>; rel="next"\r\n\r\n' },
      { target: "/page?c=2" },
      "header",
    ],
    [
      "a header value of several words that comes back",
      { head: "HTTP/1.1 200 OK\r\nX-Place: row 1, seat 2\r\n\r\n" },
      { head: "GET / HTTP/1.1\r\nX-Place: row 1, seat 2\r\n\r\n" },
      "header",
    ],
    ["an id of the body in the path", { body: `{"id":"${id}"}` }, { target: `/orders/${id}?x` }, "body"],
    ["a number of the body in the query", { body: '{"id": 771234, "n": 5}' }, { target: "/?order=771234" }, "body"],
    ["a number of compact JSON", { body: '{"id":771234,"n":5}' }, { target: "/orders/771234" }, "body"],
    ["a number in a list", { body: '{"ids":[771233,771234,771235],"n":5}' }, { target: "/orders/771234" }, "body"],
    ["a string in a list", { body: '{"n":true,"ids":["x",["order-771234"]]}' }, { target: `/orders/${id}` }, "body"],
    ["a string of a script", { body: `load('${id}');` }, { target: `/orders/${id}` }, "body"],
    [
      "a token of the body in a header",
      { body: '{"access_token":"eyJ.abc.def"}' },
      { head: "GET / HTTP/1.1\r\nAuthorization: Bearer eyJ.abc.def\r\n\r\n" },
      "body",
    ],
    ["an id that is the whole query", { body: `{"id":"${id}"}` }, { target: `/cb?${id}` }, "body"],
    ["an id behind a second ? of a query", { body: `{"id":"${id}"}` }, { target: `/cb?next=/x?a=1&id=${id}` }, "body"],
    ["a URL of the body", { body: '{"next":"https:\\/\\/a.test\\/page?c=2"}' }, { target: "/page?c=2" }, "body"],
    ["a URL of the body, with a query", { body: '"https://a.test/b"' }, { target: "/b?c=1" }, "body"],
    ["a URL of the body that is escaped", { body: '{"next":"/caf%C3%A9"}' }, { target: "/caf%C3%A9" }, "body"],
    ["an address in HTML", { body: '<script src="/app.js"></script>' }, { target: "/app.js" }, "body"],
    ["text of XML", { body: `<id>${id}</id>` }, { target: `/x/${id}` }, "body"],
    ["an id of the body in a JSON body", { body: `{"id":"${id}"}` }, { body: `{"order":"${id}"}` }, "body"],
    ["an id of the body in a form", { body: `{"id":"a/b/c/d"}` }, { body: "x=1&order=a%2Fb%2Fc%2Fd" }, "body"],
    ["an id with a sign that escapes nothing", { body: '{"id":"50%off-7"}' }, { body: "code=50%off-7" }, "body"],
    [
      "several words of a header in a form",
      { head: "HTTP/1.1 200 OK\r\nX-Place: row 1, seat 2\r\n\r\n" },
      { body: "place=row+1%2C+seat+2" },
      "header",
    ],
    ["an id in an escaped path", { body: '{"id":"a:b:c:d"}' }, { target: "/a%3Ab%3Ac%3Ad" }, "body"],
  ];
  for (const [title, given, asked, source] of proofs)
    test(`${title} proves`, () => {
      assert.is(proofOf(given, asked), source);
    });

  const nothing: readonly [string, Partial<Given>, Partial<Asked>][] = [
    ["a value of fewer than 6 characters", { body: '{"id":"12345"}' }, { target: "/12345" }],
    [
      "how long an answer may be kept",
      { head: "HTTP/1.1 200 OK\r\nCache-Control: max-age=31536000\r\n\r\n" },
      { target: "/?ttl=31536000" },
    ],
    [
      "where a cookie without a value holds, or its name",
      { head: "HTTP/1.1 200 OK\r\nSet-Cookie: flagged; Path=/orders/all\r\n\r\n" },
      { target: "/orders/all?flagged; Path=/orders/all" },
    ],
    ["a cookie without a value", { head: "HTTP/1.1 200 OK\r\nSet-Cookie: flagged\r\n\r\n" }, { target: "/flagged" }],
    ["another value", { body: '{"id":"order-771235"}' }, { target: `/${id}` }],
    ["what stands between two strings", { body: '{"ok":true,"n":1}' }, { body: '{"all":true,"of":2}' }],
    ["what stands between two words in apostrophes", { body: "f('a'+total+'d')" }, { body: "g('x'+total+'y')" }],
    ["a name of a JSON object", { body: '{"orders":[]}' }, { target: "/orders" }],
    ["a part of a word", { body: '{"id":"771234"}' }, { target: "/order-771234" }],
    [
      "a media type",
      { head: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" },
      { head: "GET / HTTP/1.1\r\nAccept: application/json\r\n\r\n" },
    ],
    [
      "a policy that browsers name in every request",
      { head: "HTTP/1.1 200 OK\r\nCross-Origin-Opener-Policy: same-origin\r\nReferrer-Policy: same-origin\r\n\r\n" },
      { head: "GET / HTTP/1.1\r\nSec-Fetch-Site: same-origin\r\n\r\n" },
    ],
    [
      "what a browser says of a request by itself",
      { body: '<link rel="preload" as="script" href="/a"><p>Windows</p>' },
      { head: 'GET / HTTP/1.1\r\nSec-Fetch-Dest: script\r\nSec-CH-UA-Platform: "Windows"\r\n\r\n' },
    ],
    [
      "the name of a kind of credentials",
      { body: '{"token_type":"Bearer"}' },
      { head: "GET / HTTP/1.1\r\nAuthorization: Bearer eyJ.abc.def\r\n\r\n" },
    ],
    [
      "the name of a cookie",
      { body: '{"in":"session"}' },
      { head: "GET / HTTP/1.1\r\nCookie: a=b; session=1\r\n\r\n" },
    ],
    [
      "a date",
      { head: "HTTP/1.1 200 OK\r\nLast-Modified: x y z 1 2 3\r\n\r\n" },
      { head: "GET / HTTP/1.1\r\nIf-Modified-Since: x y z 1 2 3\r\n\r\n" },
    ],
  ];
  for (const [title, given, asked] of nothing)
    test(`${title} proves nothing`, () => {
      assert.is(proofOf(given, asked), null);
    });

  test("of any JSON document the strings and whole numbers are found that are long enough, and nothing else", () => {
    fc.assert(
      fc.property(document, fc.constantFrom(0, 2), (made, indent) => {
        const found = valuesOf({ head: "", body: JSON.stringify(made, null, indent) }, new Set());
        assert.equal(
          found.map(({ value }) => value).toSorted(),
          [...new Set(leavesOf(made).filter((leaf) => /^\S{6,}$/.test(leaf)))].toSorted(),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("what the client had sent before proves nothing", () => {
    const known = wordsOf({ origin: "https://a.test", target: `/orders/${id}`, head: "", body: "" });
    assert.equal(valuesOf({ head: "", body: `{"id":"${id}","other":"${id}5"}` }, known), [
      { source: "body", value: `${id}5` },
    ]);
  });

  test("the work for one exchange is bounded, whatever it holds", () => {
    const pieces = ['"', "'", '"a', ">", "<", '"aaaaaaa"', '"aaaaaaa":', "&", "=", "%", "123456,", "\\/", "a"];
    const took = processorTimeOf(() => {
      for (const piece of pieces) {
        const text = piece.repeat(1_000_000);
        const words = wordsOf({ origin: "https://a.test", target: `/${text.slice(0, 100_000)}`, head: "", body: text });
        assert.ok(words.size <= 1_000 && valuesOf({ head: "", body: text }, words).length <= 500, piece);
      }
    });
    assert.ok(took < 5_000, `${took} ms`);
  });

  const inBody = (body: string) => valuesOf({ head: "", body }, new Set()).map(({ value }) => value);

  test("by what comes before a quote it opens a string, of 6 to 2,048 characters", () => {
    for (const quote of ['"', "'"]) {
      for (const before of ["", ...Array.from(" \n:,[({=>", (mark) => `x${mark}`)])
        assert.equal(inBody(`${before}${quote}${id}${quote}`), [id], before + quote);
      for (const before of ["x", "1", "}", "]", ")", "."])
        assert.equal(inBody(`${before}${quote}${id}${quote}`), [], before + quote);
      for (const within of [" ", "\n", "\\"]) assert.equal(inBody(`${quote}abcdef${within}abcdef`), [], within);
    }
    const around = ['""', "''", "><"].map((marks) => [...marks] as [string, string]);
    for (const [open, close] of around) {
      const held = (length: number) => inBody(open + "a".repeat(length) + close).map((value) => value.length);
      assert.equal([5, 6, 2_048, 2_049].map(held), [[], [6], [2_048], []], open);
    }
    assert.equal(inBody('"\\/a\\/bcd"'), ["/a/bcd"]);
    assert.equal(inBody(`"${id}"${" ".repeat(8)}:`), []);
  });

  test("a number is one of 6 to 20 digits between what JSON has between values", () => {
    for (const before of [":", ",", "[", " "])
      for (const after of [",", "]", "}", "\n", ""]) assert.equal(inBody(`${before}-771234${after}`), ["-771234"]);
    for (const other of ["x771234,", "771234,", ":771234.5,", ":771234x", `:${"1".repeat(21)},`])
      assert.equal(inBody(other), [], other);
    assert.equal(inBody(`:${"1".repeat(20)},`), ["1".repeat(20)]);
  });

  test("of a header every part is a word, of credentials what follows their scheme, of cookies their values", () => {
    const words = (field: string) =>
      wordsOf({ origin: "", target: "/", head: `GET / HTTP/1.1\r\n${field}\r\n\r\n`, body: "" });
    for (const mark of [" ", ", ", ",", "; ", ";", "=", '"'])
      assert.equal([...words(`X-Ids: first-1${mark}${id}`)], [`first-1${mark}${id}`, "first-1", id], mark);
    for (const name of ["Authorization", "Proxy-Authorization"])
      assert.equal([...words(`${name}: Scheme-1  ${id}`)], [`Scheme-1  ${id}`, id]);
    for (const mark of ["; ", ";", ";  "])
      assert.equal([...words(`Cookie: name-1="${id}"${mark}name-2=b=c-771234`)].slice(1), [id, "b=c-771234"], mark);
  });

  test("no other text is read as a form", () => {
    const asked = { origin: "", target: "/", head: "" };
    assert.equal([...wordsOf({ ...asked, body: "a=abcdef" })], ["abcdef"]);
    for (const body of ["a =abcdef", "<a=abcdef", "{a=abcdef"])
      assert.equal([...wordsOf({ ...asked, body })], [], body);
  });

  test("what is short, too long or far behind in a body is not remembered", () => {
    const long = "a".repeat(2_049);
    const head = `HTTP/1.1 302 Found\r\nLocation: /x\r\nX-A: short\r\nX-B: ${long}\r\nSet-Cookie: a=b\r\n\r\n`;
    const body = `["${long}","${long.slice(1)}",${" ".repeat(64 * 1024)}"order-771234"]`;
    assert.equal(valuesOf({ head, body }, new Set()), [{ source: "body", value: long.slice(1) }]);
    const asked = { origin: "https://a.test", target: "/a?b", head: `GET /a?b HTTP/1.1\r\nX-B: ${long}\r\n\r\n` };
    assert.equal([...wordsOf({ ...asked, body })], ["https://a.test/a?b", "https://a.test/a", long.slice(1)]);
    assert.equal([...wordsOf({ ...asked, body: "" })], ["https://a.test/a?b", "https://a.test/a"]);
  });

  test("of many values and words the first ones are kept, each value once, by what it proves best", () => {
    const numbers = Array.from({ length: 2_000 }, (_, index) => `"${100_000 + index}"`);
    const words = wordsOf({ origin: "https://a.test", target: "/", head: "", body: numbers.join(",") });
    assert.is(words.size, 1_000);
    const head = "HTTP/1.1 302 Found\r\nX-Order: 100001\r\nLocation: 100000\r\n\r\n";
    const values = valuesOf({ head, body: numbers.join(",") }, new Set());
    assert.is(values.length, 500);
    assert.equal(
      values.map(({ value }) => `"${value}"`),
      numbers.slice(0, 500),
    );
    assert.equal(
      values.slice(0, 3).map(({ source }) => source),
      ["location", "header", "body"],
    );
  });

  test("no text breaks it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (body, head) => {
        const words = wordsOf({ origin: "https://a.test", target: body, head, body });
        for (const { value } of valuesOf({ head, body }, new Set())) assert.ok(value.length >= 6);
        for (const word of words) assert.ok(word.length >= 6);
      }),
    );
  });
});

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

const word = fc.stringMatching(/^[a-z\d./-]{0,9}( ?[a-z\d])?$/);
const document = fc.letrec<{ json: Json; document: readonly Json[] }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    word,
    fc.integer(),
    fc.constantFrom(true, false, null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.dictionary(word, tie("json"), { maxKeys: 4 }),
  ),
  document: fc.array(tie("json"), { maxLength: 4 }),
})).document;

function leavesOf(made: Json): string[] {
  if (typeof made === "string") return [made];
  if (typeof made === "number") return Math.abs(made) < 100_000 ? [] : [String(made)];
  return made === null || typeof made === "boolean" ? [] : Object.values(made).flatMap(leavesOf);
}

function proofOf(given: Partial<Given>, asked: Partial<Asked>): string | null {
  const words = wordsOf({ origin: "https://a.test", target: "/", head: "", body: "", ...asked });
  return valuesOf({ head: "", body: "", ...given }, new Set()).find(({ value }) => words.has(value))?.source ?? null;
}
