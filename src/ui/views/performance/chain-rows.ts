import type { ChainRecord, Chains, Step } from "../../../engine/messages/finding-messages.ts";
import type { TimeRange } from "../../../engine/messages/timeline-messages.ts";
import { hostOf, pathOf } from "../../../engine/model/endpoint.ts";
import type { ChainEdge, EvidenceSource } from "../../../engine/model/findings.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../engine/model/units.ts";
import { clockText } from "../../format/clock.ts";
import { countPhrase, countText } from "../../format/count.ts";
import { axisText, durationText } from "../../format/duration.ts";
import { errorTypeText } from "../../format/error-type.ts";
import { isSafeMethod } from "../../format/method.ts";
import { phasesPhrase } from "../../format/phases.ts";
import { niceCeiling } from "../../format/scale.ts";
import type { ListSubscription, ValueSubscription } from "../../state/windows.ts";
import { type PhasePart, phasePartOf, shareText } from "./phase-part.ts";

/** Steps named in a chain's line; the rest is counted. Our choice. */
const NAMED_STEPS = 3;

/** Room beside a chain in the timeline, as a share of its duration. */
const ROOM = 0.06;

/** One chain of the list: who, a sentence, how long, and its breakdown. */
export interface ChainRow {
  readonly key: string;
  /** "POST /oauth/token, GET /oauth/userinfo, GET /v1/cart and 2 more". */
  readonly names: string;
  /** "Could save 320 ms if parallel"; "" = nothing. */
  readonly saving: string;
  /** "; 5 exchanges, 3 links proven, gaps 40 ms." */
  readonly sentence: string;
  readonly duration: string;
  readonly started: string;
  readonly parts: readonly PhasePart[];
  readonly gaps: readonly { readonly left: string; readonly width: string }[];
  /** From the last exchange that is told to the chain's end; `null` = all are told. */
  readonly rest: { readonly left: string; readonly width: string } | null;
  /** The bar in words. */
  readonly barText: string;
  /** What the timeline is to show of it. */
  readonly between: TimeRange;
}

/** A line of the chain's panel: an exchange, and what leads to it. */
export interface StepRow {
  readonly key: ExchangeId;
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly status: string;
  readonly failed: boolean;
  readonly title: string;
  readonly parts: readonly PhasePart[];
  readonly length: string;
  readonly phases: string;
  /** How it follows the one before; `null` for the first. */
  readonly link: LinkRow | null;
}

interface LinkRow {
  readonly proven: boolean;
  /** "proven by a value of its Location", "sequential: nothing proves that it had to wait". */
  readonly text: string;
  /** The value found in both; captured text. "" = none. */
  readonly value: string;
  readonly gap: string;
}

export interface ChainPanelTexts {
  readonly title: string;
  readonly steps: readonly StepRow[];
  /** "and 40 more"; "" = all are listed. */
  readonly more: string;
  readonly saving: string;
  readonly axis: readonly { readonly label: string; readonly style: { readonly left: string } }[];
}

/** The bars of all chains share the axis of the longest. */
export function chainRowsOf({ chains }: Chains): readonly ChainRow[] {
  const longest = Math.max(1, ...chains.map(({ duration }) => duration));
  return Object.freeze(chains.map((chain) => chainRowOf(chain, longest)));
}

/** How far the search is; "" = done. */
export function progressText({ progress }: Chains): string {
  return progress >= 1 ? "" : `Looking for chains, ${Math.floor(progress * 100)} % of the session so far`;
}

/** What heads the tab while it lists nothing; "" = it lists something, or nothing is known yet. */
export function emptyTitleOf(
  { value, problem }: Pick<ValueSubscription<"chains">, "value" | "problem">,
  repeats: Pick<ListSubscription<"repeats">, "answered" | "state">,
): string {
  if (value === undefined) return problem ?? "";
  if (value.chains.length > 0) return "";
  // Repeats wait for the first list of chains, which would push them down.
  if (value.progress > 0 && repeats.state.matched > 0) return "";
  if (value.progress < 1) return "Looking for chains";
  return repeats.answered ? "No chains" : "";
}

