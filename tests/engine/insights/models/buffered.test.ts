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

describe("buffered answers", (test) => {
  test("given the server's own figures, an answer that came in a fifth of its generation was held back", () => {
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 60_000 }), fc.integer({ min: 10, max: 500 }), (generation, events) => {
        assert.equal(answer(generation, generation / 10, events, { generation }), { generation });
        assert.is(answer(200, generation, events, { generation }), null);
        assert.is(answer(generation, generation / 2, events, { generation }), null);
      }),
    );
  });

  test("given no such figures, only a burst that no model reaches, after a wait, was held back", () => {
    assert.equal(answer(2_000, 4, 60), { generation: null });
    assert.equal(answer(2_000, 4, 12, { visible: 60 }), { generation: null });
    assert.is(answer(2_000, 60, 60), null, "1,000 tokens a second");
    assert.is(answer(400, 4, 60), null, "a quick answer, as from a cache");
    assert.is(answer(2_000, 4, 20), null, "a short answer is one packet");
    assert.is(answer(2_000, 0, 9, { visible: 400 }), null, "few events");
  });
});
