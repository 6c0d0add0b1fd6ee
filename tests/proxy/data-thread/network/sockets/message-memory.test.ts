import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  LEAST_HELD,
  MessageBudget,
  MessageMemory,
} from "../../../../../extensions/proxy/data-thread/network/sockets/message-memory.ts";
import { describe } from "../../../../support/describe.ts";

const requests = fc.array(fc.tuple(fc.nat(30), fc.integer({ min: 1, max: 50_000 })), { maxLength: 200, size: "max" });

describe("memory budget for unfinished messages", (test) => {
  test("given any requests of any exchanges, reserves a budget for all, and the least for each", () => {
    fc.assert(
      fc.property(requests, fc.integer({ min: 0, max: 500_000 }), (asked, most) => {
        const budget = new MessageBudget(most);
        const memories = Array.from({ length: 31 }, () => ({ memory: new MessageMemory(budget), held: 0 }));
        for (const [exchange, bytes] of asked) {
          const one = memories[exchange];
          if (one === undefined) throw new Error("31 exchanges");
          const before = budget.held;
          const isReserved = one.memory.take(bytes);
          assert.is(isReserved, before + bytes <= most || one.held + bytes <= LEAST_HELD);
          if (isReserved) one.held += bytes;
        }
        assert.is(
          budget.held,
          memories.reduce((sum, { held }) => sum + held, 0),
        );
        assert.ok(budget.held <= most + memories.length * LEAST_HELD);
        for (const { memory } of memories) memory.close();
        assert.is(budget.held, 0);
      }),
    );
  });

  test("given an exchange that has ended, gives back all it held, once, and reserves nothing more", () => {
    const budget = new MessageBudget(1_000_000);
    const [ended, other] = [new MessageMemory(budget), new MessageMemory(budget)];
    for (const memory of [ended, other]) memory.take(10_000);
    ended.close();
    ended.give(10_000);
    ended.close();
    assert.not(ended.take(1));
    assert.is(budget.held, 10_000);
  });
});
