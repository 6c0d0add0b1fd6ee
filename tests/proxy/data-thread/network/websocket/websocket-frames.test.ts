import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  LEAST_HELD,
  MessageBudget,
  MessageMemory,
} from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import type { Slice } from "../../../../../extensions/proxy/data-thread/network/sockets/read-turn.ts";
import {
  FrameReader,
  type Message,
} from "../../../../../extensions/proxy/data-thread/network/websocket/websocket-frames.ts";
import { describe } from "../../../../support/describe.ts";
import { drawnBytes } from "../../../../support/drawn-bytes.ts";
import { rounds } from "../../../../support/rounds.ts";

interface Sketch {
  readonly payload: Uint8Array;
  readonly mask: Uint8Array | null;
  /** Where the message is split into fragments. */
  readonly cuts: readonly number[];
  readonly text: boolean;
}

const sketches = fc.array(
  fc.record({
    payload: drawnBytes(0, 70_000),
    mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 })),
    cuts: fc.array(fc.nat(70_000), { maxLength: 3 }),
    text: fc.boolean(),
  }),
  { maxLength: 4 },
);

/** One frame (RFC 6455, 5.2). */
function frame(first: number, payload: Uint8Array, mask: Uint8Array | null): Buffer {
  const flag = mask === null ? 0 : 0x80;
  let header: Buffer;
  if (payload.length < 126) header = Buffer.from([first, flag | payload.length]);
  else if (payload.length < 65_536) {
    header = Buffer.from([first, flag | 126, 0, 0]);
    header.writeUInt16BE(payload.length, 2);
  } else {
    header = Buffer.from([first, flag | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  const body = mask === null ? payload : payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([header, mask ?? Buffer.alloc(0), body]);
}

function framesOf({ payload, mask, cuts, text }: Sketch): Buffer {
  const edges = [0, ...cuts.map((cut) => Math.min(cut, payload.length)).sort((a, b) => a - b), payload.length];
  const frames = edges.slice(1).map((end, index) => {
    const isLast = index === edges.length - 2;
    const opcode = index > 0 ? 0 : 2 - Number(text);
    return frame((isLast ? 0x80 : 0) | opcode, payload.subarray(edges[index], end), mask);
  });
  return Buffer.concat(frames);
}

function read(bytes: Buffer, pieces: readonly number[], cap = 100_000): Message[] {
  const messages: Message[] = [];
  const reader = new FrameReader(cap, new MessageMemory(), (message) => messages.push(message));
  let at = 0;
  for (const piece of pieces) {
    reader.feed(bytes.subarray(at, at + piece), 0, ENDLESS);
    at += piece;
  }
  reader.feed(bytes.subarray(at), 0, ENDLESS);
  return messages;
}

/** A slice that never ends. */
const ENDLESS: Slice = { isOver: false };

describe("WebSocket frames", (test) => {
  test("given messages in any fragments, masks and pieces, reads them as they were sent", () => {
    fc.assert(
      fc.property(sketches, fc.array(fc.integer({ min: 1, max: 40_000 }), { maxLength: 20 }), (made, pieces) => {
        const messages = read(Buffer.concat(made.map(framesOf)), pieces);
        assert.equal(
          messages.map(({ kind, size, bytes }) => [kind, size, Buffer.from(bytes).toString("hex")]),
          made.map(({ text, payload }) => [
            text ? "text" : "binary",
            payload.length,
            Buffer.from(payload).toString("hex"),
          ]),
        );
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given one masked message in two pieces cut anywhere, reads the same message", () => {
    const bytes = frame(0x81, Buffer.from("across"), Buffer.from([1, 2, 3, 4]));
    for (let at = 0; at <= bytes.length; at += 1) assert.is(String(read(bytes, [at])[0]?.bytes), "across");
  });

  test("given slices of any length, messages come out as in one slice", () => {
    fc.assert(
      fc.property(sketches, fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }), (made, lengths) => {
        const bytes = Buffer.concat(made.map(framesOf));
        const messages: Message[] = [];
        const reader = new FrameReader(100_000, new MessageMemory(), (message) => messages.push(message));
        let at = 0;
        for (let turn = 0; at < bytes.length; turn += 1) {
          let left = lengths[turn % lengths.length] ?? 1;
          at = reader.feed(bytes, at, {
            get isOver() {
              left -= 1;
              return left < 0;
            },
          });
        }
        assert.equal(messages, read(bytes, []));
      }),
      { numRuns: rounds(60) },
    );
  });

  test("given a message over the limit, keeps its beginning and its whole size", () => {
    const [message] = read(frame(0x82, Buffer.alloc(5_000, 7), null), [], 100);
    assert.equal([message?.size, message?.bytes.length], [5_000, 100]);
  });

  test(
    "given a message in 300,000 fragments of one byte, uses less than 10 MB of memory",
    () => {
      setFlagsFromString("--expose-gc");
      const collect: () => void = runInNewContext("gc");
      const messages: Message[] = [];
      const reader = new FrameReader(1_000_000, new MessageMemory(), (message) => messages.push(message));
      const fragments = Buffer.concat(Array.from({ length: 1_000 }, () => frame(0x00, Buffer.from("x"), null)));
      reader.feed(frame(0x02, Buffer.from("x"), null), 0, ENDLESS);
      collect();
      const before = process.memoryUsage().heapUsed;
      for (let round = 0; round < 300; round += 1) reader.feed(fragments, 0, ENDLESS);
      collect();
      const grown = process.memoryUsage().heapUsed - before;
      assert.ok(grown < 10_000_000, `${grown} bytes for 300,000`);
      reader.feed(frame(0x80, Buffer.from("y"), null), 0, ENDLESS);
      assert.equal(
        messages.map(({ size, bytes }) => [size, String(bytes)]),
        [[300_002, `${"x".repeat(300_001)}y`]],
      );
    },
    { isLong: true },
  );

  test("given many peers whose messages have no end, holds a budget for all, and the least for each", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 40, size: "max" });
    fc.assert(
      fc.property(lengths, fc.integer({ min: 1, max: 20_000 }), (sizes, piece) => {
        const budget = new MessageBudget(200_000);
        const messages: Message[] = [];
        const readers = sizes.map(
          () => new FrameReader(1_000_000, new MessageMemory(budget), (message) => messages.push(message)),
        );
        const sent = sizes.map((size, peer) => Buffer.alloc(Math.ceil(size / piece) * piece, `${peer}.`));
        for (const [peer, reader] of readers.entries()) {
          const whole = sent[peer] ?? Buffer.alloc(0);
          for (let at = 0; at < whole.length; at += piece)
            reader.feed(frame(at === 0 ? 0x02 : 0x00, whole.subarray(at, at + piece), null), 0, ENDLESS);
        }
        assert.ok(budget.held <= budget.most + readers.length * LEAST_HELD, `${budget.held} of ${readers.length}`);
        for (const reader of readers) reader.feed(frame(0x80, Buffer.alloc(0), null), 0, ENDLESS);
        assert.is(budget.held, 0);
        const kept = messages.reduce((sum, { bytes }) => sum + bytes.length, 0);
        assert.ok(kept <= budget.most + readers.length * LEAST_HELD, `${kept} kept of ${readers.length}`);
        for (const [peer, { bytes, size }] of messages.entries()) {
          assert.is(size, sent[peer]?.length);
          assert.ok(bytes.equals(sent[peer]?.subarray(0, bytes.length) ?? Buffer.alloc(0)));
        }
        for (const reader of readers) reader.feed(frame(0x82, Buffer.from("short"), null), 0, ENDLESS);
        assert.equal(
          messages.slice(sizes.length).map(({ bytes }) => String(bytes)),
          sizes.map(() => "short"),
        );
      }),
      { numRuns: rounds(30) },
    );
  });

  for (const [what, bytes] of [
    ["a reserved bit", frame(0xa1, Buffer.from("x"), null)],
    ["a reserved opcode", frame(0x83, Buffer.from("x"), null)],
    ["a continuation without a first frame", frame(0x80, Buffer.from("x"), null)],
    ["a long control frame", frame(0x89, Buffer.alloc(126), null)],
    [
      "a message within a message",
      Buffer.concat([frame(0x01, Buffer.from("x"), null), frame(0x81, Buffer.from("y"), null)]),
    ],
  ] as const) {
    test(`given ${what}, stops reading messages`, () => {
      assert.equal(read(Buffer.concat([bytes, frame(0x81, Buffer.from("after"), null)]), []), []);
    });
  }
});
