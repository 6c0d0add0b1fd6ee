import * as assert from "uvu/assert";
import type { Instant } from "../../../src/engine/model/units.ts";
import { engineClock } from "../../../src/ui/state/engine-clock.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

describe("engine clock in the page", (test) => {
  test("given the engine's time, continues from it whatever the wall clock does; before, it is the wall clock", () => {
    const time = { wall: 5_000_000, ticks: 40 };
    const { channel, receive: hear, enter } = fakeChannel();
    const now = engineClock(
      channel,
      () => time.wall,
      () => time.ticks,
    );
    time.ticks += 10;
    assert.is(now(), 5_000_010);
    hear({ type: "welcome", now: 1_400_000 as Instant });
    assert.is(now(), 1_400_000);
    time.ticks += 250;
    time.wall += 3_600_000;
    assert.is(now(), 1_400_250);
    hear({ type: "welcome", now: 9_000_000 as Instant });
    assert.is(now(), 9_000_000);
    // Without a connection the engine's time is unknown.
    enter({ kind: "lost" });
    time.ticks += 3_000;
    enter({ kind: "closed", reason: "Weir has exited." });
    assert.is(now(), 9_000_000);
    enter({ kind: "open" });
    hear({ type: "welcome", now: 9_004_000 as Instant });
    time.ticks += 10;
    assert.is(now(), 9_004_010);
  });
});
