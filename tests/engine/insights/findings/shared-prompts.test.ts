import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ModelCall } from "../../../../src/engine/insights/models/read-call.ts";
import { redactedFinding } from "../../../../src/engine/interchange/finding-redaction.ts";
import { describe } from "../../../support/describe.ts";
import { callOfModel, promptOfModel } from "../../../support/model-calls.ts";
import { Scene } from "../../../support/scene.ts";

/** Text of this length that is equal for equal names only. */
const textOf = (name: string, length: number) => name.repeat(Math.ceil(length / name.length)).slice(0, length);

const SYSTEM = textOf("Answer in one word. ", 20_000);

/** Calls with these prompts, `pause` ms after the end of the one before; each takes 1 s. */
function calls(prompts: readonly ModelCall["prompt"][], pause: number, more: Partial<ModelCall> = {}): Scene {
  const scene = new Scene();
  for (const [index, prompt] of prompts.entries())
    scene.ask({
      at: index * (1_000 + pause),
      method: "POST",
      target: "/v1/messages",
      tags: ["event-stream"],
      sent: `${index}`,
      server: 100,
      transfer: 900,
      events: [index],
      model: callOfModel({ prompt, cached: 0, ...more }),
    });
  return scene;
}

const words = fc.array(fc.string({ minLength: 1, maxLength: 200 }), { minLength: 6, maxLength: 12 });

describe("prompts with a common beginning", (test) => {
  test("given pauses between the calls, all but the first are duplicates that could be cached", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 200, max: 20_000 }), (users, pause) => {
        const finding = calls(
          users.map((user, index) => promptOfModel(SYSTEM, `${index} ${user}`)),
          pause,
        ).only();
        assert.equal(
          [finding.kind, finding.count, finding.confidence],
          ["duplicate-requests", users.length - 1, "likely"],
        );
        assert.match(finding.summary, /could be cached/);
        // At least 80 % of each wait of 400 ms, and not all of it.
        const most = (users.length - 1) * 400;
        assert.ok((finding.time ?? 0) >= 0.8 * most && (finding.time ?? 0) <= most, String(finding.time));
      }),
    );
  });

  test("given a burst, they are one call for each item", () => {
    const prompts = [30, 4, 60, 9, 80, 2, 50].map((length, index) =>
      promptOfModel(SYSTEM, textOf(`item ${index} `, length)),
    );
    const finding = calls(prompts, 20).only();
    assert.equal([finding.kind, finding.count], ["n-plus-one", prompts.length - 1]);
    assert.match(finding.summary, /once per item.*could be cached/);
    const { evidence } = redactedFinding(finding);
    assert.ok(
      evidence.every(({ value }) => !value.includes("REDACTED")),
      JSON.stringify(evidence),
    );
  });

  test("given a conversation that grows, its calls are duplicates, also without pauses", () => {
    const prompts = Array.from({ length: 8 }, (_, index) => promptOfModel(SYSTEM, textOf("said ", 300 * (index + 1))));
    assert.is(calls(prompts, 20).only().kind, "duplicate-requests");
  });

  test("given answers that count cached tokens, short or different prompts, or Ollama, nothing is said", () => {
    const users = Array.from({ length: 8 }, (_, index) => `question ${index}`);
    const alike = users.map((user) => promptOfModel(SYSTEM, user));
    assert.equal(calls(alike, 500, { cached: 900 }).kinds(), []);
    assert.equal(calls(alike, 500, { api: "ollama", cached: null }).kinds(), []);
    const short = users.map((user) => promptOfModel(textOf("short ", 2_000), user));
    assert.equal(calls(short, 500).kinds(), []);
    const half = users.map((user) => promptOfModel(SYSTEM, textOf(user, 15_000)));
    assert.equal(calls(half, 500).kinds(), []);
    const apart = users.map((user) => promptOfModel(textOf(user, 20_000), "hello"));
    assert.equal(calls(apart, 500).kinds(), []);
    assert.equal(calls(alike, 400_000).kinds(), []);
  });

  test("given answers that do not say whether they were cached, it is only possible", () => {
    const alike = Array.from({ length: 8 }, (_, index) => promptOfModel(SYSTEM, `question ${index}`));
    assert.is(calls(alike, 500, { cached: null }).only().confidence, "possible");
  });
});
