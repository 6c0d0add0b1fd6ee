import * as assert from "uvu/assert";
import { Backlog } from "../../../extensions/proxy/storage/backlog.ts";
import type { BlockWriter } from "../../../extensions/proxy/storage/exchange-block.ts";
import type { PendingExchange, SessionRows } from "../../../extensions/proxy/storage/session-rows.ts";
import { describe } from "../../support/describe.ts";
import { answered, ended, idOf, message, started } from "./story.ts";

function kept(number: number, hasRow = false): PendingExchange {
  const events = { started: started(number), answered: answered(number), ended: ended(number) };
  return { ...events, request: null, response: null, messages: 0, changed: true, hasRow };
}

function blocksOf(backlog: Backlog): number {
  const blocks: BlockWriter[] = [];
  const rows = { putBlock: (_: number, block: BlockWriter) => blocks.push(block), putExchange: () => {} };
  backlog.put(rows as unknown as SessionRows);
  return blocks.length;
}

describe("what waits to be written", (test) => {
  test("exchanges wait in blocks by the span of their ids, but for those that have rows", () => {
    const backlog = new Backlog();
    assert.ok(backlog.isEmpty);
    for (const number of [1, 127, 128, 1_000]) backlog.addExchange(kept(number));
    backlog.addExchange(kept(2, true));
    assert.equal([backlog.exchanges, blocksOf(backlog), backlog.isEmpty], [5, 3, false]);
    backlog.clear();
    assert.equal([backlog.exchanges, blocksOf(backlog), backlog.isEmpty], [0, 0, true]);
    backlog.addExchange(kept(3));
    assert.equal([backlog.exchanges, blocksOf(backlog)], [1, 1]);
  });

  test("messages, annotations and other events are work too", () => {
    const [messages, annotations, others] = [new Backlog(), new Backlog(), new Backlog()];
    messages.addMessage(0, message(1, new Uint8Array()), null);
    annotations.addAnnotation(idOf(1), { mark: "star", comment: "" });
    others.addOther({ type: "body-decoded", id: idOf(1), size: 1 });
    assert.equal(
      [messages, annotations, others].map(({ isEmpty, exchanges }) => [isEmpty, exchanges]),
      [
        [false, 0],
        [false, 0],
        [false, 0],
      ],
    );
    for (const backlog of [messages, annotations, others]) {
      backlog.clear();
      assert.ok(backlog.isEmpty, "once it is written");
    }
  });

  test("over 20,000 messages the oldest exchanges lose theirs", () => {
    const backlog = new Backlog();
    const left = () => {
      const ids: number[] = [];
      backlog.put({ putRun: (id: number) => ids.push(id) } as unknown as SessionRows);
      return ids;
    };
    const one = message(1, new Uint8Array());
    for (let number = 0; number < 10_000; number += 1)
      for (const id of [1, 2]) backlog.addMessage(number, { ...one, id: idOf(id) }, null);
    assert.is(backlog.dropOldest().runs.size, 0);
    assert.equal(left(), [1, 2]);
    backlog.addMessage(0, { ...one, id: idOf(3) }, null);
    const { exchanges, runs } = backlog.dropOldest();
    assert.equal([exchanges, [...runs].map(([id, { first, count }]) => [id, first, count])], [0, [[1, 0, 10_000]]]);
    assert.equal(left(), [2, 3]);
  });

  test("over 20,000 other events the oldest go", () => {
    const backlog = new Backlog();
    const sizes: number[] = [];
    const take = (size: number) => backlog.addOther({ type: "body-decoded", id: idOf(1), size });
    for (let size = 0; size < 20_000; size += 1) take(size);
    for (const last of [null, 20_000, 20_001]) {
      if (last !== null) take(last);
      backlog.dropOldest();
    }
    backlog.put({ putEvent: (event: { size: number }) => sizes.push(event.size) } as unknown as SessionRows);
    assert.equal([sizes.length, sizes[0], sizes.at(-1)], [20_000, 2, 20_001]);
  });

  test("over 20,000 the oldest exchanges are given up and counted: blocks first, then those that have rows", () => {
    const backlog = new Backlog();
    for (let number = 1; number <= 256; number += 1) backlog.addExchange(kept(number));
    assert.is(backlog.dropOldest().exchanges, 0);
    for (let number = 1_001; number <= 20_744; number += 1) backlog.addExchange(kept(number, true));
    assert.is(backlog.exchanges, 20_000);
    assert.is(backlog.dropOldest().exchanges, 0);
    backlog.addExchange(kept(30_000, true));
    assert.equal([backlog.dropOldest().exchanges, backlog.exchanges, blocksOf(backlog)], [127, 19_874, 2]); // a block at a time
    for (let number = 40_001; number <= 40_300; number += 1) backlog.addExchange(kept(number, true));
    assert.equal([backlog.dropOldest().exchanges, backlog.exchanges, blocksOf(backlog)], [174, 20_000, 0]);
  });
});
