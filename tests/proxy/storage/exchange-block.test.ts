import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  BlockWriter,
  blockOf,
  firstOf,
  type Packed,
  piecesOf,
  StoredBlock,
  spanOf,
} from "../../../extensions/proxy/storage/exchange-block.ts";
import type { Telling } from "../../../extensions/proxy/storage/exchange-row.ts";
import type { Extent } from "../../../extensions/proxy/storage/extents.ts";
import { describe } from "../../support/describe.ts";
import { answered, ended, idOf, started } from "./story.ts";
import { telling } from "./tellings.ts";

const SPAN = 3 * 128;

interface Member {
  readonly told: Telling;
  readonly request: readonly Extent[];
  readonly response: readonly Extent[];
}

const extent = fc.record(
  { segment: fc.nat(), offset: fc.nat(), length: fc.nat(), check: fc.nat() },
  { noNullPrototype: true },
);
const extents = fc.array(extent, { maxLength: 3 });

/** Of one span, in the order in which they ended. */
const members: fc.Arbitrary<readonly Member[]> = fc
  .uniqueArray(fc.nat(127), { minLength: 1, maxLength: 12 })
  .chain((places) =>
    fc.tuple(
      ...places.map((place) =>
        fc
          .record({ told: telling.filter((one) => one.ended !== null), request: extents, response: extents })
          .map((member) => ({ ...member, told: withId(member.told, SPAN + place) })),
      ),
    ),
  );

function withId({ started: first, answered: second, ended: last }: Telling, number: number): Telling {
  const id = idOf(number);
  return {
    started: { ...first, id },
    answered: second === null ? null : { ...second, id },
    ended: last === null ? null : { ...last, id },
  };
}

function packed(all: readonly Member[], writer = new BlockWriter()): Packed {
  for (const { told, request, response } of all) writer.add(told, { request, response });
  return writer.packed(spanOf(idOf(SPAN)));
}

/** As its file gives it back: bytes that may begin anywhere. */
function stored(kept: Packed): StoredBlock {
  return blockOf(Buffer.concat([Buffer.alloc(3), ...piecesOf(kept)]).subarray(3));
}

describe("a block of exchanges", (test) => {
  test("each exchange is told again as it was, with its heads and the places of its bodies", () => {
    const writer = new BlockWriter();
    fc.assert(
      fc.property(members, (all) => {
        writer.clear(); // one that was full before is as good as a new one
        const kept = packed(all, writer);
        assert.is(kept.count, all.length);
        const block = stored(kept);
        assert.equal(
          [...block.ids],
          all.map(({ told }) => told.started.id),
        );
        for (const { told, request, response } of all) {
          const { id } = told.started;
          assert.equal(block.tellingOf(id), told);
          assert.equal(block.headsOf(id), { request: told.started.head, response: told.answered?.head ?? null });
          assert.equal(block.extentsOf(id, "request"), request);
          assert.equal(block.extentsOf(id, "response"), response);
        }
      }),
    );
  });

  test("a whole span has room, and its ids lead to it", () => {
    const writer = new BlockWriter();
    for (let place = 0; place < 128; place += 1) {
      const told = withId({ started: started(1), answered: answered(1), ended: ended(1) }, SPAN + place);
      assert.is(spanOf(told.started.id), 3);
      writer.add(told, { request: [], response: [] });
    }
    const block = stored(writer.packed(3));
    assert.is([...block.ids].filter((id) => block.tellingOf(id) !== null).length, 128);
    assert.is(block.has(idOf(SPAN + 128)), false);
    assert.is(block.headsOf(idOf(SPAN + 128)), null);
    assert.is(spanOf(idOf(SPAN + 128)), 4);
    assert.is(firstOf(4), SPAN + 128);
  });

  test("of a damaged block nothing is made up: what cannot be read is absent", () => {
    const member = { told: withId({ started: started(1), answered: null, ended: ended(1) }, SPAN), request: [] };
    const kept = packed([{ ...member, response: [{ segment: 1, offset: 2, length: 3, check: 4 }] }]);
    const id = idOf(SPAN);
    assert.is.not(stored(kept).tellingOf(id), null);
    for (const words of ["", "{}", "[]", "[1]", "[[1,2,3]]", kept.words.slice(0, -1)]) {
      assert.is(stored({ ...kept, words }).tellingOf(id), null, words);
      assert.is(stored({ ...kept, words }).extentsOf(id, "response"), null, words);
    }
    assert.is(stored({ ...kept, numbers: kept.numbers.subarray(0, -8) }).has(id), false);
    assert.is(new StoredBlock({}).has(id), false);
  });

  test("whatever bytes are there, reading them does not throw", () => {
    const kept = packed([
      {
        told: withId({ started: started(1), answered: answered(1), ended: ended(1) }, SPAN),
        request: [],
        response: [],
      },
    ]);
    const places = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(places, fc.oneof(fc.json(), fc.constant(kept.words)), fc.string(), (flips, words, heads) => {
        const numbers = Uint8Array.from(kept.numbers);
        for (const [place, byte] of flips) numbers[place % numbers.length] = byte;
        const block = new StoredBlock({ numbers, words, heads });
        for (const id of block.ids) {
          block.tellingOf(id);
          block.extentsOf(id, "request");
        }
      }),
    );
    const bytes = Buffer.concat(piecesOf(kept));
    fc.assert(
      fc.property(
        fc.nat(bytes.length),
        fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }),
        (length, flips) => {
          const damaged = Buffer.from(bytes.subarray(0, length));
          for (const [place, byte] of flips) damaged[place % Math.max(1, damaged.length)] = byte;
          const block = blockOf(damaged);
          for (const id of block.ids) block.tellingOf(id);
        },
      ),
    );
  });
});
