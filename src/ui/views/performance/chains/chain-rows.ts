import type { ChainRecord, Chains, Step } from "../../../../engine/messages/chain-messages.ts";
import { hostOf, pathOf } from "../../../../engine/model/endpoint.ts";
import { errorTypeText } from "../../../../engine/model/error-text.ts";
import type { Link } from "../../../../engine/model/link.ts";
import type { Instant, Milliseconds } from "../../../../engine/model/units.ts";
import { countPhrase, countText } from "../../../format/count.ts";
import { axisText, durationText } from "../../../format/duration.ts";
import { isSafeMethod } from "../../../format/method.ts";
import { phasesPhrase } from "../../../format/phases.ts";
import { niceCeiling } from "../../../format/scale.ts";
import type { ListSubscription, ValueSubscription } from "../../../state/subscription-store.ts";
import { type PhasePart, phasePartsOf, shareText } from "../phase-part.ts";

/** The most steps named in the row of a chain; further steps are counted. */
const NAMED_STEPS = 3;

/**
 * Margin before a chain in the timeline, as a share of the chain's duration. The margin after it is twice as wide,
 * because the timeline shows the last exchange's length there.
 */
const ROOM = 0.06;

/** A chain in the list: its requests, a sentence, its duration and a bar of its parts. */
export type ChainRow = ReturnType<typeof chainRowOf>;

/** A step in the chain's panel: an exchange, and the link to it. */
export type StepRow = ReturnType<typeof stepRowOf>;

export type ChainPanelTexts = ReturnType<typeof chainPanelOf>;

/** The rows of all chains; their bars share the axis of the longest chain. */
export function chainRowsOf({ chains }: Chains): readonly ChainRow[] {
  const longest = Math.max(1, ...chains.map(({ duration }) => duration));
  return Object.freeze(chains.map((chain) => chainRowOf(chain, longest)));
}

/** How much of the session was searched; "" if all of it was. */
export function progressText({ progress, leftOut }: Chains): string {
  if (progress < 1) return `Looking for chains, ${Math.floor(progress * 100)} % of the session so far`;
  return leftOut === 0 ? "" : `${countPhrase(leftOut, "older exchange", "older exchanges")} not checked`;
}

/** Title of the empty tab; "" if the tab has rows or the answer is awaited. */
export function emptyTitleOf(
  { value, problem }: Pick<ValueSubscription<"chains">, "value" | "problem">,
  repeats: Pick<ListSubscription<"repeats">, "answered" | "state">,
): string {
  if (value === undefined) return problem ?? "";
  if (value.chains.length > 0) return "";
  // Before the first list of chains, repeats are not shown, because the list would push them down.
  if (value.progress > 0 && repeats.state.matched > 0) return "";
  if (value.progress < 1) return "Looking for chains";
  if (!repeats.answered) return "";
  return value.total + repeats.state.total > 0 ? "No chain has a matching exchange" : "No chains";
}

export function chainPanelOf(chain: ChainRecord) {
  const start = startOf(chain);
  const step = niceCeiling(chain.duration / 5);
  const steps = Math.max(1, Math.ceil(chain.duration / step));
  const scale = step * steps;
  const left = chain.length - chain.steps.length;
  return Object.freeze({
    title: titleOf(chain),
    steps: Object.freeze(
      chain.steps.map((each, index) => stepRowOf(each, chain.links[index - 1] ?? null, start, scale)),
    ),
    /** "and 40 more"; "" if all steps are listed. */
    more: left === 0 ? "" : `and ${countText(left)} more`,
    saving: savingText(chain),
    /** "Total 812 ms: 772 ms in these requests, 40 ms of the client’s own time." */
    total: totalOf(chain),
    axis: Object.freeze(
      Array.from({ length: steps + 1 }, (_, count) => ({
        label: count === 0 ? "0" : axisText(count * step),
        style: { left: shareText(count / steps) },
      })),
    ),
  });
}

function titleOf({ length, duration, count }: ChainRecord): string {
  const longest = count > 1 ? `, the longest of ${countText(count)}` : "";
  return `Chain of ${countPhrase(length, "exchange", "exchanges")}, ${durationText(duration)} ms${longest}`;
}

function totalOf({ duration, clientTime, retryAfterTime, steps, length }: ChainRecord): string {
  const own = clientTime > 0 ? `, ${durationText(clientTime)} ms of the client’s own time` : "";
  const retryAfter = retryAfterTime > 0 ? `, ${durationText(retryAfterTime)} ms waited because of Retry-After` : "";
  const inRequests = duration - clientTime - retryAfterTime;
  const inSteps = steps.reduce((sum, { start, end }) => sum + end - start, 0);
  const beside = inRequests - inSteps;
  const requests =
    length > steps.length || beside < 1
      ? `${durationText(inRequests)} ms in ${length > steps.length ? "" : "these "}requests`
      : `${durationText(inSteps)} ms in these requests, ${durationText(beside)} ms while others ran`;
  return `Total ${durationText(duration)} ms: ${requests}${own}${retryAfter}.`;
}

