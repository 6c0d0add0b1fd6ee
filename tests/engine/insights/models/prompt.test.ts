import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Prompt, promptOf, sharedPrefix } from "../../../../src/engine/insights/models/prompt.ts";
import { describe } from "../../../support/describe.ts";
import { MODEL_APIS, requestOfModel } from "../../../support/model-streams.ts";

const text = (minLength: number) => fc.string({ minLength, maxLength: 20_000, size: "max" });

function promptsOf(api: (typeof MODEL_APIS)[number], system: string, ...users: readonly string[]): readonly Prompt[] {
  return users.map((user) => {
    const prompt = promptOf(requestOfModel(api, "m", system, user));
    if (prompt === null) throw new Error("no prompt");
    return prompt;
  });
}

describe("model prompts", (test) => {
  test("given two prompts with one beginning, tells its length by at most 4.5 % too short", () => {
    fc.assert(
      fc.property(fc.constantFrom(...MODEL_APIS), text(200), fc.string(), fc.string(), (api, system, one, other) => {
        fc.pre(one !== other);
        const [left, right] = promptsOf(api, system, `a${one}`, `b${other}`);
        if (left === undefined || right === undefined) throw new Error("no prompts");
        const shared = sharedPrefix(left, right);
        const least = JSON.stringify(system).length;
        assert.ok(shared >= least / 1.045 && shared <= Math.min(left.length, right.length), `${shared} of ${least}`);
        assert.is(sharedPrefix(right, left), shared);
      }),
    );
  });

  test("given prompts that differ from the start, they share next to nothing; equal prompts share all", () => {
    fc.assert(
      fc.property(text(300), (rest) => {
        const [one, other, again] = promptsOf("openai-responses", "", `a${rest}`, `b${rest}`, `a${rest}`);
        if (one === undefined || other === undefined || again === undefined) throw new Error("no prompts");
        assert.is(sharedPrefix(one, other), 0);
        assert.is(sharedPrefix(one, again), one.length);
      }),
    );
  });

  test("given a request that is not JSON or has no prompt, returns no prompt", () => {
    for (const request of [
      "",
      "{",
      "[]",
      "7",
      "{}",
      '{"model":"a"}',
      '{"messages":',
      `{"prompt":"${"a".repeat(2 ** 22)}"}`,
    ])
      assert.is(promptOf(request), null);
  });

  test("given a prompt of any length, keeps few hashes of it", () => {
    const [prompt] = promptsOf("ollama", "a".repeat(4_000_000), "b");
    assert.ok((prompt?.hashes.length ?? 999) < 260);
  });
});
