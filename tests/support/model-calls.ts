import { promptOf } from "../../src/engine/insights/models/prompt.ts";
import type { ModelCall } from "../../src/engine/insights/models/read-call.ts";

/** A streamed call with nothing slow about it. */
export function callOfModel(call: Partial<ModelCall> = {}): ModelCall {
  return {
    api: "anthropic",
    model: "small",
    isStream: true,
    firstToken: 400,
    tokens: null,
    rate: { perSecond: 50, isAbout: false },
    longestPause: 50,
    usualPause: 20,
    stalls: [],
    input: 1_000,
    output: 100,
    cached: null,
    tools: [],
    finish: "end_turn",
    error: null,
    buffered: null,
    prompt: null,
    ...call,
  };
}

/** The prompt with these instructions and this message. */
export function promptOfModel(system: string, user: string): ModelCall["prompt"] {
  return promptOf(JSON.stringify({ system, messages: [{ role: "user", content: user }] }));
}
