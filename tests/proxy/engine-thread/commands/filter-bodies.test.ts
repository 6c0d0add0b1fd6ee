import * as assert from "uvu/assert";
import type { BodyMatches } from "../../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { FilterBodies } from "../../../../extensions/proxy/engine-thread/commands/filter-bodies.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";

const matches = (ids: readonly number[], count: number, progress: number): BodyMatches => {
  return { type: "body-matches", ids: ids as readonly ExchangeId[], count, progress, done: progress === 1 };
};

/** A search thread that answers with these messages, one list per search; the last list again and again. */
function stage(...answers: (readonly BodyMatches[])[]) {
  const known: number[] = [];
  const state = { revision: 1, isEmpty: false, news: () => {} };
  const bodies = new FilterBodies({
    begin: async (_, work, { onMessage }) => {
      if (work.kind === "bodies") known.push(work.known);
      const [next] = answers.length > 1 ? answers.splice(0, 1) : answers;
      for (const message of next ?? []) onMessage(message);
      return null;
    },
    cancel: () => {},
    state: () => state.revision,
    isEmpty: () => state.isEmpty,
    onFound: () => state.news(),
  });
  const news = () =>
    new Promise<void>((resolve) => {
      state.news = resolve;
    });
  return { bodies, state, known, news };
}

describe("body searches of filters", (test) => {
  test("given a question, tells what was found so far, and asks again for what is captured later", async () => {
    const { bodies, state, known, news } = stage(
      [matches([2], 1, 0.5), matches([1], 2, 1)],
      [matches([], 2, 1)],
      [matches([3], 3, 1)],
    );
    assert.is(bodies.found("a").progress, 0);
    await news();
    const found = bodies.found("a");
    assert.equal([found.progress, found.has(1 as ExchangeId), found.has(3 as ExchangeId)], [1, true, false]);
    state.revision = 2;
    while (!bodies.found("a").has(3 as ExchangeId)) await news();
    assert.equal(known.slice(0, 2), [0, 2]);
  });

  test("given a session without exchanges, has searched all of it", () => {
    const { bodies, state, known } = stage([]);
    state.isEmpty = true;
    assert.is(bodies.found("a").progress, 1);
    assert.equal(known, []);
  });
});
