import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { clientOf, ExchangeFolder, InFlight } from "../../../src/engine/capture/exchange-folder.ts";
import { STORED_HEAD, storedHead } from "../../../src/engine/model/head.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { anyExchanges, eventsOf, instant } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const started = (events: readonly CaptureEvent[]): CaptureEvent => events[0] as CaptureEvent;

describe("exchange folder", (test) => {
  test("given any exchanges as events, folds them to the same exchanges and counts those in flight", () => {
    fc.assert(
      fc.property(anyExchanges(10), (exchanges) => {
        const recorder = new ExchangeFolder();
        for (const made of exchanges) {
          const last = eventsOf(made)
            .map((event) => recorder.fold(event))
            .at(-1);
          const { contentType, contentEncoding } = made;
          const answered = made.outcome?.status != null;
          const expected = {
            ...made,
            contentType: answered ? contentType : null,
            contentEncoding: answered ? contentEncoding : null,
          };
          assert.equal(last, expected);
        }
        assert.is(recorder.inFlight, exchanges.filter(({ outcome }) => outcome === null).length);
      }),
    );
  });

  test("given a held response, its exchange says when it was released; one held for 0 ms was not held", () =>
    fc.assert(
      fc.property(fc.nat(2_000), fc.boolean(), (level, isEnded) => {
        const made = exchange({ id: 7, end: 5_000 });
        const [start, ...rest] = eventsOf(made) as [CaptureEvent, ...CaptureEvent[]];
        const held: CaptureEvent = { type: "response-held", id: made.id, at: instant(4_000), level };
        const recorder = new ExchangeFolder();
        let { released } = recorder.fold(start)?.instants ?? {};
        for (const event of [held, ...(isEnded ? rest : [])])
          released = recorder.fold(event)?.instants.released ?? released;
        assert.is(released, level === 0 ? undefined : 4_000);
      }),
    ));

  test("given a request target, decodes UTF-8 in target and endpoint and keeps other bytes distinct", () => {
    const targetOf = (target: string) => {
      const folded = new ExchangeFolder().fold(started(eventsOf(exchange({ target }))));
      return [folded?.target, folded?.endpoint];
    };
    assert.equal(targetOf("/caf\xc3\xa9?a"), ["/caf\u00e9?a", "GET https://api.test/caf\u00e9"]);
    assert.not.equal(targetOf("/\xe9"), targetOf("/\xe8"));
  });

  test("given a response that has started, knows its content type and coding but no outcome until the end", () => {
    const recorder = new ExchangeFolder();
    const [request, response, end] = eventsOf(exchange({ contentType: "text/html", end: 9 }));
    assert.is(recorder.fold(request as CaptureEvent)?.outcome, null);
    const answered = recorder.fold({
      ...(response as CaptureEvent & { type: "response-started" }),
      head: "HTTP/1.1 200 OK\r\nContent-Type: Text/HTML ;charset=x\r\nContent-Encoding: GZIP\r\n\r\n",
    });
    assert.equal([answered?.contentType, answered?.contentEncoding, answered?.outcome], ["text/html", "gzip", null]);
    assert.equal(recorder.fold(end as CaptureEvent)?.outcome, { kind: "responded", status: 200 });
    assert.is(recorder.inFlight, 0);
  });

  test("given a streaming content type, tags the exchange as a stream even if its end event has no such tag", () => {
    const outcome = { kind: "failed", errorType: "proxy-stopped", detail: "Cut off.", status: 200 } as const;
    for (const [contentType, tags] of [
      ["text/event-stream", []],
      ["Text/Event-Stream; charset=utf-8", ["imported"]],
      ["text/event-stream", ["event-stream"]],
      ["text/event-streams", []],
      ["Multipart/X-Mixed-Replace; boundary=frame", []],
      ["application/stream+json", ["imported"]],
    ] as const) {
      const recorder = new ExchangeFolder();
      const [ended] = eventsOf(exchange({ contentType, outcome, tags: [...tags], end: 9 }))
        .map((event) => recorder.fold(event))
        .slice(-1);
      const own = /event-stream(?!s)/i.test(contentType) ? "event-stream" : "stream";
      const expected = contentType === "text/event-streams" ? [] : new Set([...tags, own]);
      assert.equal(ended?.tags, [...expected]);
    }
  });

  test("given an empty body with a content coding, its decoded size is 0", () => {
    for (const [encodedBodySize, decoded] of [
      [0, 0],
      [120, null],
    ] as const) {
      const recorder = new ExchangeFolder();
      const made = exchange({ status: 304, contentEncoding: "gzip", encodedBodySize, end: 9 });
      const [ended] = eventsOf(made)
        .map((event) => recorder.fold(event))
        .slice(-1);
      assert.is(ended?.decodedBodySize, decoded);
    }
  });

  test("given an imported exchange without a decoded size, does not take the transferred size for it", () => {
    const recorder = new ExchangeFolder();
    const imported = exchange({ tags: ["imported"], encodedBodySize: 300, end: 9 });
    const [ended] = eventsOf(imported)
      .map((event) => recorder.fold(event))
      .slice(-1);
    assert.equal([ended?.encodedBodySize, ended?.decodedBodySize], [300, null]);
  });

  test("given events of an unknown or ended exchange, ignores them", () => {
    const recorder = new ExchangeFolder();
    const events = eventsOf(exchange());
    assert.is(recorder.fold(events[1] as CaptureEvent), null);
    assert.is(recorder.fold(events[2] as CaptureEvent), null);
    for (const event of events) recorder.fold(event);
    assert.is(recorder.fold(events[2] as CaptureEvent), null);
  });

  test("given a second start event of an exchange, ignores it", () => {
    const recorder = new ExchangeFolder();
    const event = started(eventsOf(exchange()));
    assert.ok(recorder.fold(event) !== null);
    assert.is(recorder.fold(event), null);
    assert.is(recorder.inFlight, 1);
  });

  test("given a request head, names the client by address and User-Agent, cut to 260 characters", () => {
    assert.is(clientOf("10.0.0.2", "GET / HTTP/1.1\r\nUSER-AGENT: curl/8\r\n\r\n"), "10.0.0.2 curl/8");
    assert.is(clientOf("10.0.0.2", "GET / HTTP/1.1\r\n\r\n"), "10.0.0.2");
    assert.is(clientOf("::1", `GET / HTTP/1.1\r\nUser-Agent: ${"x".repeat(9_000)}\r\n\r\n`).length, 260);
  });

  test("given a method above 64 characters, keeps its beginning", () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60_000 }), (length) => {
        const made = { ...exchange({}), method: "M".repeat(length) };
        const { method = "", endpoint = "" } = new ExchangeFolder().fold(started(eventsOf(made))) ?? {};
        assert.is(method, length <= 64 ? made.method : `${"M".repeat(64)}…`);
        assert.ok(endpoint.startsWith(`${method} `));
      }),
    ));

  test("given a head above 32 KiB, now or as it was stored, tags the exchange", () => {
    const [begun, ...rest] = eventsOf(exchange({ id: 1 }));
    if (begun?.type !== "request-started") throw new Error("no request");
    const long = `GET / HTTP/1.1\r\nx: ${"v".repeat(STORED_HEAD)}\r\n\r\n`;
    for (const head of [long, storedHead(long)]) {
      const folder = new ExchangeFolder();
      const folded = [{ ...begun, head }, ...rest].map((event) => folder.fold(event));
      assert.ok(folded.at(-1)?.tags.includes("head-cut"));
    }
  });
});

const id = fc.nat(12).map((value) => value as ExchangeId);
const steps = fc.array(fc.record({ id, value: fc.option(fc.record({ seen: fc.nat() })) }), { maxLength: 60 });

describe("table of exchanges in flight", (test) => {
  test("given any sequence of sets and deletes, the in-flight table equals a Map", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.record({ seen: fc.nat() })), { maxLength: 5 }), steps, (known, made) => {
        const [held, model] = [new InFlight(known), new Map(known)];
        for (const step of made) {
          if (step.value === null) {
            held.delete(step.id);
            model.delete(step.id);
          } else {
            held.set(step.id, step.value);
            model.set(step.id, step.value);
          }
          assert.is(held.size, model.size);
          assert.is(held.get(step.id), model.get(step.id) ?? null);
        }
        assert.equal(new Set(held.values()), new Set(model.values()));
        for (const [one, value] of model) assert.is(held.get(one), value);
      }),
    );
  });
});
