import { soonerText } from "../../../../engine/insights/what-if/gain-text.ts";
import { type LoadRun, loadRunsOf } from "../../../../engine/insights/where/step-runs.ts";
import type { LoadRecord, WhereFound, WhereRecord } from "../../../../engine/messages/finding-messages.ts";
import type { TimeRange } from "../../../../engine/messages/timeline-messages.ts";
import { hostOf } from "../../../../engine/model/endpoint.ts";
import type { Gain } from "../../../../engine/model/load-gain.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../../engine/model/units.ts";
import {
  type LoadStep,
  SET_UP_PHASES,
  type SlowestRequest,
  WAIT_PHASE_NAMES,
  type WaitPart,
  type WaitPhase,
} from "../../../../engine/model/where.ts";
import { clockText } from "../../../format/clock.ts";
import { countPhrase, countText, NO_FIGURE, NOT_COUNTED } from "../../../format/count.ts";
import { durationText } from "../../../format/duration.ts";
import { type EndpointTexts, endpointTextsOf, withOperation } from "../../../format/endpoint.ts";
import { lostTimePhrase } from "../../../format/lost-time.ts";
import { percentText } from "../../../format/percent.ts";
import { type ExperimentButton, experimentButtonOf } from "../../experiment-wish.ts";

/** The most parts that are named below the bar. */
const MOST_NAMED = 4;

/** The class of a phase's hue in the bar, and of its mark beside a name (theme/phases.css). */
const HUES: Readonly<Record<WaitPhase, string>> = {
  dns: "is-dns",
  connect: "is-connect",
  tls: "is-tls",
  upload: "is-transfer",
  ttfb: "is-ttfb",
  transfer: "is-transfer",
  queued: "is-queued",
  browser: "is-queued",
  weir: "is-weir",
  slowed: "is-rest",
  held: "is-held",
  other: "is-rest",
};

/** A part of the bar of all waiting, and its name below the bar. */
export type WherePart = ReturnType<typeof partOf>;

export type SlowestRow = ReturnType<typeof slowestRowOf>;

/** A step of a page load's path with the gap before it, a run of steps to one endpoint, or the rest of the load. */
export interface LoadRow extends EndpointTexts {
  readonly key: string;
  /** `null` for a run and for the rest. */
  readonly exchange: ExchangeId | null;
  /** The step, or those of a run; empty for the rest. */
  readonly exchanges: readonly ExchangeId[];
  /** The first exchange of a run, which opens to its steps; `null` for other rows. */
  readonly run: ExchangeId | null;
  /** As the attribute `aria-expanded`. */
  readonly expanded: "true" | "false" | "undefined";
  /** Whether it belongs to the open run above it. */
  readonly isInRun: boolean;
  /** "10 ×" of a run; "" of other rows. */
  readonly times: string;
  /** "document", or the phase that took the longest. */
  readonly name: string;
  readonly hue: string;
  readonly gapStyle: Extent;
  readonly bars: readonly Extent[];
  /** "–" if the step began when the previous one ended; of a run "19 + 313", with the gaps between its steps. */
  readonly gap: string;
  /** What was in flight in the gap; of a run, the gap before it and those between its steps; "" if there is neither. */
  readonly gapTitle: string;
  /** What all gaps of the row take of the load; "" if it has none. */
  readonly gapShare: string;
  readonly time: string;
  /** `time` in ms. */
  readonly length: Milliseconds;
  readonly share: string;
  /** When the load would end without this step or run: "at most 611 ms sooner"; "–" if it was not calculated. */
  readonly ifGone: string;
  /** `null` for the rest. */
  readonly experiment: ExperimentButton | null;
}

interface Extent {
  readonly left: string;
  readonly width: string;
}

export type LoadTexts = NonNullable<ReturnType<typeof loadTextsOf>>;

/** What findings leave out, for the title of a count. */
export const NOT_SEARCHED = `${NOT_COUNTED}; also requests in flight, and those that browsers make for themselves`;

