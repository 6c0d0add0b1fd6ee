import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { type Outcome, UNCOUNTED_TAGS } from "../../../src/engine/model/exchange.ts";
import { figuresOf } from "../../../src/engine/session/lists/figures.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { anyExchanges, eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { interleaved } from "../../support/interleaved.ts";
import { recorded } from "../../support/recorded.ts";

describe("session", (test) => {
  test("given an exchange, lists it when it starts and counts it when it ends", () => {
    const session = new Session();
    const [started, answered, ended] = eventsOf(exchange({ end: 5 })) as [CaptureEvent, CaptureEvent, CaptureEvent];
    session.apply([started, answered]);
    assert.equal([session.exchanges, session.inFlight, session.summary.counted], [1, 1, 0]);
    session.apply([ended]);
    assert.equal([session.exchanges, session.inFlight, session.summary.counted], [1, 0, 1]);
  });

  test("given a stream, counts it once when it opens, and its failure when it ends", () => {
    const streams = [
      exchange({ id: 1, end: 90, target: "/events", contentType: "text/event-stream", tags: ["event-stream"] }),
      exchange({ id: 5, end: 90, target: "/camera", contentType: "multipart/x-mixed-replace", tags: ["stream"] }),
      exchange({ id: 2, end: 90, target: "/socket", status: 101, tags: ["websocket"] }),
      exchange({ id: 3, end: 90, target: "/cut", outcome: failed(101), tags: ["websocket"] }),
      exchange({ id: 4, end: 90, target: "/tunnelled-database", status: 101 }),
    ];
    for (const made of streams) {
      const session = new Session();
      const said = () => [session.summary.counted, session.summary.errors, session.tallies.at(1)?.requests];
      const [started, answered, ended] = eventsOf(made) as [CaptureEvent, CaptureEvent, CaptureEvent];
      // The proxy adds other tags only when the exchange ends.
      session.apply([{ ...started, tags: made.tags.includes("websocket") ? made.tags : [] } as CaptureEvent]);
      assert.equal(said(), [0, 0, 0]);
      session.apply([answered]);
      assert.equal(said(), [1, 0, 1]);
      session.apply([ended]);
      assert.equal(said(), [1, made.outcome?.kind === "failed" ? 1 : 0, 1]);
    }
  });

  test("given the events of exchanges interleaved and in part repeated, counts each exchange once", () => {
    const draws = fc.array(fc.tuple(fc.nat(), fc.boolean()), { minLength: 20, maxLength: 60 });
    fc.assert(
      fc.property(anyExchanges(40), draws, (exchanges, drawn) => {
        const session = new Session();
        for (const event of interleaved(exchanges.map(eventsOf), drawn)) session.apply([event]);
        assert.equal(figuresOf(session), figuresOf(recorded(exchanges)));
        for (const made of exchanges) assert.equal(session.exchange(made.id), recorded([made]).exchange(made.id));
      }),
    );
  });

  test("given a refused or uncounted handshake, counts it like any other exchange, at its end", () => {
    for (const made of [
      exchange({ end: 90, status: 403, tags: ["websocket"] }),
      exchange({ end: 90, status: 101, tags: ["websocket", "resent"] }),
      exchange({ end: 90, status: 500, contentType: "text/event-stream", tags: ["event-stream"] }),
    ]) {
      const session = new Session();
      session.apply(eventsOf(made).slice(0, 2));
      assert.is(session.summary.counted, 0);
      session.apply(eventsOf(made).slice(2));
      assert.is(session.summary.counted, made.tags.includes("resent") ? 0 : 1);
    }
  });

  test("given open streams whose rows were evicted, the endpoint's figures still include them", () => {
    const session = new Session(2);
    const sockets = [1, 2, 3, 4, 5].map((id) => exchange({ id, end: 90, outcome: failed(101), tags: ["websocket"] }));
    for (const made of sockets) session.apply(eventsOf(made).slice(0, 2));
    const figures = () => session.tallies.at(1)?.figures();
    assert.equal([figures()?.requests, figures()?.errorRate, figures()?.protocols], [5, 0, ["http/1.1"]]);
    for (const made of sockets) session.apply(eventsOf(made).slice(2));
    assert.equal([figures()?.requests, figures()?.errorRate, session.tallies.last], [5, 100, 1]);
  });

  test("given tunnels and malformed, probe or resent requests, leaves them out of all statistics", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const session = recorded(exchanges);
        const counted = exchanges.filter(
          ({ tags, outcome }) => outcome !== null && !tags.some((tag) => UNCOUNTED_TAGS.includes(tag)),
        );
        assert.is(session.summary.counted, counted.length);
        for (const { endpoint } of exchanges) {
          const requests = counted.filter((one) => one.endpoint === endpoint).length;
          assert.is(session.tally(endpoint)?.requests, requests);
        }
      }),
    );
  });

  test("given units of an experiment, none of their exchanges is in a statistic, and each knows its unit", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.infiniteStream(fc.option(fc.integer({ min: 1, max: 9 }))), (exchanges, units) => {
        const drawn = exchanges.map((one) => [one, units.next().value ?? null] as const);
        const others = recorded(drawn.filter(([, unit]) => unit === null).map(([one]) => one));
        const session = new Session();
        for (const [one, unit] of drawn) {
          const made = unit === null ? one : { ...one, tags: [...one.tags, "unit" as const] };
          const [start, ...rest] = eventsOf(made) as [CaptureEvent, ...CaptureEvent[]];
          const joined: CaptureEvent[] =
            unit === null ? [] : [{ type: "unit-joined", id: one.id, unit, block: null, level: null }];
          session.apply([start, ...joined, ...rest]);
        }
        assert.is(session.summary.counted, others.summary.counted);
        assert.is(session.summary.errors, others.summary.errors);
        for (const { endpoint } of exchanges)
          assert.is(session.tally(endpoint)?.requests ?? 0, others.tally(endpoint)?.requests ?? 0);
        for (const [{ id }, unit] of drawn)
          assert.ok(Object.is(session.table.unit.at(session.table.rowOf(id) ?? -1, 0), unit ?? Number.NaN));
      }),
    );
  });

  test("given the row cap is reached, evicts the oldest rows and keeps the figures", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.integer({ min: 1, max: 20 }), (exchanges, cap) => {
        const small = recorded(exchanges, cap);
        assert.equal(figuresOf(small), figuresOf(recorded(exchanges)));
        assert.is(small.forgotten, Math.max(0, exchanges.length - cap));
        for (const made of exchanges.slice(0, small.forgotten)) assert.is(small.exchange(made.id), null);
        for (const made of exchanges.slice(small.forgotten)) assert.is(small.exchange(made.id)?.target, made.target);
      }),
    );
  });

  test("given a lower row cap, evicts rows at once and later; a higher cap restores none", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.nat(60), fc.integer({ min: 1, max: 20 }), (exchanges, already, cap) => {
        const session = recorded(exchanges.slice(0, already));
        const { revision } = session;
        session.setRowCap(cap);
        const forgotten = Math.max(0, Math.min(already, exchanges.length) - cap);
        assert.is(session.forgotten, forgotten);
        assert.is(session.revision > revision, forgotten > 0);
        for (const made of exchanges.slice(already)) session.add(made);
        assert.is(session.forgotten, Math.max(0, exchanges.length - cap));
        assert.equal(figuresOf(session), figuresOf(recorded(exchanges)));
        session.setRowCap(1_000);
        assert.is(session.forgotten, Math.max(0, exchanges.length - cap));
      }),
    );
  });

  test("given an exchange that ends after its row was evicted, still counts it", () => {
    const session = new Session(1);
    const [started, ...rest] = eventsOf(exchange({ id: 1, end: 900 }));
    session.apply([started as CaptureEvent, ...eventsOf(exchange({ id: 2, start: 1, end: 2 })), ...rest]);
    assert.is(session.summary.counted, 2);
    assert.is(session.exchange(exchange({ id: 1 }).id), null);
  });

  test("given a body that is decoded later, adds its size to the exchange and the means", () => {
    const made = exchange({ encodedBodySize: 100, contentEncoding: "gzip" });
    const session = recorded([made, { ...made, id: exchange({ id: 2 }).id }]);
    session.apply([{ type: "body-decoded", id: made.id, size: 400 }]);
    session.apply([{ type: "body-decoded", id: exchange({ id: 9 }).id, size: 1 }]);
    assert.is(session.exchange(made.id)?.decodedBodySize, 400);
    assert.is(session.tallies.at(1)?.payload.compressionRatio, 4);
    session.apply([{ type: "body-decoded", id: exchange({ id: 2 }).id, size: null }]);
    assert.is(session.exchange(exchange({ id: 2 }).id)?.decodedBodySize, null);
  });

  test("given a clear and its undo, the old session equals one that was never cleared", () => {
    fc.assert(
      fc.property(anyExchanges(), fc.nat(), (exchanges, at) => {
        const events = exchanges.flatMap(eventsOf);
        const cleared = new Session();
        const fresh = new Session();
        const index = at % (events.length + 1);
        cleared.apply(events.slice(0, index));
        for (const event of events.slice(index)) {
          cleared.apply([event]);
          fresh.apply([event]);
        }
        assert.equal(figuresOf(cleared), figuresOf(recorded(exchanges)));
        const startedLater = events.slice(index).filter(({ type }) => type === "request-started");
        assert.is(fresh.exchanges, startedLater.length);
      }),
    );
  });

  test("given stored exchanges that are added again, the figures are the same", () => {
    fc.assert(
      fc.property(anyExchanges(), (exchanges) => {
        const live = recorded(exchanges);
        const again = new Session();
        for (const { id } of exchanges) again.add(live.exchange(id) ?? exchange());
        assert.equal(figuresOf(again), figuresOf(live));
      }),
    );
  });

  test("given dropped events, states their number", () => {
    const session = new Session();
    session.apply([{ type: "events-dropped", at: instant(0), count: 7 }]);
    assert.is(session.dropped, 7);
  });
});

function failed(status: number): Outcome {
  return { kind: "failed", errorType: "server-closed", detail: "It is gone.", status };
}
