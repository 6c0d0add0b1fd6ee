import type { Milliseconds } from "../../model/units.ts";
import { addTo } from "../grouped.ts";
import type { Buffered } from "../models/buffered.ts";
import type { ModelCall } from "../models/read-call.ts";
import { atEndpoint, type Context, claimedBy, draftOf, draftsByEndpoint, figures, largestOf } from "./draft.ts";
import type { Draft } from "./finding-report.ts";
import { failureOf } from "./kinds/retries.ts";
import { counted, inMs, inTime, nameOf, quoted } from "./text.ts";
import type { Request, Traffic } from "./traffic.ts";
import { lengthOf, type Span, waitingOf } from "./waiting.ts";

/** docs/specification.md, slow-streams: models take longer to their first token than servers to a first event. */
const LATE_TOKEN: Milliseconds = 2_000;

/** What a stream of a language model waited for. */
const CAUSES = ["thinks", "stalls", "buffered", "unclear", "retried"] as const;

type Cause = (typeof CAUSES)[number];

const ADVICE: Readonly<Record<Cause, string>> = {
  thinks: "Shorten the prompt or let it be cached, ask for less reasoning, or take a quicker model.",
  stalls: "Look at what holds the model up between tokens: its server's load, or tools that it waits for.",
  buffered:
    "Let each event through at once: no buffering (nginx: proxy_buffering off) and no compression between server and client.",
  unclear:
    "Ask for a longer answer, or ask the service without what lies between: where events then come one by one, something buffers them.",
  retried: "Stay below the limit: fewer calls at once, a queue, or a higher limit; wait as long as Retry-After says.",
};

/** A call, and the spans in which each cause held it up. */
interface Slowed {
  readonly request: Request;
  readonly spans: Readonly<Record<Cause, readonly Span[]>>;
}

/** Streams of language models that are slow, one draft for each endpoint, which says why. */
export function modelStreams({ traffic, found }: Context): readonly Draft[] {
  const streams = traffic.requests.filter(({ facts }) => facts.model?.isStream);
  if (streams.length === 0) return [];
  const repeated = claimedBy(found, ["n-plus-one", "duplicate-requests"]);
  const refused = refusedBefore(traffic);
  return draftsByEndpoint(streams, (own) => {
    const shown = evidenceIn(own.flatMap(({ facts }) => facts.model ?? []));
    const calls = own.flatMap((request) => {
      const { model } = request.facts;
      if (model === null) return [];
      const buffered = weighed(model.buffered, shown);
      return [slowedBy(request, model, buffered, refused.get(request) ?? [], repeated.has(request.id))];
    });
    return draftFor(calls, refused);
  });
}

/** The refused attempts before each stream. */
function refusedBefore({ modelRetries, byId }: Traffic): ReadonlyMap<Request, readonly Request[]> {
  const before = new Map<Request, Request[]>();
  for (const [id, stream] of modelRetries) addTo(before, stream, byId.get(id) as Request);
  return before;
}

/** What an endpoint's answers show of the way to the client: nothing holds events back, or something does. */
type Evidence = "passes" | "buffers" | null;

function evidenceIn(models: readonly ModelCall[]): Evidence {
  if (models.some(({ rate }) => rate !== null)) return "passes";
  return models.some(({ buffered }) => buffered?.certainty === "certain") ? "buffers" : null;
}

/** A burst in the light of the endpoint's other answers; `null` if the model took the time. */
function weighed(buffered: Buffered | null, shown: Evidence): Buffered | null {
  if (buffered === null || buffered.certainty === "certain" || shown === null) return buffered;
  return shown === "passes" ? null : { ...buffered, certainty: "likely" };
}

