import { join } from "node:path";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Extent } from "../../../extensions/proxy/storage/extents.ts";
import { MessageRun, StoredRun } from "../../../extensions/proxy/storage/message-run.ts";
import { openPrivateFolder } from "../../../extensions/proxy/storage/private-file.ts";
import { openForWriting } from "../../../extensions/proxy/storage/session-database.ts";
import { StoredMessages } from "../../../extensions/proxy/storage/stored-messages.ts";
import type { MessageCaptured } from "../../../src/engine/capture/event.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { idOf, message, moment } from "./story.ts";

const ID = idOf(9);

interface Kept {
  readonly message: MessageCaptured;
  readonly payload: Extent | null;
}

const extent = fc.record(
  { segment: fc.nat(), offset: fc.nat(), length: fc.nat(), check: fc.nat() },
  { noNullPrototype: true },
);

const kept: fc.Arbitrary<Kept> = fc.record({
  message: fc
    .record({
      at: fc.nat(10_000).map(moment),
      side: fc.constantFrom("request" as const, "response" as const),
      kind: fc.constantFrom("text", "binary", "ping", "pong", "close", "event" as const),
      size: fc.nat(),
      cut: fc.boolean(),
    })
    .map((changes) => ({ ...message(9, new Uint8Array()), ...changes }) as MessageCaptured),
  payload: fc.option(extent),
});

function listed({ message: { at, side, kind, size, cut }, payload }: Kept, index: number) {
  return { id: ID, index, at, side, kind, size, cut, kept: payload?.length ?? 0 };
}

describe("stored messages", (test) => {
  test("however many runs they are in, any range of them is found", () =>
    withFolder((folder) => {
      assert.is(openPrivateFolder(join(folder, "s")), null);
      const database = openForWriting(join(folder, "s"));
      const run = database.prepare("INSERT INTO runs VALUES (?, ?, ?)");
      const range = fc.record({ from: fc.nat(30), count: fc.nat(20) });
      fc.assert(
        fc.property(fc.array(fc.array(kept, { minLength: 1, maxLength: 8 })), range, (runs, { from, count }) => {
          database.exec("DELETE FROM runs");
          const all: Kept[] = [];
          for (const those of runs) {
            const packed = new MessageRun(all.length);
            for (const one of those) packed.add(one.message, one.payload);
            assert.is(packed.count, those.length);
            run.run(9, packed.first, packed.numbers());
            run.run(10 + all.length, 0, packed.numbers()); // another exchange's are not returned
            all.push(...those);
          }
          const stored = new StoredMessages(database);
          assert.is(stored.count(ID), all.length);
          assert.equal(stored.list(ID, from, count), all.map(listed).slice(from, from + count));
          for (const [index, { payload }] of all.entries()) {
            assert.equal(stored.payloadOf(ID, index), payload === null ? [] : [payload]);
          }
        }),
      );
      database.close();
    }));

  test("given a number that cannot be, leaves its message out, and no other", () => {
    const damage = fc.oneof(
      fc.record({ place: fc.constant(0), value: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY) }),
      fc.record({
        place: fc.integer({ min: 1, max: 4 }),
        value: fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -1, 0.5, 2 ** 60),
      }),
    );
    fc.assert(
      fc.property(fc.array(kept, { minLength: 1, maxLength: 4 }), fc.nat(3), damage, (all, which, { place, value }) => {
        const packed = new MessageRun(4);
        for (const one of all) packed.add(one.message, one.payload);
        const numbers = packed.numbers();
        const damaged = which % all.length;
        new DataView(numbers.buffer).setFloat64((numbers.length / all.length) * damaged + 8 * place, value, true);
        const intact = all.map((one, at) => listed(one, 4 + at)).filter(({ index }) => index !== 4 + damaged);
        assert.equal(new StoredRun(ID, { first: 4, numbers }).messages(0, 10), intact);
      }),
    );
  });

  test("of a damaged run nothing is made up, and reading it does not throw", () => {
    const packed = new MessageRun(4);
    packed.add(message(9, Buffer.from("hello")), { segment: 1, offset: 0, length: 5, check: 6 });
    const numbers = packed.numbers();
    fc.assert(
      fc.property(fc.nat(), fc.nat(255), (place, byte) => {
        const damaged = Uint8Array.from(numbers);
        damaged[place % damaged.length] = byte;
        new StoredRun(ID, { first: 4, numbers: damaged }).messages(0, 10);
      }),
    );
    const cut = new StoredRun(ID, { first: 4, numbers: numbers.subarray(0, -1) });
    assert.equal([cut.size, cut.messages(0, 10), cut.payloadOf(4)], [4, [], null]);
    assert.equal(new StoredRun(ID, { first: 4, numbers: "text" }).messages(0, 10), []);
  });
});
