import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { sourceLimitsOf } from "../../../../src/engine/insights/where/source-limits.ts";
import type { Tag } from "../../../../src/engine/model/exchange.ts";
import { describe } from "../../../support/describe.ts";
import { type Asked, Scene } from "../../../support/scene.ts";

function limitsOf(asked: readonly Partial<Asked>[], tags: readonly Tag[] = ["imported"]): readonly string[] {
  const scene = new Scene();
  for (const [index, one] of asked.entries())
    scene.ask({ at: index * 100.5, request: { accept: "*/*" }, server: 40.25, tags, ...one });
  return sourceLimitsOf(scene.facts);
}

const some = (count: number, one: Partial<Asked> = {}) => Array.from({ length: count }, () => one);

describe("limits of a source", (test) => {
  test("given captured traffic, or a file that has everything, says nothing", () => {
    assert.equal(limitsOf(some(8, { body: null, server: 40, request: {} }), []), []);
    assert.equal(limitsOf(some(8)), []);
    assert.equal(limitsOf([]), []);
  });

  test("given mocked answers, counts them", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.nat(9), (mocked, others) => {
        const asked = [...some(mocked, { tags: ["imported", "mocked"] }), ...some(others)];
        const answers = mocked + others === 1 ? "answer was" : `answers ${mocked === 1 ? "was" : "were"}`;
        assert.equal(limitsOf(asked), [`${mocked} of ${mocked + others} ${answers} mocked.`]);
      }),
    );
  });

  test("given several runs, counts them", () => {
    const inRun = (run: number): Partial<Asked> => ({ client: `run-${run} Agent/1` });
    assert.equal(limitsOf([inRun(1), inRun(2), inRun(2), inRun(3)]), [
      "The file holds 3 runs, each with a client of its own.",
    ]);
    assert.equal(limitsOf([inRun(1), inRun(1)]), []);
  });

  test("given no body, no header or no fraction of a millisecond, says so", () => {
    assert.equal(limitsOf(some(3, { body: null })), ["The file has no bodies, so links by value cannot be found."]);
    assert.equal(limitsOf([...some(3, { body: null }), {}]), []);
    assert.equal(limitsOf(some(3, { request: {} })), ["The file has no headers."]);
    assert.equal(limitsOf(some(5, { server: 40 })), ["Its times are whole milliseconds."]);
    assert.equal(limitsOf([...some(5, { server: 40 }), {}]), []);
    assert.equal(limitsOf(some(4, { server: 40 })), [], "too few to tell");
  });

  test("given many requests without cookies and credentials, says that they may have been removed", () => {
    const cookie = { request: { cookie: "a=b" } };
    const removed = "It has no cookies and no credentials; they may have been removed.";
    assert.equal(limitsOf(some(20)), [removed]);
    assert.equal(limitsOf(some(19)), []);
    for (const one of [cookie, { request: { authorization: "x" } }, { response: { "set-cookie": "a=b" } }])
      assert.equal(limitsOf([...some(20), one]), []);
  });

  test("given requests without a protocol or a method, counts them", () => {
    assert.equal(limitsOf([...some(2, { protocol: "unknown" }), {}]), ["2 of 3 requests are without a protocol."]);
    assert.equal(limitsOf([{ method: "?" }, {}]), ["1 of 2 requests is without a method."]);
  });
});
