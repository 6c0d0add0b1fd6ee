import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { endpointOf } from "../../../src/engine/model/endpoint.ts";
import type { Exchange } from "../../../src/engine/model/exchange.ts";
import { figuresOf } from "../../../src/engine/session/figures.ts";
import { GroupingFinder } from "../../../src/engine/session/grouping.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange, withTarget } from "../../support/exchange.ts";
import { processorTimeOf } from "../../support/processor-time.ts";
import { recorded } from "../../support/recorded.ts";
import { resultOf } from "../../support/slices.ts";

describe("grouping of similar paths", (test) => {
  test("paths that look like one template are previewed, and offered from 20 on", () => {
    const session = recorded(items(20));
    const { on, offer, templates } = groupingOf(session);
    assert.equal([on, offer], [false, { paths: 20, templates: 1 }]);
    assert.equal(templates, [
      {
        template: "GET https://api.test/items/{id}",
        paths: 20,
        requests: 20,
        examples: ["https://api.test/items/1", "https://api.test/items/2", "https://api.test/items/3"],
      },
    ]);
    assert.is(groupingOf(recorded(items(19))).offer, null);
  });

  test("statistics follow at once, and what was grouped is told", () => {
    const session = recorded(items(6));
    assert.equal(figuresOf(session).endpoints, []);
    resultOf(session.regrouping(true));
    assert.equal(
      figuresOf(session).endpoints.map(({ endpoint, requests }) => [endpoint, requests]),
      [["GET https://api.test/items/{id}", 6]],
    );
    assert.is(session.exchange(3 as never)?.target, "/items/3?x=1");
    assert.equal(
      groupingOf(session).templates.map(({ template, paths, requests }) => [template, paths, requests]),
      [["GET https://api.test/items/{id}", 6, 6]],
    );
    assert.is(groupingOf(session).on, true);
    resultOf(session.regrouping(false));
    assert.equal(figuresOf(session).endpoints, []);
  });

  test("what keeps up with a session says what a new look says, literal and grouped", () => {
    const paths = fc.constantFrom("/items/7", "/items/8?page=1", "/items/9", "/users", "/users/1/x", "/users/2/x", "*");
    const targets = fc.array(paths, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(anyExchanges(60), targets, fc.nat(60), (sketches, chosen, cut) => {
        const session = new Session();
        const finder = new GroupingFinder();
        for (const [index, one] of sketches.entries()) {
          if (index === cut) resultOf(session.regrouping(true));
          session.apply(eventsOf(withTarget(one, chosen[index] ?? "/")));
          assert.ok(finder.advance(session));
          assert.equal(finder.of(session), groupingOf(session));
        }
      }),
    );
  });

  test("a large session is looked at in parts", () => {
    const session = new Session();
    const made = exchange({ id: 1 });
    for (let id = 1; id <= 150_000; id += 1) {
      const target = `/items/${id}`;
      session.add({ ...withTarget(made, target), id: id as typeof made.id });
    }
    const finder = new GroupingFinder();
    assert.equal([finder.advance(session), finder.advance(session)], [false, true]);
    assert.is(finder.of(session).templates[0]?.paths, 150_000);
    assert.equal(finder.of(session).offer, { paths: 150_000, templates: 1 });
  });

  test("of many endpoints none is taken over at once: the last step of a regrouping is as short as the others", () => {
    const session = new Session();
    const made = exchange({ id: 1 });
    for (let id = 1; id <= 300_000; id += 1)
      session.add({ ...withTarget(made, `/items-${id}`), id: id as typeof made.id });
    const slices = session.regrouping(true);
    let isThrough = false;
    let took = 0;
    while (!isThrough) {
      took = processorTimeOf(() => {
        isThrough = slices.next().done === true;
      });
    }
    assert.ok(took < 50, `${took} ms`);
    assert.is(session.tallies.last, 300_000);
  });

  test("two origins and two methods are never merged, nor is a host that looks like a number", () => {
    const session = recorded([
      exchange({ id: 1, target: "/1" }),
      exchange({ id: 2, target: "/2", method: "PUT" }),
      exchange({ id: 3, target: "/3", origin: "https://2130706433" }),
      exchange({ id: 4, target: "/4", origin: "https://2130706434" }),
    ]);
    resultOf(session.regrouping(true));
    assert.is(session.tallies.last, 4);
  });

  test("an endpoint that no grouping touches keeps its figures, also once all of its rows have left the list", () => {
    const session = new Session(3);
    const add = (id: number, target: string) => session.add(exchange({ id, target, start: id, end: id + 7 }));
    for (let id = 1; id <= 6; id += 1) add(id, "/health");
    for (let id = 7; id <= 9; id += 1) add(id, `/users/${id}`);
    const figures = () => session.tally(exchange({ target: "/health" }).endpoint)?.figures();
    const before = figures();
    assert.is(before?.requests, 6);
    resultOf(session.regrouping(true));
    assert.equal(figures(), before);
    add(10, "/health");
    assert.is(figures()?.requests, 7);
    resultOf(session.regrouping(false));
    assert.is(figures()?.requests, 7);
  });

  test("a WebSocket that stands is one request of its group, though its row has left the list", () => {
    const socket = exchange({ end: 9, target: "/rooms/7", status: 101, tags: ["websocket"] });
    for (const cap of [1, 9]) {
      const session = new Session(cap);
      session.apply(eventsOf(socket).slice(0, 2));
      session.apply(eventsOf(exchange({ id: 2, target: "/health" })));
      resultOf(session.regrouping(true));
      const tally = session.tally(endpointOf("GET", "https://api.test", "/rooms/{id}"));
      assert.equal([tally?.requests, tally?.payload.responses], [1, 0]);
      session.apply(eventsOf(socket).slice(2));
      assert.equal([tally?.requests, tally?.payload.responses, session.summary.counted], [1, 1, 2]);
    }
  });

  test("regrouped in slices while it is recorded, a session ends as one that was grouped from the start, and back", () => {
    const paths = fc.constantFrom("/items/7", "/items/8?page=1", "/users", "/users/9/x", "/{id}", "*");
    const targets = fc.array(paths, { minLength: 60, maxLength: 60 });
    const decoded = fc.array(fc.option(fc.constantFrom(7, 7, 2_000, 9_999)), { minLength: 60, maxLength: 60 });
    const many = anyExchanges(60);
    fc.assert(
      fc.property(many, many, targets, decoded, fc.nat(40), fc.nat(3), (first, second, chosen, sizes, cut, most) => {
        const exchanges = [...first, ...second].map((one, index) =>
          withTarget({ ...one, id: (index + 1) as typeof one.id }, chosen[index] ?? "/"),
        );
        const events = mixed(exchanges).flatMap((event): CaptureEvent[] => {
          const size = sizes[Number("id" in event ? event.id : 0)] ?? null;
          if (event.type !== "exchange-ended") return [event];
          // Some stay as they are once they were answered.
          return size === 7 ? [] : [event, { type: "body-decoded", id: event.id, size }];
        });
        const grouped = new Session(undefined, true);
        const literal = new Session();
        const turned = new Session();
        for (const session of [grouped, literal]) session.apply(events);
        const step = (slices: ReturnType<Session["regrouping"]>) => slices.next().done === true;
        turned.apply(events.slice(0, cut));
        const there = turned.regrouping(true, 1 + most);
        for (const event of events.slice(cut)) {
          step(there);
          turned.apply([event]);
        }
        while (!step(there));
        assert.equal(sorted(turned), sorted(grouped));
        for (const { id } of exchanges) assert.equal(turned.exchange(id), grouped.exchange(id));
        const back = turned.regrouping(false, 1 + most);
        while (!step(back));
        assert.equal(sorted(turned), sorted(literal));
        for (const { id } of exchanges) assert.equal(turned.exchange(id), literal.exchange(id));
      }),
      { numRuns: 100 },
    );
  });

  test("rows that leave the list before it is their turn are not counted anew", () => {
    const session = new Session(10);
    const add = (from: number) => {
      for (let id = from; id < from + 10; id += 1) session.add(exchange({ id, target: `/items/${id}` }));
    };
    add(1);
    const slices = session.regrouping(true, 1);
    slices.next();
    add(11);
    resultOf(slices);
    const tally = session.tally(endpointOf("GET", "https://api.test", "/items/{id}"));
    assert.equal([tally?.requests, tally?.left], [11, 1]);
  });

  test("until the last slice the figures are those of before; a wish that is taken back leaves them", () => {
    const session = recorded(items(6));
    const slices = session.regrouping(true, 2);
    assert.equal([slices.next().done, slices.next().done], [false, false]);
    assert.equal([session.grouped, session.tallies.last], [false, 6]);
    for (const _ of session.regrouping(false));
    assert.is(slices.next().done, true);
    assert.equal([session.grouped, session.tallies.last], [false, 6]);
  });

  test("regrouping gives the figures of a session that was grouped from the start, and back", () => {
    const paths = fc.constantFrom(
      "/items/7",
      "/items/8?page=1",
      "/users",
      "/a/550e8400-e29b-41d4-a716-446655440000",
      "*",
    );
    const targets = fc.array(paths, { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(anyExchanges(60), targets, fc.nat(60), (sketches, chosen, cut) => {
        const exchanges = sketches.map((one, index) => withTarget(one, chosen[index] ?? "/"));
        const grouped = new Session(undefined, true);
        const literal = new Session();
        const turned = new Session();
        for (const [index, one] of exchanges.entries()) {
          if (index === cut) resultOf(turned.regrouping(true));
          for (const session of [grouped, literal, turned]) session.apply(eventsOf(one));
        }
        resultOf(turned.regrouping(true));
        assert.equal(sorted(turned), sorted(grouped));
        for (const { id } of exchanges) assert.equal(turned.exchange(id), grouped.exchange(id));
        resultOf(turned.regrouping(false));
        assert.equal(sorted(turned), sorted(literal));
        for (const { id } of exchanges) assert.equal(turned.exchange(id), literal.exchange(id));
      }),
    );
  });
});

const groupingOf = (session: Session) => new GroupingFinder().of(session);

function items(count: number): readonly Exchange[] {
  return Array.from({ length: count }, (_, index) => exchange({ id: index + 1, target: `/items/${index + 1}?x=1` }));
}

/** Each event by itself, those of several exchanges mixed. */
function mixed(exchanges: readonly Exchange[]): readonly CaptureEvent[] {
  const waiting = exchanges.map((one) => [...eventsOf(one)]);
  return waiting
    .flatMap((events, index) => [...events.splice(0, 1), ...(waiting[index - 3]?.splice(0) ?? [])])
    .concat(waiting.flat());
}

function sorted(session: Session) {
  return figuresOf(session).endpoints.toSorted((a, b) => (a.endpoint < b.endpoint ? -1 : 1));
}
