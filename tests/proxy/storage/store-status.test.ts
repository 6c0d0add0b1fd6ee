import * as assert from "uvu/assert";
import { NOTHING_LOST, storageNotice } from "../../../extensions/proxy/storage/store-status.ts";
import { describe } from "../../support/describe.ts";

describe("storage status text", (test) => {
  const told = (lost: Partial<typeof NOTHING_LOST>, problem: string | null = null) =>
    storageNotice({ problem, lost: { ...NOTHING_LOST, ...lost } });

  test("given no problem, returns null", () => assert.is(told({}), null));

  test("given lost exchanges, messages or bodies, counts them, also after the disk works again", () => {
    assert.is(told({}, "The disk is full."), "The disk is full.");
    assert.is(told({ exchanges: 12 }, "The disk is full."), "The disk is full. 12 exchanges could not be kept.");
    assert.is(told({ messages: 1 }), "1 message could not be kept.");
    assert.is(told({ exchanges: 1, bodies: 1 }), "1 exchange and 1 body could not be kept.");
    assert.is(
      told({ exchanges: 2, messages: 3, bodies: 4 }),
      "2 exchanges, 3 messages and 4 bodies could not be kept.",
    );
  });
});
