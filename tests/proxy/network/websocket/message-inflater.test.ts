import { constants, createDeflateRaw, type DeflateRaw } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { MessageInflater } from "../../../../extensions/proxy/network/websocket/message-inflater.ts";
import { describe } from "../../../support/describe.ts";

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

describe("inflating messages", (test) => {
  test("each is what its sender deflated, also behind one with which the sender has ended its deflating", () =>
    fc.assert(
      fc.asyncProperty(sketches, async (messages) => {
        const sender = new Sender();
        const inflater = new MessageInflater(10_000, true);
        for (const sketch of messages)
          assert.equal(await inflated(inflater, await sender.payloadOf(sketch)), [sketch.text, false]);
        inflater.close();
      }),
      { numRuns: 50 },
    ));

  test("where each is deflated by itself, one does not need those before it", async () => {
    const inflater = new MessageInflater(10_000, false);
    for (const isLast of [false, true, false, false]) {
      const payload = await new Sender().payloadOf({ text: "hello, hello", isLast });
      assert.equal(await inflated(inflater, payload), ["hello, hello", false]);
    }
    inflater.close();
  });

  test("nor one that was not kept whole", async () => {
    const inflater = new MessageInflater(10_000, false);
    assert.equal(await inflated(inflater, null), ["", true]);
    assert.equal(await inflated(inflater, await new Sender().payloadOf({ text: "a", isLast: false })), ["a", false]);
    inflater.close();
  });

  test("what is behind a message that was not kept whole is lost", async () => {
    const sender = new Sender();
    const inflater = new MessageInflater(10_000, true);
    assert.equal(await inflated(inflater, null), ["", true]);
    assert.equal(await inflated(inflater, await sender.payloadOf({ text: "a", isLast: false })), ["", true]);
  });
});
