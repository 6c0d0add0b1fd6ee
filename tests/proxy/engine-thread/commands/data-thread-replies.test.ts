import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { DataThreadReplies } from "../../../../extensions/proxy/engine-thread/commands/data-thread-replies.ts";
import { describe } from "../../../support/describe.ts";

describe("replies of the data thread", (test) => {
  test("given several commands that wait, each gets its own reply, in their order and at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer(), { minLength: 1, maxLength: 8 }), async (all) => {
        let asked = 0;
        const replies = new DataThreadReplies<number>(() => {
          asked += 1;
        });
        const called: number[] = [];
        const ends = all.map((_, index) => replies.ask((got) => [index, called.push(index), got] as const));
        assert.equal([asked, called], [all.length, []]);
        for (const [index, reply] of all.entries()) {
          replies.onReply(reply);
          assert.is(called.at(-1), index, "called at once, before later events");
          assert.equal(await ends[index], [index, index + 1, reply]);
        }
      }),
    );
  });

  test("given a reply whose use fails, refuses the command with the reason; given one that no command waits for, ignores it", async () => {
    const replies = new DataThreadReplies<number>(() => {});
    const ended = replies.ask(() => {
      throw new Error("The disk is full.");
    });
    replies.onReply(1);
    replies.onReply(2);
    assert.is(await ended.catch(({ message }: Error) => message), "The disk is full.");
  });
});
