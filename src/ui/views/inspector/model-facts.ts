import type { ExchangeDetail, ModelCallRecord } from "../../../engine/messages/exchange-messages.ts";
import { modelApiOf } from "../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../engine/model/units.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { exactDurationText } from "../../format/duration.ts";
import type { ViewDependencies } from "../dependencies.ts";

export interface ModelFact {
  readonly name: string;
  readonly value: string;
}

/**
 * Returns a function that takes the details of the opened exchange, and calls `told` with the facts of its call to a
 * language model: none for other exchanges, and until the call has ended.
 */
export function followModelCall(
  { commands }: Pick<ViewDependencies, "commands">,
  told: (facts: readonly ModelFact[]) => void,
): (detail: ExchangeDetail) => void {
  let about: ExchangeId | null = null;
  return ({ exchange }) => {
    const { id, target, outcome } = exchange;
    const isCall = outcome !== null && modelApiOf(target) !== null;
    if (about === id && isCall) return;
    about = isCall ? id : null;
    told(NONE);
    if (!isCall) return;
    void commands.send({ type: "read-model-call", exchange: id }).then((reply) => {
      if (about === id && reply.ok) told(modelFactsOf(reply.value as ModelCallRecord | null));
    });
  };
}

const NONE: readonly ModelFact[] = Object.freeze([]);

export function modelFactsOf(call: ModelCallRecord | null): readonly ModelFact[] {
  if (call === null) return NONE;
  const facts = [
    ["Model", call.model ?? "not named"],
    ["Answer", call.isStream ? "streamed" : "whole, not streamed"],
    ["First token", call.firstToken === null ? null : `${exactDurationText(call.firstToken)} ms`],
    ["Rate", rateText(call)],
    ["Longest stall", stallText(call)],
    ["Buffered", bufferedText(call)],
    [
      "Longest pause",
      call.stalls > 0 || call.longestPause === null ? null : `${exactDurationText(call.longestPause)} ms`,
    ],
    ["Tokens in", call.input === null ? null : countText(call.input)],
    ["Cached tokens", call.cached === null ? null : countText(call.cached)],
    ["Tokens out", call.output === null ? null : countText(call.output)],
    ["Tool calls", toolsText(call.tools)],
    ["Finish reason", call.finish],
    ["Outcome", call.error === null ? null : `failed within the answer: ${call.error}`],
  ] as const;
  return Object.freeze(facts.flatMap(([name, value]) => (value === null ? [] : [Object.freeze({ name, value })])));
}

function rateText({ rate, output, isStream }: ModelCallRecord): string | null {
  if (rate === null) return isStream && (output ?? 0) > 1 ? "unknown" : null;
  const { perSecond, isAbout } = rate;
  return `${isAbout ? "about " : ""}${perSecond < 10 ? perSecond.toFixed(1) : countText(perSecond)} tokens/s`;
}

function stallText({ longestPause, stalls }: ModelCallRecord): string | null {
  if (longestPause === null) return null;
  if (stalls === 0) return "none";
  return `${exactDurationText(longestPause)} ms${stalls === 1 ? "" : `, ${stalls} stalls`}`;
}

function bufferedText({ buffered }: ModelCallRecord): string | null {
  if (buffered === null) return null;
  if (buffered !== "unclear") return "yes, all events came in one burst";
  return "can't tell: 1 to 3 events came at once, after the model thought or something buffered";
}

function toolsText(tools: readonly string[]): string | null {
  return tools.length === 0 ? null : `${countPhrase(tools.length, "call", "calls")}: ${tools.join(", ")}`;
}
