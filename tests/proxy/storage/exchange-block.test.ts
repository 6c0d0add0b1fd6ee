import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { BlockWriter, firstOf, StoredBlock, spanOf } from "../../../extensions/proxy/storage/exchange-block.ts";
import type { StoredExchange } from "../../../extensions/proxy/storage/exchange-row.ts";
import type { Extent } from "../../../extensions/proxy/storage/extents.ts";
import type { ExchangeEnded, RequestStarted } from "../../../src/engine/capture/event.ts";
import type { ErrorType } from "../../../src/engine/model/exchange.ts";
import { describe } from "../../support/describe.ts";
import { anyStoredExchange } from "./any-stored-exchange.ts";
import { answered, ended, idOf, started } from "./story.ts";

const SPAN = 3 * 128;

interface Member {
  readonly exchange: StoredExchange;
  readonly request: readonly Extent[];
  readonly response: readonly Extent[];
}

const BARE = { request: [], response: [] };

const extent = fc.record(
  { segment: fc.nat(), offset: fc.nat(), length: fc.nat(), check: fc.nat() },
  { noNullPrototype: true },
);
const extents = fc.array(extent, { maxLength: 3 });

/** Members of one span, in the order in which they ended. */
const members: fc.Arbitrary<readonly Member[]> = fc
  .uniqueArray(fc.nat(127), { minLength: 1, maxLength: 12 })
  .chain((places) =>
    fc.tuple(
      ...places.map((place) =>
        fc
          .record({
            exchange: anyStoredExchange.filter((one) => one.ended !== null),
            request: extents,
            response: extents,
          })
          .map((member) => ({ ...member, exchange: withId(member.exchange, SPAN + place) })),
      ),
    ),
  );

function withId({ started: first, answered: second, ended: last }: StoredExchange, number: number): StoredExchange {
  const id = idOf(number);
  return {
    started: { ...first, id },
    answered: second === null ? null : { ...second, id },
    ended: last === null ? null : { ...last, id },
  };
}

function bytesOf(all: readonly Member[], writer = new BlockWriter()): Buffer {
  for (const { exchange, request, response } of all) writer.add(exchange, { request, response });
  assert.is(writer.count, all.length);
  return writer.bytes();
}

/** The block's parts: lengths, numbers, extents, words, texts. */
function partsOf(block: Buffer): readonly Buffer[] {
  const parts = [block.subarray(0, 12)];
  let end = 12;
  for (const place of [0, 4, 8]) {
    parts.push(block.subarray(end, end + block.readUInt32LE(place)));
    end += block.readUInt32LE(place);
  }
  return [...parts, block.subarray(end)];
}

/** The block as decompressed: bytes at any alignment. */
function stored(...pieces: readonly Uint8Array[]): StoredBlock {
  return new StoredBlock(Buffer.concat([Buffer.alloc(3), ...pieces]).subarray(3));
}

