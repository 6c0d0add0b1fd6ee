import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { bufferedOf } from "../../../../src/engine/insights/models/buffered.ts";
import { describe } from "../../../support/describe.ts";

type Given = Parameters<typeof bufferedOf>[0];

const answer = (wait: number, burst: number, events: number, more: Partial<Given> = {}) =>
  bufferedOf({
    start: 0 as Given["start"],
    tokens: { start: wait as Given["start"], end: (wait + burst) as Given["start"] },
    events,
    visible: null,
    generation: null,
    ...more,
  });

const certaintyOf = (...given: Parameters<typeof answer>) => answer(...given)?.certainty ?? null;

describe("buffered model responses", (test) => {
  test("given the server's own figures, an answer that came in a fifth of its generation was held back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 60_000 }), fc.integer({ min: 4, max: 500 }), (generation, events) => {
        assert.equal(answer(generation, generation / 10, events, { generation }), { certainty: "certain", generation });
        assert.is(certaintyOf(generation, 0, events % 4, { generation }), "unclear");
        assert.is(answer(200, generation, events, { generation }), null);
        assert.is(answer(generation, generation / 2, events, { generation }), null);
      }),
    );
    assert.is(answer(9_000, 0, 60, { generation: 20 }), null, "it was made in no time");
  });

  test("given no such figures, only a burst that no model reaches, after a wait, was held back", () => {
    assert.equal(answer(2_000, 4, 60), { certainty: "certain", generation: null });
    assert.is(certaintyOf(2_000, 4, 12, { visible: 60 }), "certain");
    assert.is(answer(2_000, 60, 60), null, "1,000 tokens a second");
    assert.is(answer(400, 4, 60), null, "a quick answer, as from a cache");
    assert.is(certaintyOf(2_000, 5, 9), "likely", "no longer than Weir's own delays");
    assert.is(answer(2_000, 9, 9), null, "1,000 tokens a second");
  });

  test("given a short answer in one burst, it is likely, and from fewer than four events unclear", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 9 }), fc.integer({ min: 1_000, max: 60_000 }), (events, wait) => {
        assert.is(certaintyOf(wait, 0, events), "likely");
        assert.is(certaintyOf(wait, 0, events, { visible: 400 }), "likely");
        assert.is(certaintyOf(wait, 0, 1 + (events % 3), { visible: 400 }), "unclear");
        assert.is(answer(wait, events * 10, events), null, "100 tokens a second");
      }),
    );
    assert.is(answer(2_000, 0, 1, { visible: 1 }), null, "one token");
  });
});
