import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SessionCuts } from "../../../../extensions/proxy/engine-thread/commands/session-cuts.ts";
import { instant } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";

describe("ends of a session that wait for the data thread's cut", (test) => {
  test("given several, each is called at its own cut, in their order, with the cut's instant", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), async (times) => {
        let asked = 0;
        const cuts = new SessionCuts(() => {
          asked += 1;
        });
        const called: number[] = [];
        const ends = times.map((_, index) => cuts.cut((at) => [index, called.push(index), at] as const));
        assert.equal([asked, called], [times.length, []]);
        for (const [index, time] of times.entries()) {
          cuts.reached(instant(time));
          assert.is(called.at(-1), index, "called at once, before later events");
          assert.equal(await ends[index], [index, index + 1, time]);
        }
      }),
    );
  });

  test("given an end that fails, the command is refused with its reason, and a further cut is ignored", async () => {
    const cuts = new SessionCuts(() => {});
    const ended = cuts.cut(() => {
      throw new Error("The disk is full.");
    });
    cuts.reached(instant(1));
    cuts.reached(instant(2));
    assert.is(await ended.catch(({ message }: Error) => message), "The disk is full.");
  });
});