/** `isRepeated`: whether a finding about equal prompts covers the call, and with it the wait for the first token. */
function slowedBy(
  request: Request,
  model: ModelCall,
  buffered: Buffered | null,
  refused: readonly Request[],
  isRepeated: boolean,
): Slowed {
  const { client, start } = request;
  const { tokens, usualPause } = model;
  // Until the request has arrived, the model has nothing to think about.
  const requestEnd = Math.max(start, request.facts.exchange.instants.requestEnd ?? start);
  const isLate = tokens !== null && tokens.start - requestEnd >= LATE_TOKEN;
  // A short wait is none that a user would call slow, so only a certain cause is told.
  const certainty = isLate || buffered?.certainty === "certain" ? (buffered?.certainty ?? null) : null;
  // What the server generated while the answer was held back could have been read.
  const heldFrom = buffered?.generation == null || tokens === null ? start : tokens.end - buffered.generation;
  const held = tokens === null ? [] : [{ client, start: Math.max(start, heldFrom), end: tokens.start }];
  const [first] = refused;
  return {
    request,
    spans: {
      thinks: isLate && !isRepeated && buffered === null ? [{ client, start: requestEnd, end: tokens.start }] : [],
      stalls: model.stalls.map((stall) => ({ client, start: stall.start + (usualPause ?? 0), end: stall.end })),
      buffered: certainty === "certain" || certainty === "likely" ? held : [],
      unclear: certainty === "unclear" && !isRepeated ? held : [],
      retried: first === undefined ? [] : [{ client, start: first.start, end: start }],
    },
  };
}

function draftFor(calls: readonly Slowed[], refused: ReadonlyMap<Request, readonly Request[]>): Draft | null {
  const slow = calls.filter(({ spans }) => CAUSES.some((cause) => spans[cause].length > 0));
  const [first] = slow;
  if (first === undefined) return null;
  const of = (cause: Cause) => slow.filter(({ spans }) => spans[cause].length > 0);
  const costOf = (cause: Cause) => waitingOf(slow.flatMap(({ spans }) => spans[cause]));
  const causes = CAUSES.filter((cause) => of(cause).length > 0).toSorted((one, other) => costOf(other) - costOf(one));
  const attempts = slow.flatMap(({ request }) => refused.get(request) ?? []);
  const refusals = [...new Set(attempts.map(failureOf))].join(", ");
  const stalls = slow.flatMap(({ spans }) => spans.stalls);
  const models = [...new Set(calls.flatMap(({ request }) => request.facts.model?.model ?? []))];
  const text: Readonly<Record<Cause, (count: number) => string>> = {
    thinks: (count) => `the model thinks before ${counted(count, "first token")}`,
    stalls: (count) => `the answer stalls in ${counted(count, "call")}`,
    buffered: (count) => `something between buffers ${counted(count, "answer")}`,
    unclear: (count) =>
      `can't tell in ${counted(count, "call")} with few events whether the model thinks or something buffers`,
    retried: (count) => `${counted(count, "call")} ${count === 1 ? "was" : "were"} retried after ${refusals}`,
  };
  const cost = (one: Slowed) => waitingOf(CAUSES.flatMap((cause) => one.spans[cause]));
  return draftOf({
    kind: "slow-streams",
    scope: atEndpoint(first.request),
    time: waitingOf(slow.flatMap(({ spans }) => CAUSES.flatMap((cause) => spans[cause]))),
    confidence: "likely",
    telling: slow.toSorted((left, right) => cost(right) - cost(left)).map(({ request }) => request),
    covers: [...slow.map(({ request }) => request), ...attempts],
    summary: `${nameOf(first.request.facts.endpoint)}, ${counted(calls.length, "call")} of a language model: ${causes.map((cause) => text[cause](of(cause).length)).join(", ")}.`,
    advice: causes.map((cause) => ADVICE[cause]).join(" "),
    evidence: figures({
      models: models.length === 0 ? null : quoted(models.slice(0, 5).join(", ")),
      ...Object.fromEntries(
        causes.map((cause) => [EVIDENCE[cause], `${of(cause).length} of ${calls.length}, ${inTime(costOf(cause))}`]),
      ),
      "longest stall": stalls.length === 0 ? null : inMs(largestOf(stalls.map(lengthOf))),
    }),
    basis:
      "The wait for each first token that came 2 s or more after the request; the part of each stall above the call's median pause; the time for which a buffered answer, or one of 1 to 3 events at once, was held back, at most the wait for it; and the time from each first refused attempt to the call that was answered.",
  });
}

const EVIDENCE: Readonly<Record<Cause, string>> = {
  thinks: "first tokens that came late",
  stalls: "calls with stalls",
  buffered: "buffered answers",
  unclear: "late answers of 1 to 3 events at once",
  retried: "calls retried",
};