/** The head of the tab Findings. */
export type WhereTexts = NonNullable<ReturnType<typeof whereTextsOf>>;

/** `null` if there is no exchange. */
export function whereTextsOf({ where, waiting, clients, exchanges }: WhereFound) {
  const { parts, partCount, slowest, limits, weir } = where;
  if (exchanges === 0) return null;
  const bar = barOf(where);
  const named = bar.slice(0, MOST_NAMED);
  const left = parts.slice(MOST_NAMED).length + partCount - parts.length;
  const shown = parts.slice(0, MOST_NAMED).reduce((sum, { share }) => sum + share, 0);
  const untilStreams = waiting - where.waiting;
  const streams = untilStreams > 0 ? `; ${lostTimePhrase(untilStreams)} more until streams began` : "";
  const who = clients === 1 ? "The client" : `${countText(clients)} clients`;
  const waited = `${who} waited ${lostTimePhrase(where.waiting)} in ${countPhrase(exchanges, "request", "requests")}`;
  const sentence = `${where.waiting === 0 ? "No client waited for a response that has an end" : waited}${streams}`;
  return Object.freeze({
    /** "The client waited 12.4 s in 184 requests" */
    waited: sentence,
    /** `waited`, and what its count leaves out. */
    waitedTitle: `${sentence}\n${NOT_SEARCHED}`,
    /** "Weir's own time 0.4 %"; "" if there is none. */
    weir: weir > 0 ? `Weir's own time ${percentText((100 * weir) / where.waiting)}` : "",
    /** The bar, as a sentence. */
    description: named.map(({ share, title, phase }) => `${share} ${title}, ${phase}`).join("; "),
    bar,
    named,
    /** Whether the named parts belong to several hosts. */
    hasHosts: new Set(named.map(({ host }) => host)).size > 1,
    /** What the named parts leave; "" if nothing. */
    rest:
      left <= 0
        ? ""
        : `${percentText(100 * Math.max(0, 1 - shown))} in ${countPhrase(left, "other part", "other parts")}`,
    slowest: Object.freeze(slowest.map(slowestRowOf)),
    limits: limits.join(" "),
  });
}

/** The parts of the bar. A phase's second endpoint is lighter, further ones have no hue, as has what is not named. */
function barOf({ parts }: WhereRecord): readonly WherePart[] {
  const seen = new Map<WaitPhase, number>();
  return Object.freeze(
    parts.map((part) => {
      const before = seen.get(part.phase) ?? 0;
      seen.set(part.phase, before + 1);
      return partOf(part, [HUES[part.phase], `${HUES[part.phase]} is-second`, "is-rest"][before] ?? "is-rest");
    }),
  );
}

function partOf({ endpoint, phase, share, time, requests }: WaitPart, hue: string) {
  const texts = endpointTextsOf(endpoint);
  return Object.freeze({
    ...texts,
    key: `${texts.title} ${phase}`,
    hue,
    style: { width: `${(100 * share).toFixed(2)}%` },
    share: percentText(100 * share),
    phase: WAIT_PHASE_NAMES[phase],
    /** "1,240 ms in 12 requests" */
    time: `${durationText(time)} ms in ${countPhrase(requests, "request", "requests")}`,
  });
}

function slowestRowOf({ exchange, endpoint, latency, phase, phaseTime, usual, usualOf }: SlowestRequest) {
  return Object.freeze({
    ...endpointTextsOf(endpoint),
    key: exchange,
    latency: durationText(latency),
    hue: HUES[phase],
    phase: WAIT_PHASE_NAMES[phase],
    phaseTime: durationText(phaseTime),
    /** "–" if there are too few other requests. */
    usual: usual === null || (usualOf === "origin" && !SET_UP_PHASES.has(phase)) ? NO_FIGURE : durationText(usual),
  });
}

const NO_ENDPOINT: EndpointTexts = { method: "", changes: false, path: "", host: "", title: "" };

/**
 * The chosen page load (by its start), else the longest; `null` if there is none. `opened`: the first exchanges of the
 * open runs.
 */