describe("a block of exchanges", (test) => {
  test("each exchange is read back as it was, with its heads and the places of its bodies", () => {
    const writer = new BlockWriter();
    fc.assert(
      fc.property(members, (all) => {
        writer.clear(); // a cleared writer equals a new one
        const block = stored(bytesOf(all, writer));
        assert.equal(
          [...block.ids.keys()],
          all.map(({ exchange }) => exchange.started.id),
        );
        for (const { exchange, request, response } of all) {
          const { id } = exchange.started;
          assert.equal(block.exchangeOf(id), exchange);
          assert.equal(block.headsOf(id), {
            target: exchange.started.target,
            request: exchange.started.head,
            response: exchange.answered?.head ?? null,
          });
          assert.equal(block.extentsOf(id, "request"), request);
          assert.equal(block.extentsOf(id, "response"), response);
        }
      }),
    );
  });

  test("a whole span has room, and its ids lead to it", () => {
    const writer = new BlockWriter();
    for (let place = 0; place < 128; place += 1) {
      const exchange = withId({ started: started(1), answered: answered(1), ended: ended(1) }, SPAN + place);
      assert.is(spanOf(exchange.started.id), 3);
      writer.add(exchange, BARE);
    }
    const block = stored(writer.bytes());
    assert.is([...block.ids.keys()].filter((id) => block.exchangeOf(id) !== null).length, 128);
    assert.is(block.ids.has(idOf(SPAN + 128)), false);
    assert.is(block.headsOf(idOf(SPAN + 128)), null);
    assert.is(spanOf(idOf(SPAN + 128)), 4);
    assert.is(firstOf(4), SPAN + 128);
  });

  test("what is said of many in words lies in it once", () => {
    const sizeOf = (count: number): number => {
      const writer = new BlockWriter();
      for (let place = 0; place < count; place += 1) {
        const exchange = withId({ started: started(place), answered: answered(1), ended: ended(1) }, SPAN + place);
        writer.add({ ...exchange, started: { ...exchange.started, origin: "https://a-rather-long-name.test" } }, BARE);
      }
      return writer.bytes().toString("latin1").split("a-rather-long-name").length - 1;
    };
    assert.equal([sizeOf(1), sizeOf(2), sizeOf(128)], [1, 1, 1]);
  });

  test("of two that differ in one word each keeps its own", () => {
    const [begun, last] = [started(1), ended(1)];
    const failed = (errorType: ErrorType, detail: string, status: number | null): ExchangeEnded => ({
      ...last,
      outcome: { kind: "failed", errorType, detail, status },
    });
    const variants: readonly (readonly [RequestStarted, ExchangeEnded])[] = [
      [begun, last],
      [{ ...begun, method: "HEAD" }, last],
      [{ ...begun, origin: "https://other.example" }, last],
      [{ ...begun, clientAddress: "127.0.0.2" }, last],
      [{ ...begun, protocol: "h2" }, last],
      [{ ...begun, tags: ["probe"] }, last],
      [{ ...begun, tags: ["resent"] }, last],
      [{ ...begun, tags: ["probe", "resent"] }, last],
      [begun, { ...last, reused: false }],
      [begun, { ...last, reused: null }],
      [begun, { ...last, waitedFor: "unsaid" }],
      [begun, { ...last, tags: ["websocket"] }],
      [begun, { ...last, tags: ["tunnel"] }],
      [begun, { ...last, outcome: { kind: "responded", status: 404 } }],
      [begun, failed("server-reset", "It broke.", null)],
      [begun, failed("server-reset", "It broke.", 200)],
      [begun, failed("server-closed", "It broke.", null)],
      [begun, failed("server-reset", "It broke again.", null)],
    ];
    // Every pair, in both orders.
    const pairs = variants.flatMap((one) => variants.map((other) => [one, other]));
    for (const pair of pairs) {
      const all = pair.map(([first, end], place) =>
        withId({ started: first, answered: answered(1), ended: end }, SPAN + place),
      );
      const block = stored(bytesOf(all.map((exchange) => ({ exchange, ...BARE }))));
      for (const exchange of all) assert.equal(block.exchangeOf(exchange.started.id), exchange);
    }
  });

  test("of a damaged block nothing is made up: what cannot be read is absent", () => {
    const member = { exchange: withId({ started: started(1), answered: null, ended: ended(1) }, SPAN), request: [] };
    const whole = bytesOf([{ ...member, response: [{ segment: 1, offset: 2, length: 3, check: 4 }] }]);
    const [lengths, numbers, extents, words, texts] = partsOf(whole);
    if (lengths === undefined || numbers === undefined || extents === undefined) throw new Error("pieces are missing");
    if (words === undefined || texts === undefined) throw new Error("pieces are missing");
    const id = idOf(SPAN);
    assert.is.not(stored(whole).exchangeOf(id), null);
    const text = Buffer.from(words).toString();
    for (const other of ["", "{}", "[]", "[1]", "[[1,2,3]]", "[[]]", text.slice(0, -1)]) {
      const sizes = Buffer.from(lengths);
      sizes.writeUInt32LE(Buffer.byteLength(other), 8);
      const block = stored(sizes, numbers, extents, Buffer.from(other), texts);
      assert.is(block.exchangeOf(id), null, other);
    }
    for (const count of [2, -1, 0.5, Number.NaN]) {
      const damaged = Float64Array.from(new Float64Array(Uint8Array.from(extents).buffer));
      damaged[1] = count; // the number of pieces of the response's body
      const block = stored(lengths, numbers, new Uint8Array(damaged.buffer), words, texts);
      assert.is(block.extentsOf(id, "response"), null, String(count));
    }
    const short = Buffer.from(lengths);
    short.writeUInt32LE(numbers.length - 8, 0);
    assert.is(stored(short, numbers.subarray(0, -8), extents, words, texts).ids.has(id), false);
    assert.is(new StoredBlock(Buffer.alloc(0)).ids.has(id), false);
  });

  test("whatever bytes are there, reading them does not throw", () => {
    const exchange = withId({ started: started(1), answered: answered(1), ended: ended(1) }, SPAN);
    const bytes = bytesOf([{ exchange, ...BARE }]);
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(fc.oneof(fc.constant(bytes.length), fc.nat(bytes.length)), flips, (length, changes) => {
        const damaged = Buffer.from(bytes.subarray(0, length));
        for (const [place, byte] of changes) damaged[place % Math.max(1, length)] = byte;
        const block = new StoredBlock(damaged);
        for (const id of block.ids.keys()) {
          block.exchangeOf(id);
          block.extentsOf(id, "request");
          block.extentsOf(id, "response");
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
