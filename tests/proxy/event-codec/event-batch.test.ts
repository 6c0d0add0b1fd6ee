import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BatchWriter, eventsOf } from "../../../extensions/proxy/event-codec/event-batch.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import { ERROR_TYPES, TAGS } from "../../../src/engine/model/exchange.ts";
import { KEPT_FROM_END, KEPT_FROM_START } from "../../../src/engine/model/exchange-fields.ts";
import { CHANGE_MARKS } from "../../../src/engine/model/experiment.ts";
import { OPERATION_KINDS } from "../../../src/engine/model/operation.ts";
import type { ExchangeId, Instant } from "../../../src/engine/model/units.ts";
import { anyInstants } from "../../support/any-instants.ts";
import { anyKeptIn } from "../../support/capture.ts";
import { describe } from "../../support/describe.ts";

/** Plain objects, as the events themselves are. */
const record = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { noNullPrototype: true });
const id = fc.nat().map((value) => value as ExchangeId);
const instant = fc.double({ min: 0, max: 4e12, noNaN: true }).map((value) => value as Instant);
const latin1 = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)) });
const tags = fc.subarray([...TAGS]);
const side = fc.constantFrom("request" as const, "response" as const);
const bytes = fc.uint8Array({ maxLength: 300 });
const status = fc.integer({ min: 100, max: 999 });

const instants = anyInstants(instant);

const outcome = fc.oneof(
  record({ kind: fc.constant("responded" as const), status }),
  record({
    kind: fc.constant("failed" as const),
    errorType: fc.constantFrom(...ERROR_TYPES),
    detail: fc.string(),
    status: fc.option(status),
  }),
);

const ended = record({
  type: fc.constant("exchange-ended" as const),
  id,
  at: instant,
  instants,
  outcome,
  requestBodySize: fc.nat(),
  encodedBodySize: fc.nat(),
  ...anyKeptIn(KEPT_FROM_END),
  uncertainty: fc.nat(60),
  tags,
});

const operation = fc.option(record({ kind: fc.constantFrom(...OPERATION_KINDS), name: fc.option(fc.string()) }));

const event: fc.Arbitrary<CaptureEvent> = fc.oneof(
  record({
    type: fc.constant("request-started" as const),
    id,
    at: instant,
    method: latin1,
    origin: fc.string(),
    target: latin1,
    head: latin1,
    clientAddress: fc.string(),
    protocol: fc.string(),
    ...anyKeptIn(KEPT_FROM_START),
    tags,
  }),
  record({ type: fc.constant("response-started" as const), id, at: instant, status, head: latin1 }),
  record({ type: fc.constant("body-captured" as const), id, side, bytes }),
  record({
    type: fc.constant("message-captured" as const),
    id,
    at: instant,
    side,
    kind: fc.constantFrom("text" as const, "binary" as const, "ping" as const, "pong" as const, "close" as const),
    size: fc.nat(),
    bytes,
    cut: fc.boolean(),
  }),
  ended,
  fc.tuple(ended, operation).map(([end, named]) => ({ ...end, operation: named })),
  record({ type: fc.constant("events-dropped" as const), at: instant, count: fc.nat() }),
  record({
    type: fc.constant("connection-opened" as const),
    id: fc.nat(),
    at: instant,
    address: fc.string(),
    tls: fc.option(
      record({
        version: fc.string(),
        cipher: fc.string(),
        alpn: fc.option(fc.string()),
        resumed: fc.boolean(),
        certificates: fc.constant([]),
      }),
    ),
  }),
  record({ type: fc.constant("body-decoded" as const), id, size: fc.option(fc.nat()) }),
  record({ type: fc.constant("body-decoded" as const), id, size: fc.option(fc.nat()), failed: fc.boolean() }),
  record({
    type: fc.constant("unit-joined" as const),
    id,
    unit: fc.nat(),
    block: fc.option(fc.nat()),
    level: fc.option(fc.nat()),
  }),
  record({ type: fc.constant("response-held" as const), id, at: instant, level: fc.nat(2_000) }),
  record({ type: fc.constant("change-marked" as const), at: instant, mark: fc.constantFrom(...CHANGE_MARKS) }),
  record({
    type: fc.constant("client-secured" as const),
    connection: fc.nat(),
    at: instant,
    tls: record({ version: fc.string(), cipher: fc.string(), alpn: fc.option(fc.string()), resumed: fc.boolean() }),
  }),
  record({ type: fc.constant("client-named" as const), connection: fc.nat(), program: fc.string() }),
  record({
    type: fc.constant("page-described" as const),
    page: fc.string(),
    title: fc.string(),
    at: fc.option(instant),
    marks: fc.array(fc.tuple(fc.string(), fc.nat())).map((marks) => new Map(marks)),
  }),
);

describe("event batch packing", (test) => {
  test("given any events, reads each batch as it was packed, in order", () => {
    const writer = new BatchWriter();
    fc.assert(
      fc.property(fc.array(event), (events) => {
        for (const one of events) writer.add(one);
        assert.is(writer.count, events.length);
        assert.equal(eventsOf(structuredClone(writer.finish())), events);
        assert.is(writer.count, 0);
      }),
    );
  });

  test("given several batches, keeps each unchanged when later ones are packed", () => {
    const writer = new BatchWriter();
    const batches = fc.array(fc.array(event, { minLength: 1 }), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(batches, (all) => {
        const packed = all.map((events) => {
          for (const one of events) writer.add(one);
          return writer.finish();
        });
        assert.equal(packed.map(eventsOf), all);
      }),
    );
  });

  test("given repeated words, stores each once in its batch, and none of an earlier batch", () => {
    const writer = new BatchWriter();
    const begun = (origin: string): CaptureEvent => ({
      type: "request-started",
      id: 1 as ExchangeId,
      at: 5 as Instant,
      method: "GET",
      origin,
      target: "/",
      head: "",
      clientAddress: "127.0.0.1",
      protocol: "http/1.1",
      clientConnection: null,
      clientStream: null,
      tags: [],
    });
    const packed = (...origins: string[]) => {
      for (const origin of origins) writer.add(begun(origin));
      return writer.finish().words;
    };
    assert.equal(packed("https://a.test", "https://a.test"), ["GET", "https://a.test", "127.0.0.1", "http/1.1"]);
    assert.equal(packed("https://b.test"), ["GET", "https://b.test", "127.0.0.1", "http/1.1"]);
  });

  test("given ended exchanges with every tag, keeps them all wherever the buffer ends", () => {
    const dropped: CaptureEvent = { type: "events-dropped", at: 5 as Instant, count: 1 };
    fc.assert(
      fc.property(fc.nat(60), ended, (before, one) => {
        const writer = new BatchWriter();
        const marked: CaptureEvent = { ...one, outcome: { kind: "responded", status: 200 }, tags: [...TAGS] };
        const events: CaptureEvent[] = [...Array(before).fill(dropped), ...Array(400).fill(marked)];
        for (const one of events) writer.add(one);
        assert.equal(eventsOf(writer.finish()), events);
      }),
    );
  });

  test("given more events than the buffer holds, grows the batch", () => {
    const writer = new BatchWriter();
    const body = new Uint8Array(100_000).map((_, at) => at);
    const events = Array.from({ length: 10_000 }, (_, number): CaptureEvent => {
      if (number % 1_000 === 0) return { type: "body-captured", id: 1 as ExchangeId, side: "response", bytes: body };
      return { type: "response-started", id: number as ExchangeId, at: 5 as Instant, status: 200, head: "x" };
    });
    for (const one of events) writer.add(one);
    assert.equal(eventsOf(writer.finish()), events);
  });
});
