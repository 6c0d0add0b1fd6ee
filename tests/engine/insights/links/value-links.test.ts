import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";

const JSON_TYPE = ["content-type: application/json"];
const ID = "9f8e7d6c5b";

const gave = (value: unknown, more: Partial<Talk> = {}): Talk => ({
  at: 0,
  target: "/list",
  gives: JSON_TYPE,
  answer: JSON.stringify(value),
  ...more,
});
/** Starts long after the response, so that no order link joins the two. */
const uses = (target: string, more: Partial<Talk> = {}): Talk => ({ at: 5_000, target, ...more });

describe("links by value", (test) => {
  for (const [what, talk] of [
    ["a segment of the path", uses(`/items/${ID}`)],
    ["a segment with an extension", uses(`/items/${ID}.json`)],
    ["a query value", uses(`/items?id=${ID}`)],
    ["one of a list in the query", uses(`/items?ids=aaa,${ID},bbb`)],
    ["a query value that is JSON", uses(`/items?filter=${encodeURIComponent(`{"id":"${ID}"}`)}`)],
    ["a header", uses("/items", { sends: [`x-item: ${ID}`] })],
    ["credentials", uses("/items", { sends: [`authorization: Bearer ${ID}`] })],
    ["a member of the body", uses("/items", { method: "POST", body: JSON.stringify({ a: [{ id: ID }] }) })],
    ["a field of a form", uses("/items", { method: "POST", body: `x=1&item=${ID}` })],
    ["an element of a SOAP body", uses("/items", { method: "POST", body: `<e><id>${ID}</id></e>` })],
  ] as const) {
    test(`given a value that comes again as ${what}, links the request`, () => {
      assert.equal(linksIn([gave({ items: [{ id: ID }] }), talk]), ["1>2 value"]);
    });
  }

  test("given a value from a cookie, a header, a Location, a form's field and a token's claims, links the request", () => {
    const page = { gives: ["content-type: text/html"], answer: `<input type=hidden name="csrf" value="${ID}">` };
    const claims = Buffer.from(JSON.stringify({ sub: ID })).toString("base64url");
    const header = Buffer.from('{"alg":"none"}').toString("base64url");
    const token = `${header}.${claims}.abcdef`;
    assert.equal(
      linksIn([
        gave({}, { method: "POST", gives: [`set-cookie: sid=${ID}; Path=/`] }),
        uses("/me", { sends: [`cookie: a=b; sid=${ID}`] }),
      ]),
      ["1>2 value"],
    );
    assert.equal(
      linksIn([gave({}, { gives: [`x-csrf-token: ${ID}`] }), uses("/me", { sends: [`x-csrf-token: ${ID}`] })]),
      ["1>2 value"],
    );
    assert.equal(linksIn([gave({}, { status: 201, gives: [`location: /jobs/${ID}`] }), uses(`/jobs/${ID}/result`)]), [
      "1>2 value",
    ]);
    assert.equal(linksIn([gave("", page), uses("/send", { method: "POST", body: `csrf=${ID}&x=1` })]), ["1>2 value"]);
    assert.equal(linksIn([gave({ token }), uses(`/users/${ID}`)]), ["1>2 value"]);
  });

  test("given a value that the client sent before, at the same time or in the request itself, links nothing", () => {
    const earlier = { at: -1_000, target: `/items/${ID}` };
    const beside = { at: 10, lasts: 5, target: `/items/${ID}` };
    assert.equal(linksIn([gave({ id: ID }), uses(`/parts/${ID}`), earlier]), []);
    assert.equal(linksIn([gave({ id: ID }), uses(`/parts/${ID}`), beside]), []);
    assert.equal(linksIn([gave({ id: ID }, { target: `/list?of=${ID}` }), uses(`/parts/${ID}`)]), []);
  });

  test("given lines or events that are read as they come, links what began before the end; JSON is read once it is whole", () => {
    const streamed = (type: string) =>
      linksIn([
        { at: 0, lasts: 900, ttfb: 100, target: "/list", gives: [`content-type: ${type}`], answer: `{"id":"${ID}"}` },
        { at: 400, target: `/items/${ID}` },
      ]);
    assert.equal(streamed("application/x-ndjson"), ["1>2 value"]);
    assert.equal(streamed("text/event-stream"), ["1>2 value"]);
    assert.equal(streamed("application/json"), []);
  });

  test("given an open stream, whose events may repeat what the client sends now, links only what began after its end", () => {
    const usedAt = (at: number) =>
      linksIn([
        {
          at: 0,
          lasts: 900,
          ttfb: 100,
          target: "/events",
          gives: ["content-type: text/event-stream"],
          answer: `data: {"id":"${ID}"}`,
          tags: ["stream"],
        },
        { at, target: "/messages", method: "POST", body: JSON.stringify({ id: ID }) },
      ]);
    assert.equal(usedAt(400), []);
    assert.equal(usedAt(950), ["1>2 value"]);
  });

  test("given another client's value, links nothing", () => {
    assert.equal(linksIn([gave({ id: ID }, { client: "10.0.0.9 other" }), uses(`/items/${ID}`)]), []);
  });

  test("given requests that use it at once, links all; a later one does not wait for it", () => {
    const at = (start: number, target: string) => uses(`${target}/${ID}`, { at: start });
    assert.equal(linksIn([gave({ id: ID }), at(5_000, "/a"), at(5_010, "/b"), at(9_000, "/c")]), [
      "1>2 value",
      "1>3 value",
    ]);
  });

  test("given a resource that gives it again, links the latest of its responses", () => {
    const list = (at: number, id: string) => gave({ items: [{ id: ID }, { id }] }, { at });
    assert.equal(linksIn([list(0, "0a1b2c3d4e"), list(2_000, "5f6a7b8c9d"), uses(`/items/${ID}`)]), ["2>3 value"]);
  });

  test("given another resource of the endpoint that gives it too, links the first that gave it", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1_500 }),
        fc.uniqueArray(fc.stringMatching(/^[a-f\d]{8,12}$/), { minLength: 2, maxLength: 2 }),
        (at, [one, other]) => {
          const order = (start: number, own: string | undefined) =>
            gave({ id: own, item: ID }, { at: start, target: `/orders/${own}` });
          assert.equal(linksIn([order(0, one), order(at + 1_000, other), uses(`/items/${ID}`)]), ["1>3 value"]);
        },
      ),
    );
  });

  for (const value of [
    ...["active", "published", "in_progress", "out-for-delivery", "en-US", "Europe/Berlin", "application/json"],
    ...[
      "2026-03-03",
      "2026-03-03T10:11:12Z",
      "Tue, 03 Mar 2026 10:11:12 GMT",
      "20260303",
      "1790000000",
      "1790000000123",
    ],
    ...["1299.00", "v2.14.3", "10.20.30.40", "#ff8800", "000000", "12345", "https://api.test/"],
  ]) {
    test(`given "${value}", which is no one's alone, links nothing`, () => {
      const near = 1_780_000_000_000;
      const talks = [
        gave({ state: value }, { at: near }),
        uses(`/next?state=${encodeURIComponent(value)}`, { at: near + 5_000 }),
      ];
      assert.equal(linksIn(talks), []);
    });
  }

  test("given numbers, links what names something and not what counts", () => {
    assert.equal(linksIn([gave({ order: { id: 48151623 } }), uses("/orders/48151623")]), ["1>2 value"]);
    assert.equal(linksIn([gave({ price: 129900 }), uses("/search?max=129900")]), []);
    assert.equal(linksIn([gave({ total: 129900 }), uses("/pay", { method: "POST", body: '{"total":129900}' })]), []);
  });

  test("given words that name one thing, links them by the name of their member", () => {
    assert.equal(linksIn([gave({ slug: "oak-dining-table" }), uses("/products/oak-dining-table")]), ["1>2 value"]);
    assert.equal(linksIn([gave({ kind: "oak-dining-table" }), uses("/products/oak-dining-table")]), []);
  });

  test("given a validator that a cache sends back, links nothing; a precondition of a change is a proof", () => {
    const etag = gave({}, { gives: [`etag: "${ID}"`] });
    assert.equal(linksIn([etag, uses("/list", { sends: [`if-none-match: "${ID}"`] })]), []);
    assert.equal(linksIn([etag, uses("/list", { method: "PUT", sends: [`if-match: "${ID}"`] })]), ["1>2 value"]);
  });

  test("given a value in every response of an endpoint, or of many endpoints, links nothing", () => {
    const all = (targets: readonly string[]) =>
      linksIn([
        ...targets.map((target, at) => gave({ account: "acct_7f3k29dk2", at }, { at: at * 2_000, target })),
        { at: 1_000, target: "/x?account=acct_7f3k29dk2" },
      ]);
    assert.equal(all(["/a"]), ["1>2 value"]);
    assert.equal(all(["/a", "/a", "/a"]), []);
    assert.equal(all(["/a", "/b", "/c", "/d"]), []);
  });

  test("given a list that a reload returns unchanged, links what used its first response", () => {
    const loads = (more: (load: number) => object) =>
      [0, 1, 2, 3].flatMap((load) => [
        gave({ items: [{ id: ID }], ...more(load) }, { at: load * 20_000 }),
        uses(`/items/${ID}`, { at: load * 20_000 + 1_000 }),
      ]);
    assert.equal(linksIn(loads(() => ({}))), ["1>2 value"]);
    assert.equal(linksIn(loads((load) => ({ load }))), []);
  });

  test("given a cookie that each response sets anew, links nothing; one that only a log-in sets is a proof", () => {
    // The id contains a digit followed by a letter: otherwise it may be a word with a number, which proves nothing.
    const id = fc.stringMatching(/^[\da-f]{7}\d[a-f][\da-f]{7}$/);
    fc.assert(
      fc.property(fc.uniqueArray(id, { minLength: 4, maxLength: 8 }), (values) => {
        const talks = values.map((value, index) => ({
          at: index * 3_000,
          target: index % 2 === 0 ? "/a" : "/b",
          gives: [`set-cookie: WAY=${value}`],
          sends: index === 0 ? [] : [`cookie: WAY=${values[index - 1]}`],
        }));
        assert.equal(linksIn(talks), []);
        const logins = values.flatMap((value, index) => [
          { at: index * 9_000, method: "POST", target: "/login", gives: [`set-cookie: sid=${value}1`] },
          { at: index * 9_000 + 3_000, target: "/me", sends: [`cookie: sid=${value}1`] },
        ]);
        assert.is(linksIn(logins).filter((link) => link.endsWith("value")).length, values.length);
      }),
    );
  });

  test("given a cookie of a known load balancer, links nothing", () => {
    assert.equal(
      linksIn([
        gave({}, { gives: [`set-cookie: AWSALB=${ID}${ID}`] }),
        uses("/x", { sends: [`cookie: AWSALB=${ID}${ID}`] }),
      ]),
      [],
    );
  });
});
