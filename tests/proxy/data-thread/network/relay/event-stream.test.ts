import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { EventStream } from "../../../../../extensions/proxy/data-thread/network/relay/event-stream.ts";
import {
  LEAST_HELD,
  MessageBudget,
  MessageMemory,
} from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";

function eventsOf(...pieces: readonly string[]): readonly string[] {
  const stream = new EventStream(new MessageMemory());
  return pieces.flatMap((piece) => stream.feed(Buffer.from(piece)).map(({ bytes }) => bytes.toString()));
}

describe("event streams", (test) => {
  for (const [name, end] of [
    ["LF", "\n"],
    ["CR LF", "\r\n"],
    ["CR", "\r"],
  ] as const) {
    test(`given lines that end with ${name}, ends an event at an empty line`, () => {
      const text = `event: price${end}data: 1${end}${end}data: 2${end}data: 3${end}${end}data: unfinished${end}`;
      assert.equal(eventsOf(text), [`event: price${end}data: 1`, `data: 2${end}data: 3`]);
    });
  }

  test("given comments and blocks without data, emits no event for them", () => {
    assert.equal(eventsOf(": keep alive\n\n\n\nid: 4\n\ndatum: 1\n\ndata\n\ndata:x\n\n"), ["data", "data:x"]);
  });

  test("given lines in pieces of any size, each line that is not blank is an event", () => {
    const line = fc.stringMatching(/^[^\r\n]{0,20}$/);
    const end = fc.constantFrom("\n", "\r\n");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), end, fc.integer({ min: 1, max: 40 }), (lines, lineEnd, size) => {
        const stream = new EventStream(new MessageMemory(), "lines");
        const sent = Buffer.from(lines.map((one) => one + lineEnd).join(""));
        const events: string[] = [];
        for (let from = 0; from < sent.length; from += size)
          for (const { bytes } of stream.feed(sent.subarray(from, from + size))) events.push(bytes.toString());
        assert.equal(
          events,
          lines.filter((one) => /\S/.test(Buffer.from(one).toString("latin1"))),
        );
      }),
    );
  });

  test("given one list in pieces of any size, each of its objects is an event", () => {
    const element = fc.oneof(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue()), fc.integer());
    fc.assert(
      fc.property(fc.array(element, { maxLength: 20 }), fc.integer({ min: 1, max: 40 }), (elements, size) => {
        const stream = new EventStream(new MessageMemory(), "elements");
        const sent = Buffer.from(`[${elements.map((one) => JSON.stringify(one, null, 1)).join("\n,\r\n")}\n]`);
        const events: string[] = [];
        for (let from = 0; from < sent.length; from += size)
          for (const { bytes } of stream.feed(sent.subarray(from, from + size))) events.push(bytes.toString());
        assert.equal(
          events,
          elements.filter((one) => typeof one === "object").map((one) => JSON.stringify(one, null, 1)),
        );
        assert.is(stream.held, 0);
      }),
    );
  });

  test("given an event over 256 KiB, cuts it and reports its whole size", () => {
    const [event] = new EventStream(new MessageMemory()).feed(Buffer.from(`data: ${"x".repeat(300_000)}\n\n`));
    assert.ok(event?.cut === true && event.size > 300_000);
    assert.is(event?.bytes.length, 256 * 1024);
  });

  test("given an event without an end in pieces of any size, holds no more than twice what it keeps of it", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 5_000 }), (size, count) => {
        const stream = new EventStream(new MessageMemory());
        const piece = Buffer.alloc(size, "x");
        for (let pieces = 0; pieces < count; pieces += 1) stream.feed(piece);
        assert.ok(stream.held <= Math.min(256 * 1024, 512 + 2 * size * count), `${stream.held} of ${size * count}`);
      }),
    );
  });

  test("given many streams whose events have no end, holds a budget for all, and the least for each", () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 30, size: "max" });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 512 }), (drawn, piece) => {
        // More pieces than this say nothing more, and take seconds.
        const sizes = drawn.map((size) => Math.min(size, 1_000 * piece));
        const budget = new MessageBudget(200_000);
        const streams = sizes.map((size) => ({ size, stream: new EventStream(new MessageMemory(budget)) }));
        for (const { stream } of streams) stream.feed(Buffer.from("data:"));
        for (const { size, stream } of streams)
          for (let sent = 0; sent < size; sent += piece) stream.feed(Buffer.alloc(piece, "x"));
        const held = streams.reduce((sum, { stream }) => sum + stream.held, 0);
        assert.is(held, budget.held);
        assert.ok(held <= budget.most + streams.length * LEAST_HELD, `${held} of ${streams.length} streams`);
        for (const { size, stream } of streams) {
          const sent = Math.ceil(size / piece) * piece + "data:".length;
          const [event] = stream.feed(Buffer.from("\n\n"));
          assert.is(event?.cut, event !== undefined && event.bytes.length < sent);
          assert.ok(event !== undefined && event.bytes.length >= Math.min(sent, LEAST_HELD / 2 - piece));
          assert.equal(
            stream.feed(Buffer.from("data: next\n\n")).map(({ bytes, cut }) => [String(bytes), cut]),
            [["data: next", false]],
          );
        }
        assert.is(budget.held, 0);
      }),
      { numRuns: rounds(20) },
    );
  });

  test("given a stream in any pieces, emits the same events", () => {
    const text = "data: a\r\n\r\nevent: b\r\ndata: \u20ac\r\rdata: c\n\n:\n\n";
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 6 })), (lengths) => {
        const bytes = Buffer.from(text);
        const stream = new EventStream(new MessageMemory());
        const events: string[] = [];
        let at = 0;
        for (const length of [...lengths, bytes.length]) {
          events.push(...stream.feed(bytes.subarray(at, at + length)).map((event) => event.bytes.toString()));
          at = Math.min(bytes.length, at + length);
        }
        assert.equal(events, eventsOf(text));
      }),
    );
  });

  test("given a byte order mark before the stream, still emits the first event (WHATWG HTML, 9.2.5)", () => {
    assert.equal(eventsOf("\ufeffdata: 1\n\ndata: 2\n\n"), ["data: 1", "data: 2"]);
  });
});
