import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import { groupedBy } from "../grouped.ts";
import { sharedPrefix } from "../models/prompt.ts";
import { burstsIn } from "./bursts.ts";
import { atEndpoint, type Context, claimedBy, draftOf, figures, largestOf, longestFirst } from "./draft.ts";
import type { Draft } from "./finding-report.ts";
import { pairsIn, sumOf } from "./numbers.ts";
import { counted, inMs, inPercent, nameOf } from "./text.ts";
import type { Request } from "./traffic.ts";
import { type Span, waitingOf } from "./waiting.ts";

/** docs/specification.md, n-plus-one: prompts that begin with at least this share of equal text could be cached. */
const LEAST_SHARE = 0.8;

/** Providers cache from 1,024 tokens on, which are about this many characters. */
const LEAST_SHARED = 4_096;

/** Caches of providers keep a prompt for at least 5 minutes. */
const KEPT: Milliseconds = 300_000;

/** With how many calls before it a prompt is compared. */
const COMPARED = 8;

/** A burst has at least this many calls, with gaps of at most this long. */
const LEAST_IN_BURST = 5;
const BURST_GAP: Milliseconds = 100;

/** A call whose prompt begins like that of an earlier one, and was not cached. */
interface Shared {
  readonly request: Request;
  /** The share of the prompt that is equal, 0 to 1. */
  readonly share: number;
  /** That share in characters. */
  readonly characters: number;
}

/** Bursts of calls of a language model with prompts that begin alike: one call for each item. */
export function promptBursts({ traffic, found }: Context): readonly Draft[] {
  const refused = claimedBy(found, ["rate-limited"]);
  return draftsOf("n-plus-one", sharedInBursts(traffic.requests.filter(({ id }) => !refused.has(id))));
}

/** Other calls of a language model with prompts that begin alike. `told`: those that are duplicates anyway. */
export function repeatedPrompts({ traffic, found }: Context, told: ReadonlySet<ExchangeId>): readonly Draft[] {
  const claimed = claimedBy(found, ["n-plus-one", "rate-limited", "retries"]);
  const calls = callsIn(traffic.requests.filter(({ id }) => !claimed.has(id) && !told.has(id)));
  return draftsOf("duplicate-requests", [...calls.values()].map(sharedIn));
}

function callsIn(requests: readonly Request[]): ReadonlyMap<string, readonly Request[]> {
  return groupedBy(requests, ({ facts: { model }, route, endpointKey }) =>
    // Ollama keeps the latest prompt by itself, and does not say so.
    model?.prompt == null || model.api === "ollama" ? null : `${route}\n${endpointKey}\n${model.model ?? ""}`,
  );
}

/** The calls of each burst that repeat the beginning of another one's prompt. */
function sharedInBursts(requests: readonly Request[]): readonly (readonly Shared[])[] {
  return [...callsIn(requests).values()].flatMap((calls) => {
    return burstsIn(calls, BURST_GAP).flatMap((burst) => {
      const shared = sharedIn(burst);
      return shared.length + 1 < LEAST_IN_BURST || isConversation(burst) ? [] : [shared];
    });
  });
}

/** Whether each prompt is longer than the one before, as that of an agent which sends all that was said so far. */
function isConversation(calls: readonly Request[]): boolean {
  return pairsIn(calls).every(([before, call]) => promptLengthOf(call) > promptLengthOf(before));
}

function promptLengthOf({ facts }: Request): number {
  return facts.model?.prompt?.length ?? 0;
}

function sharedIn(calls: readonly Request[]): readonly Shared[] {
  return calls.flatMap((request, index) => {
    const own = request.facts.model?.prompt ?? null;
    if (own === null || own.length === 0) return [];
    const earlier = calls.slice(Math.max(0, index - COMPARED), index);
    const characters = largestOf(
      earlier.flatMap(({ start, facts: { model } }) =>
        model?.prompt == null || request.start - start > KEPT ? [] : [sharedPrefix(model.prompt, own)],
      ),
    );
    const share = characters / own.length;
    const isShared = characters >= LEAST_SHARED && share >= LEAST_SHARE && !wasCached(request, share);
    return isShared ? [{ request, share, characters }] : [];
  });
}

/** Whether the response says that at least half of the equal part came from a cache. */
function wasCached({ facts: { model } }: Request, share: number): boolean {
  const { input = null, cached = null } = model ?? {};
  return cached !== null && cached > 0 && (input === null || cached >= (share * input) / 2);
}

function draftsOf(kind: "n-plus-one" | "duplicate-requests", groups: readonly (readonly Shared[])[]): readonly Draft[] {
  const byEndpoint = groupedBy(groups.flat(), ({ request }) => request.endpointKey);
  return [...byEndpoint.values()].map((shared) => {
    const [first] = shared;
    const requests = shared.map(({ request }) => request);
    const time = waitingOf(shared.map(spanOf));
    const name = nameOf(first.request.facts.endpoint);
    const least = Math.min(1, ...shared.slice(0, 1_000).map(({ share }) => share));
    const isTold = requests.every(({ facts }) => facts.model?.cached != null);
    const bursts = groups.filter((group) =>
      group.some(({ request }) => request.endpointKey === first.request.endpointKey),
    );
    return draftOf({
      kind,
      scope: atEndpoint(first.request),
      time,
      confidence: isTold ? "likely" : "possible",
      telling: longestFirst(requests),
      summary:
        kind === "n-plus-one"
          ? `${name} was called once per item: ${counted(shared.length, "further call")} in ${counted(bursts.length, "burst")} with prompts that begin alike, which could be cached.`
          : `${name} was called ${counted(shared.length, "time")} with a prompt that begins like an earlier one, which could be cached.`,
      advice: `${kind === "n-plus-one" ? "Put several items into one call, or let the first call end before the others start. " : ""}Put what stays the same first (tools, instructions, documents), and have it cached: Anthropic by cache_control, OpenAI and Gemini by themselves.`,
      evidence: figures({
        "calls with an equal beginning": shared.length,
        "equal part of the prompt, at least": inPercent(least),
        "tokens that could be cached, about": counted(tokensOf(shared), "token"),
        "tokens that were cached": isTold ? "few or none" : "not told by the response",
        "time that could be saved, up to": inMs(time),
      }),
      basis:
        "Up to: the equal share of each wait for a first token (of a whole answer: for its first byte), for calls of one client and model within 5 minutes whose prompts begin with at least 80 % and 4,096 characters of equal text, compared by hashes. Calls whose response counts cached tokens are left out.",
    });
  });
}

/** The equal share of the wait for the first token, for a whole answer of that for its first byte. */
function spanOf({ request, share }: Shared): Span {
  const wait = request.facts.model?.firstToken ?? request.server ?? 0;
  return { client: request.client, start: request.start, end: request.start + wait * share };
}

/** By the counted tokens of a prompt, else by four characters for a token. */
function tokensOf(shared: readonly Shared[]): number {
  const tokens = sumOf(shared, ({ request, share, characters }) => {
    const input = request.facts.model?.input ?? null;
    return input === null ? characters / 4 : input * share;
  });
  return Math.round(tokens);
}
