import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  type Unread,
  UnreadStreamBudget,
} from "../../../../../extensions/proxy/data-thread/network/http2/unread-stream-budget.ts";
import { describe } from "../../../../support/describe.ts";

/** A connection that frees its bytes when it is ended. */
class Connection implements Unread {
  unread = 0;
  regulated = 0;
  hasOverflowed = false;
  readonly #budget: UnreadStreamBudget;

  constructor(budget: UnreadStreamBudget) {
    this.#budget = budget;
  }

  add(bytes: number): void {
    if (this.hasOverflowed) return;
    this.unread += bytes;
    this.#budget.count(this, bytes);
  }

  regulate(): void {
    this.regulated += 1;
  }

  overflow(): void {
    this.hasOverflowed = true;
    const { unread } = this;
    this.unread = 0;
    this.#budget.count(this, -unread);
  }
}

const additions = fc.array(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: 1, max: 400 })), { maxLength: 60 });

describe("budget for unread HTTP/2 bytes", (test) => {
  test("given drawn connections, ends the one with the most bytes as soon as the budget is exceeded", () =>
    fc.assert(
      fc.property(additions, (drawn) => {
        const budget = new UnreadStreamBudget(1_000);
        const connections = Array.from({ length: 10 }, () => new Connection(budget));
        for (const [at, bytes] of drawn) {
          const open = connections.filter(({ hasOverflowed }) => !hasOverflowed);
          const connection = connections[at];
          if (connection === undefined) continue;
          const before = open.map((one) => ({ one, unread: one.unread + (one === connection ? bytes : 0) }));
          connection.add(bytes);
          const ended = before.filter(({ one }) => one.hasOverflowed);
          assert.ok(ended.every(({ unread }) => before.every((other) => other.unread <= unread)));
          assert.ok(budget.total <= 1_000);
          assert.is(
            budget.total,
            connections.reduce((sum, { unread }) => sum + unread, 0),
          );
        }
      }),
    ));

  test("given a budget that becomes half spent and is freed, notifies connections with unread bytes both times", () => {
    const budget = new UnreadStreamBudget(1_000);
    const [first, second] = [new Connection(budget), new Connection(budget)];
    first.add(500);
    assert.not(budget.isSpent);
    second.add(100);
    assert.ok(budget.isSpent);
    assert.equal([first.regulated, second.regulated], [1, 1]);
    first.add(-200);
    assert.not(budget.isSpent);
    assert.equal([first.regulated, second.regulated], [2, 2]);
  });
});
