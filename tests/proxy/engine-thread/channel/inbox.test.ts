import fc from "fast-check";
import * as assert from "uvu/assert";
import { Inbox } from "../../../../extensions/proxy/engine-thread/channel/inbox.ts";
import { describe } from "../../../support/describe.ts";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("message inbox", (test) => {
  test("given any messages at once, each turn takes 8 ms and one message at most, and their order stays", async () => {
    const costs = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(costs, async (drawn) => {
        let now = 0;
        const handled: number[] = [];
        const inbox = new Inbox<number>(
          (index) => {
            handled.push(index);
            now += drawn[index] ?? 0;
          },
          () => now,
        );
        for (const index of drawn.keys()) inbox.add(index);
        while (handled.length < drawn.length) {
          const [begun, count] = [now, handled.length];
          await nextTurn();
          assert.ok(handled.length > count);
          assert.ok(now - begun < 8 + (drawn[handled.at(-1) ?? 0] ?? 0), `${now - begun} ms`);
        }
        assert.equal(handled, [...drawn.keys()]);
      }),
    );
  });

  test("given messages that arrive while others are handled, handles them afterwards", async () => {
    const handled: number[] = [];
    const inbox = new Inbox<number>((message) => {
      handled.push(message);
      if (message < 3) inbox.add(message + 2);
    });
    inbox.add(1);
    inbox.add(2);
    while (handled.length < 4) await nextTurn();
    assert.equal(handled, [1, 2, 3, 4]);
  });
});
