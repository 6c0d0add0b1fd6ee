import fc from "fast-check";
import * as assert from "uvu/assert";
import { SilentCloses } from "../../../../../extensions/proxy/data-thread/network/client/silent-closes.ts";
import type { Instant } from "../../../../../src/engine/model/units.ts";
import { describe } from "../../../../support/describe.ts";

const at = (ms: number): Instant => (1_000_000 + ms) as Instant;

describe("delayed records of closes without a request", (test) => {
  test("given a close and a request at any two times, records the close just where they are more than 10 s apart", () => {
    const times = fc.integer({ min: 0, max: 40_000 });
    fc.assert(
      fc.property(times, times, (closedAt, requestAt) => {
        const silentCloses = new SilentCloses();
        const pair = silentCloses.pairOf("client", "a.test");
        const recorded: number[] = [];
        const events = [
          { time: closedAt, act: () => silentCloses.closed(pair, at(closedAt), () => recorded.push(closedAt)) },
          { time: requestAt, act: () => Object.assign(pair, { requestAt: at(requestAt) }) },
        ];
        events.sort((one, other) => one.time - other.time);
        for (const { time, act } of events) {
          silentCloses.expire(at(time));
          act();
        }
        silentCloses.expire(at(100_000));
        silentCloses.expire(at(100_000));
        assert.equal(recorded, Math.abs(closedAt - requestAt) > 10_000 ? [closedAt] : []);
      }),
    );
  });

  test("given a request of another client or at another host, records the close", () => {
    const silentCloses = new SilentCloses();
    let recorded = 0;
    silentCloses.pairOf("other", "a.test").requestAt = at(0);
    silentCloses.pairOf("client", "b.test").requestAt = at(0);
    const close = () => silentCloses.closed(silentCloses.pairOf("client", "a.test"), at(0), () => (recorded += 1));
    close();
    silentCloses.expire(at(10_000));
    assert.is(recorded, 0);
    silentCloses.expire(at(10_001));
    assert.is(recorded, 1);
    silentCloses.pairOf("client", "a.test").requestAt = at(10_001);
    close();
    silentCloses.expire(at(30_000));
    assert.is(recorded, 1);
  });

  test("given more closes than it may keep, records the oldest early, and the rest at its end", () => {
    const silentCloses = new SilentCloses();
    const recorded: number[] = [];
    const pair = silentCloses.pairOf("client", "a.test");
    for (let index = 0; index < 300; index += 1) silentCloses.closed(pair, at(index), () => recorded.push(index));
    assert.equal(
      recorded,
      Array.from({ length: 300 - 256 }, (_, index) => index),
    );
    silentCloses.close();
    assert.equal(
      recorded,
      Array.from({ length: 300 }, (_, index) => index),
    );
    silentCloses.close();
    assert.is(recorded.length, 300);
  });
});