export function loadTextsOf(
  { loads }: WhereRecord,
  chosen: Instant | null,
  opened: ReadonlySet<ExchangeId> = new Set(),
) {
  const longest = loads.toSorted((one, other) => other.duration - one.duration)[0];
  const load = loads.find(({ start }) => start === chosen) ?? longest;
  if (load === undefined) return null;
  const { start, duration, path } = load;
  const index = loads.indexOf(load);
  const document = path[0]?.endpoint;
  const { rows, steps } = rowsOf(load, opened);
  return Object.freeze({
    /** The start, which identifies the load also after a later search. */
    start,
    between: rangeOf(load),
    subject: document === undefined ? "" : withOperation(document.path, document.operation),
    host: document === undefined ? "" : hostOf(document.origin),
    duration: durationText(duration),
    /** ", load 3 of 14, the slowest, began 12:36:22"; "" if there is one load. */
    position:
      loads.length < 2
        ? ""
        : `, load ${index + 1} of ${loads.length}${load === longest ? ", the slowest" : ""}, began ${clockText(start)}`,
    earlier: loads[index - 1]?.start ?? null,
    later: loads[index + 1]?.start ?? null,
    rows,
    /** All steps and runs, also the steps of closed runs. */
    steps,
    /**
     * The step or run without which the load would end the soonest; of equal ones, or if that is unknown, the longest.
     */
    costliest: steps.find(({ key }) => key === costliestKeyOf(load)) ?? null,
    more: load.steps > path.length ? `${countPhrase(load.steps - path.length, "more step", "more steps")}` : "",
  });
}

function costliestKeyOf({ path }: LoadRecord): string {
  const gainOf = ({ ifGone }: LoadRun): Milliseconds => ifGone?.atMost ?? 0;
  const [costliest] = loadRunsOf(path).toSorted((one, other) => gainOf(other) - gainOf(one) || other.time - one.time);
  return costliest === undefined ? "" : keyOf(costliest.steps);
}

/** Of a step, or of a run. */
function keyOf([{ exchange }, ...later]: LoadRun["steps"]): string {
  return `${later.length > 0 ? "run" : "step"} ${exchange}`;
}

function rangeOf({ start, duration }: LoadRecord): TimeRange {
  const margin = Math.max(20, 0.03 * duration);
  return { from: (start - margin) as Instant, to: (start + duration + margin) as Instant };
}

function rowsOf({ path, duration }: LoadRecord, opened: ReadonlySet<ExchangeId>) {
  const rows: LoadRow[] = [];
  const steps: LoadRow[] = [];
  const shareOf = (time: Milliseconds): string => percentText((100 * time) / duration);
  const gapShareOf = (gap: Milliseconds): string => (gap > 0 ? shareOf(gap) : "");
  const extent = (from: Milliseconds, length: Milliseconds): Extent => {
    return { left: `${((100 * from) / duration).toFixed(2)}%`, width: `${((100 * length) / duration).toFixed(2)}%` };
  };
  let at: Milliseconds = 0;
  for (const run of loadRunsOf(path)) {
    const [{ exchange }] = run.steps;
    const isRun = run.steps.length > 1;
    const isOpen = opened.has(exchange);
    if (isRun) {
      let from = at;
      const bars = run.steps.map((step) => {
        from += step.gap + step.time;
        return extent(from - step.time, step.time);
      });
      const shares = { share: shareOf(run.time), gapShare: gapShareOf(run.steps[0].gap + run.gaps) };
      const row = Object.freeze({ ...runRowOf(run, isOpen), ...shares, gapStyle: extent(at, from - at), bars });
      rows.push(row);
      steps.push(row);
    }
    for (const step of run.steps) {
      const row = Object.freeze({
        ...stepRowOf(step, steps.length === 0, isRun),
        gapStyle: extent(at, step.gap),
        bars: [extent(at + step.gap, step.time)],
        share: shareOf(step.time),
        gapShare: gapShareOf(step.gap),
      });
      at += step.gap + step.time;
      steps.push(row);
      if (!isRun || isOpen) rows.push(row);
    }
  }
  const rest = duration - at;
  if (rest >= 1) {
    const place = {
      gapStyle: extent(at, rest),
      bars: [],
      share: shareOf(rest),
      gapShare: "",
    };
    rows.push(Object.freeze({ ...restRowOf(rest), ...place }));
  }
  return { rows: Object.freeze(rows), steps: Object.freeze(steps) };
}

