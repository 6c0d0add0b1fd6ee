import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { foundIn, linksIn, named, type Talk } from "../../../support/linked.ts";

describe("links by order", (test) => {
  test("given requests in turn, links each to the one before within the window", () => {
    const talks = [
      { at: 0, target: "/a" },
      { at: 350, target: "/b" },
      { at: 701, target: "/c" },
    ];
    assert.equal(linksIn(talks), ["1>2 order"]);
    assert.equal(linksIn(talks, 301), ["1>2 order", "2>3 order"]);
  });

  test("given several before it, links the last to finish", () => {
    const found = linksIn([
      { at: 0, lasts: 30, target: "/one" },
      { at: 0, lasts: 300, target: "/three" },
      { at: 0, lasts: 80, target: "/two" },
      { at: 310, target: "/join" },
    ]);
    assert.equal(found, ["2>4 order"]);
  });

  test("given a start within the tolerance before the end, still counts as after; earlier overlaps", () => {
    const second = (at: number) =>
      linksIn([
        { at: 0, lasts: 100, target: "/a" },
        { at, target: "/b" },
      ]);
    assert.equal(second(99), ["1>2 order"]);
    assert.equal(second(98), []);
    const short = (at: number) =>
      linksIn([
        { at: 0, lasts: 4, target: "/a" },
        { at, target: "/b" },
      ]);
    assert.equal([short(3.6), short(3.5)], [["1>2 order"], []]);
  });

  test("given other clients, streams and aborted requests, links nothing", () => {
    assert.equal(
      linksIn([
        { at: 0, client: "10.0.0.1 a" },
        { at: 60, client: "10.0.0.1 b" },
      ]),
      [],
    );
    assert.equal(linksIn([{ at: 0, tags: ["event-stream"] }, { at: 60 }]), []);
    assert.equal(linksIn([{ at: 0 }, { at: 60, tags: ["websocket"] }]), []);
  });

  test("given a favicon that a browser requests by itself in between, links to the request before it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 49 }), fc.integer({ min: 1, max: 250 }), (after, lasts) => {
        const found = linksIn([
          { at: 0, target: "/a" },
          { at: after, lasts, target: "/favicon.ico" },
          { at: 300, target: "/b" },
        ]);
        assert.ok(found.includes("1>3 order"));
      }),
    );
  });

  test("given two endpoints that overlapped elsewhere, refutes their links", () => {
    const { links, refuted } = foundIn([
      { at: 0, target: "/a" },
      { at: 60, target: "/b" },
      { at: 5_000, target: "/a" },
      { at: 5_020, target: "/b" },
      { at: 9_000, target: "/a" },
      { at: 9_060, target: "/c" },
    ]);
    assert.equal(links.map(named), ["5>6 order"]);
    assert.equal(refuted.map(named), ["1>2 order"]);
  });

  test("given a poll that happens to end last, links the usual predecessor that it ran beside", () => {
    const round = (at: number): Talk[] => [
      { at, target: "/open" },
      { at: at + 60, target: "/show" },
    ];
    const polled: Talk[] = [...round(0), ...round(5_000), ...round(10_000), { at: 4_995, lasts: 60, target: "/poll" }];
    assert.equal(linksIn(polled), ["1>2 order", "3>4 order", "5>6 order"]);
    // An exchange that started after the usual one is a step of its own.
    const between: Talk[] = [
      ...round(0),
      ...round(5_000),
      { at: 10_000, target: "/open" },
      { at: 10_060, lasts: 20, target: "/new" },
    ];
    assert.equal(linksIn([...between, { at: 10_090, target: "/show" }]).slice(-2), ["5>6 order", "6>7 order"]);
  });

  test("given a proof, gives no order link besides", () => {
    const found = linksIn([
      {
        at: 0,
        target: "/login",
        method: "POST",
        gives: ["content-type: application/json"],
        answer: '{"token":"9f8e7d6c5b4a"}',
      },
      { at: 10, lasts: 45, target: "/other" },
      { at: 60, target: "/me", sends: ["authorization: Bearer 9f8e7d6c5b4a"] },
    ]);
    assert.equal(found, ["1>3 value"]);
  });

  test('given an order that holds for 2 of 3 pairs, the link\'s evidence is "2 of 3"', () => {
    const { links } = foundIn(
      [0, 5_000, 10_000].flatMap((at) => [
        { at, target: "/a" },
        { at: at + (at === 5_000 ? 2_000 : 60), target: "/b" },
      ]),
    );
    assert.equal(
      links.map(({ evidence }) => evidence.value),
      ["2 of 3", "2 of 3"],
    );
  });
});

const header = fc.constantFrom("Authorization: Bearer ", "Cookie: sid=", "X-Tenant: ");

/** Visits in turn: a list, and 10 ms after it a detail; `userOf` names the user of each request. */
function visits(count: number, name: string, userOf: (visit: number, isDetail: boolean) => string): readonly Talk[] {
  return Array.from({ length: count }, (_, visit) => [
    { at: visit * 1_000, target: "/list", sends: [name + userOf(visit, false)] },
    { at: visit * 1_000 + 60, target: "/detail", sends: [name + userOf(visit, true)] },
  ]).flat();
}

describe("links by order with several users", (test) => {
  test("given requests of different users, links them by order only within one user's", () => {
    fc.assert(
      fc.property(header, fc.integer({ min: 4, max: 12 }), (name, count) => {
        const own = visits(count, name, (visit) => `user${visit % 2}`);
        assert.is(linksIn(own).length, count);
        const mixed = visits(count, name, (visit, isDetail) => `user${(visit + Number(isDetail)) % 2}`);
        assert.equal(linksIn(mixed), []);
      }),
    );
  });

  test("given credentials that are replaced once, or two schemes of one client, keeps the links", () => {
    fc.assert(
      fc.property(header, fc.integer({ min: 4, max: 12 }), fc.integer({ min: 0, max: 3 }), (name, count, at) => {
        const renewed = visits(count, name, (visit, isDetail) =>
          visit > at || (visit === at && isDetail) ? "b1" : "a1",
        );
        assert.is(linksIn(renewed).length, count);
        const schemes = visits(count, "Authorization: ", (_, isDetail) => (isDetail ? "Bearer bbb" : "Basic aaa"));
        assert.is(linksIn(schemes).length, count);
      }),
    );
  });
});