function chainRowOf(chain: ChainRecord, longest: Milliseconds) {
  const start = startOf(chain);
  const { steps, links, duration, length } = chain;
  const names = steps.slice(0, NAMED_STEPS).map(({ method, target }) => `${method} ${pathOf(target)}`);
  const more = length - names.length;
  const told = (steps.at(-1)?.end ?? start) - start;
  const gaps = links.flatMap(({ gap }, index) => {
    const before = steps[index];
    if (before === undefined || gap <= 0) return [];
    return [{ left: shareText((before.end - start) / longest), width: shareText(gap / longest) }];
  });
  return Object.freeze({
    key: String(chain.key),
    /** "POST /oauth/token, GET /oauth/userinfo, GET /v1/cart and 2 more". */
    names: `${names.join(", ")}${more > 0 ? ` and ${countText(more)} more` : ""}`,
    /** "Up to 320 ms less if parallel"; "" if nothing can be saved. */
    saving: savingText(chain),
    /** The text after `saving`: "; 5 exchanges, 3 links proven, client’s own 40 ms." */
    sentence: `${savingText(chain) === "" ? "" : "; "}${sentenceOf(chain)}`,
    /** How often the chain occurred: "12x". */
    times: `${countText(chain.count)}x`,
    median: durationText(chain.median),
    parts: Object.freeze(steps.flatMap((step) => partsOf(step, start, longest))),
    gaps: Object.freeze(gaps),
    /** The part of the bar from the last listed exchange to the chain's end; `null` if there is none. */
    rest:
      length === steps.length || told >= duration
        ? null
        : { left: shareText(told / longest), width: shareText((duration - told) / longest) },
    /** The text alternative of the bar. */
    barText: `${steps
      .map(({ method, target, start: from, end }) => `${method} ${pathOf(target)} ${durationText(end - from)} ms`)
      .join(", then ")}${untoldText(chain)}`,
    between: Object.freeze({
      from: (start - duration * ROOM) as Instant,
      to: (start + duration * (1 + 2 * ROOM)) as Instant,
    }),
  });
}

/** ", and 732 more"; "" if all exchanges are listed. */
function untoldText({ length, steps }: ChainRecord): string {
  const left = length - steps.length;
  return left === 0 ? "" : `, and ${countText(left)} more`;
}

/** "5 exchanges, 3 links proven, client’s own 40 ms."; short enough for one line of a narrow window. */
function sentenceOf({ length, proven, clientTime, retryAfterTime }: ChainRecord): string {
  const own = clientTime > 0 ? `, client’s own ${durationText(clientTime)} ms` : "";
  const retryAfter = retryAfterTime > 0 ? `, Retry-After ${durationText(retryAfterTime)} ms` : "";
  return `${countPhrase(length, "exchange", "exchanges")}, ${proofText(proven, length - 1)} proven${own}${retryAfter}.`;
}

function proofText(proven: number, links: number): string {
  if (proven === links) return "every link";
  return proven === 0 ? "no link" : countPhrase(proven, "link", "links");
}

/** "Up to 320 ms less if parallel"; "" if no requests could run in parallel. */
function savingText({ couldSave }: ChainRecord): string {
  return couldSave === null || couldSave <= 0 ? "" : `Up to ${durationText(couldSave)} ms less if parallel`;
}

function stepRowOf(step: Step, link: Link | null, start: number, scale: Milliseconds) {
  const { id, method, origin, target, status, errorType } = step;
  return Object.freeze({
    key: id,
    method,
    changes: !isSafeMethod(method),
    path: target,
    host: hostOf(origin),
    status: status === null ? "failed" : String(status),
    failed: errorType !== null || (status ?? 0) >= 400,
    title: `${method} ${origin}${target}${errorType === null ? "" : `\n${errorTypeText(errorType)}`}`,
    parts: Object.freeze(partsOf(step, start, scale)),
    length: durationText(step.end - step.start),
    phases: phasesPhrase(step.spans),
    /** The link from the previous step; `null` for the first step. */
    link: link === null ? null : linkRowOf(link),
  });
}

/** The proof of a link as text, by the source of its evidence. */
const PROOFS: Readonly<Record<string, string>> = {
  redirect: "the previous response redirected here",
  preflight: "the previous request was the preflight for this one",
  credentials: "the previous response asked for credentials; this is the same request with credentials",
  "retry-after": "the previous response said when to try again",
  initiator: "the HAR file names the previous request as the initiator",
  url: "the previous response names this URL",
  path: "the previous response names the path of this URL",
  file: "the previous response names the file of this URL, which no other URL of the page load has",
  script: "no response names this URL, and the previous response has the latest script that could send it",
  location: "uses a value from the Location of the previous response",
  "set-cookie": "uses a cookie set by the previous response",
  header: "uses a value from a header of the previous response",
  body: "uses a value from the body of the previous response",
  experiment: "an experiment held the previous response back, and this request started later by that time",
};

function linkRowOf({ kind, evidence: { source, value }, gap }: Link) {
  const isProven = kind === "proven";
  return Object.freeze({
    proven: isProven,
    /** "proven: uses a cookie set by the previous response", "sequential: …; nothing proves that it had to wait". */
    text: isProven
      ? `proven: ${PROOFS[source] ?? "this request had to wait for the previous one"}`
      : `sequential: ${value} requests to this endpoint came in this order; nothing proves that they had to wait`,
    /** The value that proves the link (captured text); "" if there is none, or if it is the script's own URL. */
    value: isProven && source !== "script" ? value : "",
    gap: gap < 0 ? "overlaps" : `${durationText(gap)} ms later`,
  });
}

function partsOf({ start: from, end, spans }: Step, start: number, scale: Milliseconds): PhasePart[] {
  const offset = from - start;
  const whole = Math.max(end - from, 0);
  return [...phasePartsOf(spans, (at) => (offset + Math.min(at, whole)) / scale)];
}

function startOf({ steps }: ChainRecord): number {
  return Math.min(...steps.map(({ start }) => start));
}
