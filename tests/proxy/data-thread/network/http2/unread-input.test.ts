import type { Http2Stream } from "node:http2";
import { Readable } from "node:stream";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ConnectionMemory } from "../../../../../extensions/proxy/data-thread/network/http2/connection-memory.ts";
import { UnreadInput } from "../../../../../extensions/proxy/data-thread/network/http2/unread-input.ts";
import { describe } from "../../../../support/describe.ts";
import { drawnBytes } from "../../../../support/drawn-bytes.ts";
import { rounds } from "../../../../support/rounds.ts";

const WINDOW = 64 * 1024;

/** A stream of Node that counts how often its window was reopened, and what its connection counts. */
function inputOf() {
  let opened = 0;
  let unread = 0;
  let closed = 0;
  const stream = new Readable({
    read: () => {
      opened += 1;
    },
  });
  const memory = {
    streamWindow: WINDOW,
    received: () => {},
    count: (bytes: number) => {
      unread += bytes;
    },
    closed: () => {
      closed += 1;
    },
  } satisfies Partial<ConnectionMemory>;
  new UnreadInput(stream as unknown as Http2Stream, memory as unknown as ConnectionMemory);
  return {
    stream,
    get unread() {
      return unread;
    },
    get closed() {
      return closed;
    },
    get opened() {
      return opened;
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const pieces = fc.array(drawnBytes(1, 20_000), { maxLength: 20 });
const steps = fc.array(fc.oneof(fc.constant("pause"), fc.constant("resume"), pieces), { maxLength: 12 });

describe("unread HTTP/2 input", (test) => {
  test("given drawn pieces, pauses and resumes, all bytes arrive in order, and nothing is counted at the end", () =>
    fc.assert(
      fc.asyncProperty(steps, fc.nat({ max: 5 }), async (drawn, greed) => {
        const input = inputOf();
        const { stream } = input;
        const sent: Uint8Array[] = [];
        const received: Buffer[] = [];
        let hasEnded = false;
        stream.on("data", (bytes: Buffer) => {
          assert.not(hasEnded);
          received.push(bytes);
          if (received.length % 6 < greed) stream.pause();
        });
        stream.on("end", () => {
          hasEnded = true;
        });
        for (const step of drawn) {
          if (step === "pause") stream.pause();
          else if (step === "resume") stream.resume();
          else
            for (const piece of step) {
              sent.push(piece);
              stream.push(Buffer.from(piece));
            }
          await turn();
        }
        stream.push(null);
        for (let rounds = 0; !hasEnded; rounds += 1) {
          assert.ok(rounds < 10_000, "the stream does not end");
          stream.resume();
          await turn();
        }
        assert.ok(Buffer.concat(received).equals(Buffer.concat(sent)));
        assert.is(input.unread, 0);
      }),
      { numRuns: rounds(40) },
    ));

  test("given small pieces in one turn, delivers them joined, also before a reset in the same turn", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(drawnBytes(1, 30), { minLength: 2, maxLength: 400 }),
        fc.boolean(),
        async (drawn, isReset) => {
          const { stream } = inputOf();
          const received: Buffer[] = [];
          stream.on("data", (bytes: Buffer) => received.push(bytes));
          stream.on("error", () => {});
          await turn();
          for (const piece of drawn) stream.push(Buffer.from(piece));
          if (isReset) stream.destroy(new Error("reset"));
          else await turn();
          await turn();
          assert.ok(Buffer.concat(received).equals(Buffer.concat(drawn)));
          // The first piece at once, then blocks that double from 512 bytes.
          assert.ok(received.length <= 8, `${received.length} deliveries of ${drawn.length} pieces`);
        },
      ),
    ));

  test("given pieces of any size on a paused stream, holds at most twice their bytes and a smallest block", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: WINDOW }),
        async (size, total) => {
          const input = inputOf();
          input.stream.pause();
          let sent = 0;
          // Each piece is a small part of a large read.
          while (sent < total) {
            const piece = Buffer.alloc(64 * 1024).subarray(0, Math.min(size, total - sent));
            assert.not(input.stream.push(piece));
            sent += piece.length;
            if (sent > 2_000 * size) break;
          }
          assert.ok(input.unread >= sent && input.unread <= 2 * sent + 512, `${input.unread} for ${sent}`);
          assert.is(input.stream.readableLength, 0);
        },
      ),
      { numRuns: rounds(40) },
    ));

  test("given bytes that wait, does not reopen the window before nearly all of them were read", async () => {
    const input = inputOf();
    const { stream } = input;
    let read = 0;
    stream.on("data", (bytes: Buffer) => {
      read += bytes.length;
      stream.pause();
    });
    stream.pause();
    await turn();
    for (let sent = 0; sent < WINDOW; sent += 16_384) stream.push(Buffer.alloc(16_384));
    const { opened } = input;
    while (read < WINDOW) {
      assert.is(input.opened, opened, `the window was reopened after ${read} bytes`);
      const before = read;
      stream.resume();
      await turn();
      assert.ok(read > before);
    }
    stream.resume();
    await turn();
    assert.ok(input.opened > opened);
  });

  test("given a stream that is destroyed with unread bytes, counts them no more", async () => {
    const input = inputOf();
    input.stream.on("error", () => {});
    input.stream.push(Buffer.alloc(30_000));
    assert.ok(input.unread >= 30_000);
    input.stream.destroy(new Error("reset"));
    await turn();
    assert.is(input.unread, 0);
    assert.is(input.closed, 1);
  });
});
