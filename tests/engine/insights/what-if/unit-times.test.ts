import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { unitTimesOf } from "../../../../src/engine/insights/what-if/unit-times.ts";
import { describe } from "../../../support/describe.ts";
import { type Asked, Scene } from "../../../support/scene.ts";

function timesOf(asked: readonly Asked[], proven: readonly (readonly [from: number, to: number])[] = []) {
  const scene = new Scene();
  const ids = asked.map((one) => scene.ask(one));
  for (const [from, to] of proven) {
    const [one, other] = [ids[from], ids[to]];
    if (one !== undefined && other !== undefined) scene.prove(one, other);
  }
  const { requests: exchanges } = scene.traffic();
  return unitTimesOf({ exchanges, links: exchanges.flatMap(({ id }) => scene.links.filter(({ to }) => to === id)) });
}

/** Six requests at once of 100 ms and more, each longer than the one before. */
const six = Array.from({ length: 6 }, (_, index): Asked => ({ at: 0, server: 100 + index * 10, transfer: 0 }));

describe("unit times", (test) => {
  test("given a need, it is there at its end, or at its first byte if the next request starts sooner", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (at) => {
        const { ready } = timesOf([{ at: 0, server: 100, transfer: 200 }, { at }], [[0, 1]]);
        assert.equal([...ready], [Number.NEGATIVE_INFINITY, at < 300 ? 100_000 : 300_000]);
      }),
    );
  });

  test("given a seventh request to an origin, tells whether it waited for a free connection", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 149 }), (at) => {
        const last = (more: Partial<Asked>) => timesOf([...six, { at, ...more }]).waited.at(-1);
        // It may also have started at this time for another reason, if a connection was free long before.
        assert.is(last({}), at - 100 <= 5 ? (at - 100) * 1_000 : -1);
        assert.is(last({ origin: "https://other.test" }), -1);
        assert.is(last({ protocol: "h2" }), -1);
      }),
    );
  });

  test("given a request that a browser queued, it begins after the queue", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), (queued) => {
        const times = timesOf([...six, { at: 0, queued }]);
        assert.is(times.queued.at(-1), queued * 1_000);
        assert.is(times.waited.at(-1), queued >= 100 && queued <= 105 ? (queued - 100) * 1_000 : -1);
        assert.equal(times.connections, [Math.max(6, queued < 100 ? 7 : 6)]);
      }),
    );
  });
});
