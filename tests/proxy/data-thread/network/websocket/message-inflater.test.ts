import { randomBytes } from "node:crypto";
import { constants, createDeflateRaw, type DeflateRaw } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  LEAST_HELD,
  MessageBudget,
  MessageMemory,
} from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import { MessageInflater } from "../../../../../extensions/proxy/data-thread/network/websocket/message-inflater.ts";
import { describe } from "../../../../support/describe.ts";
import { rounds } from "../../../../support/rounds.ts";

interface Sketch {
  readonly text: string;
  /** Whether the sender ends its deflate stream with this message (RFC 7692, 7.2.3.5). */
  readonly isLast: boolean;
}

const sketches = fc.array(
  fc.record({ text: fc.string({ maxLength: 200 }), isLast: fc.boolean() }, { noNullPrototype: true }),
  { minLength: 1, maxLength: 6 },
);

/** A sender that deflates its messages with the context of those before. */
class Sender {
  #zlib: DeflateRaw | null = null;

  async payloadOf({ text, isLast }: Sketch): Promise<Buffer> {
    this.#zlib ??= createDeflateRaw();
    const zlib = this.#zlib;
    const pieces: Buffer[] = [];
    zlib.on("data", (bytes: Buffer) => pieces.push(bytes));
    zlib.write(text);
    await new Promise<void>((resolve) => {
      if (isLast) zlib.on("end", resolve).end();
      else zlib.flush(constants.Z_SYNC_FLUSH, resolve);
    });
    zlib.removeAllListeners("data");
    if (isLast) this.#zlib = null;
    const whole = Buffer.concat(pieces);
    return isLast ? Buffer.concat([whole, Buffer.alloc(1)]) : whole.subarray(0, -4);
  }
}

async function inflated(inflater: MessageInflater, payload: Buffer | null): Promise<readonly [string, boolean]> {
  const { bytes, cut } = await new Promise<{ bytes: Buffer; cut: boolean }>((resolve) =>
    inflater.inflate(payload, resolve),
  );
  return [bytes.toString(), cut];
}

describe("WebSocket message inflater", (test) => {
  test("given deflated messages, some of which end their deflate stream, inflates each to its text", () =>
    fc.assert(
      fc.asyncProperty(sketches, async (messages) => {
        const sender = new Sender();
        const inflater = new MessageInflater(10_000, new MessageMemory(), true);
        for (const sketch of messages)
          assert.equal(await inflated(inflater, await sender.payloadOf(sketch)), [sketch.text, false]);
        inflater.close();
      }),
      { numRuns: rounds(50) },
    ));

  test("given messages that are deflated separately, inflates each without those before it", async () => {
    const inflater = new MessageInflater(10_000, new MessageMemory(), false);
    for (const isLast of [false, true, false, false]) {
      const payload = await new Sender().payloadOf({ text: "hello, hello", isLast });
      assert.equal(await inflated(inflater, payload), ["hello, hello", false]);
    }
    inflater.close();
  });

  test("given separately deflated messages and one that was not kept whole, still inflates the next", async () => {
    const inflater = new MessageInflater(10_000, new MessageMemory(), false);
    assert.equal(await inflated(inflater, null), ["", true]);
    assert.equal(await inflated(inflater, await new Sender().payloadOf({ text: "a", isLast: false })), ["a", false]);
    inflater.close();
  });

  test("given a message that was not kept whole, reports the messages behind it as cut", async () => {
    const sender = new Sender();
    const inflater = new MessageInflater(10_000, new MessageMemory(), true);
    assert.equal(await inflated(inflater, null), ["", true]);
    assert.equal(await inflated(inflater, await sender.payloadOf({ text: "a", isLast: false })), ["", true]);
  });

  test("given messages that inflate to over 200 times their size, keeps as many bytes of each as it had, marked as cut", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 300_000, max: 1_500_000 }), fc.boolean(), async (size, keepsContext) => {
        const inflater = new MessageInflater(10_000_000, new MessageMemory(), keepsContext);
        const sender = new Sender();
        let [sent, kept, cuts] = [0, 0, 0];
        for (let count = 0; count < 8; count += 1) {
          const payload = await (keepsContext ? sender : new Sender()).payloadOf({
            text: "a".repeat(size),
            isLast: false,
          });
          const [text, cut] = await inflated(inflater, payload);
          sent += payload.length;
          kept += text.length;
          cuts += Number(cut);
          if (cut) assert.ok(text.length <= payload.length, `${text.length} kept of ${payload.length}`);
        }
        assert.ok(cuts > 0);
        assert.ok(kept <= 200 * sent + 1024 * 1024, `${kept} kept of ${sent}`);
        // A good message after them is still whole.
        const good = randomBytes(1_000).toString("hex");
        const payload = await (keepsContext ? sender : new Sender()).payloadOf({ text: good, isLast: false });
        assert.equal(await inflated(inflater, payload), [good, false]);
        inflater.close();
      }),
      { numRuns: rounds(5) },
    ));

  test("given a spent budget, keeps the beginning of a message, marked as cut, and the next one whole", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 20_000, max: 200_000 }), async (size) => {
        const budget = new MessageBudget(0);
        const inflater = new MessageInflater(1_000_000, new MessageMemory(budget), true);
        const sender = new Sender();
        const long = randomBytes(size).toString("hex");
        const [text, cut] = await inflated(inflater, await sender.payloadOf({ text: long, isLast: false }));
        assert.ok(cut && long.startsWith(text) && text.length <= LEAST_HELD);
        assert.is(budget.held, 0);
        assert.equal(await inflated(inflater, await sender.payloadOf({ text: "next", isLast: false })), [
          "next",
          false,
        ]);
        inflater.close();
      }),
      { numRuns: rounds(10) },
    ));

  test(
    "given 64 MiB of such messages, inflates no further message of the side",
    async () => {
      const inflater = new MessageInflater(10_000_000, new MessageMemory(), false);
      const bomb = await new Sender().payloadOf({ text: "a".repeat(8_000_000), isLast: false });
      for (let count = 0; count < 14; count += 1) assert.ok((await inflated(inflater, bomb))[1]);
      const payload = await new Sender().payloadOf({ text: "hello", isLast: false });
      assert.equal(await inflated(inflater, payload), ["", true]);
    },
    { isLong: true },
  );
});