type RowTexts = Omit<LoadRow, "gapStyle" | "bars" | "share" | "gapShare">;

const NO_RUN = { run: null, expanded: "undefined", isInRun: false, times: "" } as const;

function stepRowOf(step: LoadStep, isFirst: boolean, isInRun: boolean): RowTexts {
  const { exchange, endpoint, gap, meanwhile, isPossible, time, phase, ifGone } = step;
  const texts = endpointTextsOf(endpoint);
  return {
    ...texts,
    ...NO_RUN,
    isInRun,
    title: `${texts.title}${untold(ifGone)}${isPossible ? "\nPossibly waited for the step before, not proven" : ""}`,
    key: keyOf([step]),
    exchange,
    exchanges: [exchange],
    name: `${isFirst ? "document" : WAIT_PHASE_NAMES[phase]}${isPossible ? "; possible wait" : ""}${meanwhile === null ? "" : `; in the gap ${meanwhile.method} ${meanwhile.path}`}`,
    hue: HUES[phase],
    gap: gapText(gap),
    gapTitle: meanwhile === null ? "" : `Meanwhile: ${meanwhile.method} ${meanwhile.path}`,
    time: durationText(time),
    length: time,
    ifGone: goneText(ifGone),
    experiment: experimentButtonOf(endpoint, exchange),
  };
}

function runRowOf({ steps, time, gaps, phase, ifGone }: LoadRun, isOpen: boolean): RowTexts {
  const [{ exchange, endpoint, gap }] = steps;
  const texts = endpointTextsOf(endpoint);
  const possible = steps.filter(({ isPossible }) => isPossible).length;
  return {
    ...texts,
    ...({ run: exchange, expanded: isOpen ? "true" : "false", isInRun: false, times: `${steps.length} ×` } as const),
    title: `${steps.length} × ${texts.title}${untold(ifGone)}${possible === 0 ? "" : `\n${possible} possibly waited for the step before, not proven`}`,
    key: keyOf(steps),
    exchange: null,
    exchanges: steps.map((step) => step.exchange),
    name: `${WAIT_PHASE_NAMES[phase]}${possible === 0 ? "" : "; possible waits"}`,
    hue: HUES[phase],
    gap: gaps > 0 ? `${durationText(gap)} + ${durationText(gaps)}` : gapText(gap),
    gapTitle: gaps > 0 ? `${durationText(gap)} ms before the first, ${durationText(gaps)} ms between them` : "",
    time: durationText(time),
    length: time,
    ifGone: goneText(ifGone),
    experiment: experimentButtonOf(endpoint, exchange),
  };
}

function gapText(gap: Milliseconds): string {
  return gap > 0 ? durationText(gap) : NO_FIGURE;
}

function goneText(ifGone: Gain | undefined): string {
  return ifGone === undefined ? NO_FIGURE : soonerText(ifGone);
}

/** A line for a title; "" if the gain was calculated. */
function untold(ifGone: Gain | undefined): string {
  return ifGone === undefined ? "\nCan't tell when the load would end without it" : "";
}

function restRowOf(rest: Milliseconds): RowTexts {
  return {
    ...NO_ENDPOINT,
    ...NO_RUN,
    key: "rest",
    exchange: null,
    exchanges: [],
    name: "requests without a proven link to the document",
    hue: "",
    gap: NO_FIGURE,
    gapTitle: "",
    time: durationText(rest),
    length: rest,
    ifGone: NO_FIGURE,
    experiment: null,
  };
}