export function chainPanelOf(chain: ChainRecord): ChainPanelTexts {
  const start = startOf(chain);
  const scale = niceCeiling(chain.duration / 5) * 5;
  const step = scale / 5;
  const left = chain.length - chain.steps.length;
  return Object.freeze({
    title: `Chain of ${countPhrase(chain.length, "exchange", "exchanges")}, ${durationText(chain.duration)} ms`,
    steps: Object.freeze(
      chain.steps.map((each, index) => stepRowOf(each, chain.edges[index - 1] ?? null, start, scale)),
    ),
    more: left === 0 ? "" : `and ${countText(left)} more`,
    saving: savingText(chain),
    axis: Object.freeze(
      [0, 1, 2, 3, 4, 5].map((count) => ({
        label: count === 0 ? "0" : axisText(count * step),
        style: { left: shareText(count / 5) },
      })),
    ),
  });
}

function chainRowOf(chain: ChainRecord, longest: Milliseconds): ChainRow {
  const start = startOf(chain);
  const { steps, edges, duration, length } = chain;
  const names = steps.slice(0, NAMED_STEPS).map(({ method, target }) => `${method} ${pathOf(target)}`);
  const more = length - names.length;
  const told = (steps.at(-1)?.end ?? start) - start;
  const gaps = edges.flatMap(({ gap }, index) => {
    const before = steps[index];
    if (before === undefined || gap <= 0) return [];
    return [{ left: shareText((before.end - start) / longest), width: shareText(gap / longest) }];
  });
  return Object.freeze({
    // A chain that grows keeps its first exchange.
    key: String(steps[0]?.id),
    names: `${names.join(", ")}${more > 0 ? ` and ${countText(more)} more` : ""}`,
    saving: savingText(chain),
    sentence: `${savingText(chain) === "" ? "" : "; "}${sentenceOf(chain)}`,
    duration: durationText(duration),
    started: clockText(start as Instant),
    parts: Object.freeze(steps.flatMap((step) => partsOf(step, start, longest))),
    gaps: Object.freeze(gaps),
    rest:
      length === steps.length || told >= duration
        ? null
        : { left: shareText(told / longest), width: shareText((duration - told) / longest) },
    barText: `${steps
      .map(({ method, target, start: from, end }) => `${method} ${pathOf(target)} ${durationText(end - from)} ms`)
      .join(", then ")}${untoldText(chain)}`,
    between: Object.freeze({
      from: (start - duration * ROOM) as Instant,
      to: (start + duration * (1 + 2 * ROOM)) as Instant,
    }),
  });
}

/** ", and 732 more"; "" = all are told. */
function untoldText({ length, steps }: ChainRecord): string {
  const left = length - steps.length;
  return left === 0 ? "" : `, and ${countText(left)} more`;
}

/** "5 exchanges, 3 links proven, gaps 40 ms." Short: it has one line of a narrow window. */
function sentenceOf({ length, edges, proven, gaps }: ChainRecord): string {
  const links = Math.max(edges.length, length - 1);
  const idle = gaps > 0 ? `, gaps ${durationText(gaps)} ms` : "";
  return `${countPhrase(length, "exchange", "exchanges")}, ${proofText(proven, links)} proven${idle}.`;
}

function proofText(proven: number, links: number): string {
  if (proven === links) return "every link";
  return proven === 0 ? "no link" : countPhrase(proven, "link", "links");
}

/** "Could save 320 ms if parallel"; "" where every link is proven. */
function savingText({ couldSave }: ChainRecord): string {
  return couldSave === null || couldSave <= 0 ? "" : `Could save ${durationText(couldSave)} ms if parallel`;
}

function stepRowOf(step: Step, edge: ChainEdge | null, start: number, scale: Milliseconds): StepRow {
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
    link: edge === null ? null : linkRowOf(edge),
  });
}

const SOURCES: Readonly<Record<EvidenceSource, string>> = {
  location: "its Location",
  "set-cookie": "its Set-Cookie",
  header: "a header of its response",
  body: "its response body",
};

function linkRowOf({ kind, evidence, gap }: ChainEdge): LinkRow {
  const text =
    kind === "proven" && evidence !== null
      ? `proven: uses a value of ${SOURCES[evidence.source]}`
      : "sequential: nothing proves that it had to wait";
  return Object.freeze({
    proven: kind === "proven",
    text,
    value: evidence?.value ?? "",
    gap: `${durationText(Math.max(0, gap))} ms later`,
  });
}

function partsOf({ start: from, end, spans }: Step, start: number, scale: Milliseconds): PhasePart[] {
  const offset = from - start;
  const whole = Math.max(end - from, 0);
  return spans.map(({ phase, from: begin, to }) =>
    phasePartOf(phase, (offset + Math.min(begin, whole)) / scale, (offset + Math.min(to, whole)) / scale),
  );
}

function startOf({ steps }: ChainRecord): number {
  return Math.min(...steps.map(({ start }) => start));
}
