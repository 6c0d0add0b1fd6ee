import { counted, inMs, inPercent, inTime, quoted } from "../insights/findings/text.ts";
import { groupedBy } from "../insights/grouped.ts";
import { soonerText } from "../insights/what-if/gain-text.ts";
import { type LoadRun, loadRunsOf } from "../insights/where/step-runs.ts";
import { endpointKeyOf, hostOf } from "../model/endpoint.ts";
import type { OperationEndpoint } from "../model/finding.ts";
import {
  type PageLoad,
  SET_UP_PHASES,
  type SlowestRequest,
  WAIT_PHASE_NAMES,
  type WaitPart,
  type WaitPhase,
  type Where,
} from "../model/where.ts";

/** The most parts, page loads, steps of a load, and times of like loads that a report lists. The rest is summed up. */
const MOST_PARTS = 5;
const MOST_LOADS = 3;
const MOST_STEPS = 20;
const MOST_TIMES = 10;

/** What a report says about where the time went. It contains captured text. */
export interface WhereTexts {
  /** The parts of the waiting, or the reason why there is none. `share`: of all waiting, 0 to 1. */
  readonly parts: readonly { readonly text: string; readonly share: number }[];
  /** What the source cannot tell; "" if nothing is known to be missing. */
  readonly limits: string;
  /**
   * `bars`: for each item its part of the list's time, of a page load; absent if the list has none. `note`: what is no
   * item, but below the list; "" if nothing.
   */
  readonly lists: readonly {
    readonly title: string;
    readonly items: readonly string[];
    readonly bars?: readonly TimeBar[];
    readonly note: string;
  }[];
}

/** A part of a time, from 0 to 1. */
export interface TimeBar {
  readonly from: number;
  readonly to: number;
  /** Whether it is no request. */
  readonly isGap: boolean;
}

/** `waiting`: all waiting of the session, which includes the time until streams began. */
export function whereTextsOf(where: Where, waiting: number): WhereTexts {
  const name = namesIn(where);
  const slowest = where.slowest.map((request) => slowestText(request, name));
  const loads = [...where.loads].sort((one, other) => other.duration - one.duration);
  const kinds = [...groupedBy(loads, kindOf).values()];
  return {
    parts: partTexts(where, waiting, name),
    limits: where.limits.join(" "),
    lists: [
      ...(slowest.length === 0 ? [] : [{ title: "The slowest requests", items: slowest, note: "" }]),
      ...kinds.slice(0, MOST_LOADS).flatMap(([load, ...like], index) => {
        if (load === undefined) return [];
        const steps = stepsOf(load, name);
        const others = index + 1 === MOST_LOADS ? othersText(kinds.slice(MOST_LOADS).flat()) : "";
        return {
          title: loadTitle(load, name),
          items: steps.map(({ text }) => text),
          bars: steps.map(({ bar }) => bar),
          note: [likeText(like), others].filter((text) => text !== "").join("; "),
        };
      }),
    ],
  };
}

/** Names an endpoint in a sentence. */
type NameOf = (endpoint: OperationEndpoint) => string;

/** Names endpoints by method and path, with the host if the report is about several hosts. */
function namesIn({ parts, slowest, loads }: Where): NameOf {
  const named = [...parts, ...slowest, ...loads.flatMap(({ path }) => path)].map(({ endpoint }) => endpoint);
  const isOneHost = new Set(named.map(({ origin }) => origin)).size <= 1;
  return ({ method, origin, path, operation }) =>
    quoted(`${method} ${isOneHost ? "" : hostOf(origin)}${path}${operation === null ? "" : ` · ${operation}`}`);
}

function partTexts(where: Where, all: number, name: NameOf): WhereTexts["parts"] {
  const { waiting, parts } = where;
  const untilStreams = all - waiting;
  const streams =
    untilStreams > 0 ? [{ text: `${inTime(untilStreams)} more passed until streams began.`, share: 0 }] : [];
  if (waiting === 0) return [{ text: "No client waited for a response that has an end.", share: 0 }, ...streams];
  const shown = parts.length <= MOST_PARTS + 1 ? parts : parts.slice(0, MOST_PARTS);
  const whole = inTime(waiting);
  const texts = shown.map((part, index) => {
    const of = index === 0 ? ` of ${whole}` : "";
    return { text: `${shareText(part.share)}${of}: ${partText(part, name)}`, share: part.share };
  });
  const rest = parts.slice(shown.length);
  if (rest.length > 0) {
    const time = rest.reduce((sum, part) => sum + part.time, 0);
    const share = time / waiting;
    texts.push({ text: `${shareText(share)}: ${rest.length} smaller parts (${inTime(time)})`, share });
  }
  return [...texts, ...streams];
}

/** "98 %". A share that is neither nothing nor all is not rounded to 0 or 100. */
function shareText(share: number): string {
  if (share < 1 && share >= 0.995) return "> 99 %";
  return share < 0.0005 ? "< 0.1 %" : inPercent(share);
}

/** "the server of GET /api/recommendations (12.0 s in 1 request)" */
function partText({ endpoint, phase, time, requests }: WaitPart, name: NameOf): string {
  return `${PARTS[phase]} ${name(endpoint)} (${inTime(time)} in ${counted(requests, "request")})`;
}

/** What a part of the waiting was spent on, before the name of its endpoint. */
const PARTS: Readonly<Record<WaitPhase, string>> = {
  dns: "DNS before",
  connect: "connecting before",
  tls: "TLS before",
  upload: "the upload of",
  ttfb: "the server of",
  transfer: "the body of",
  queued: "queueing before",
  browser: "waiting in the browser before",
  weir: "Weir itself in",
  slowed: "the conditions set for",
  held: "the experiment with",
  other: "no known phase of",
};

/** "7,400 ms GET /api/recommendations (request 12): server 7,398 ms, usually 40 ms" */
function slowestText(
  { exchange, endpoint, latency, phase, phaseTime, usual, usualOf }: SlowestRequest,
  name: NameOf,
): string {
  const isUsual = usualOf === "endpoint" || SET_UP_PHASES.has(phase);
  const others = isUsual ? "usually" : "other requests of the origin";
  const beside = usual === null ? "" : `, ${others} ${inMs(usual)}`;
  return `${inMs(latency)} ${name(endpoint)} (request ${exchange}): ${WAIT_PHASE_NAMES[phase]} ${inMs(phaseTime)}${beside}`;
}

/** Loads are alike if their document is the same, and the step that took the most time. */
function kindOf({ path }: PageLoad): string {
  const [document] = path;
  const [costliest] = loadRunsOf(path).toSorted((one, other) => other.time - one.time);
  return [document, costliest?.steps[0]]
    .map((step) => (step === undefined ? "" : endpointKeyOf(step.endpoint)))
    .join("\n");
}

/** "2 more loads like this one: 590 ms, 571 ms": the other loads of a kind, the longest first; "" if there are none. */
function likeText(loads: readonly PageLoad[]): string {
  if (loads.length === 0) return "";
  const times = loads.slice(0, MOST_TIMES).map(({ duration }) => inTime(duration));
  const more = loads.length > MOST_TIMES ? ", and the others less" : "";
  return `${counted(loads.length, "more load")} like this one: ${times.join(", ")}${more}`;
}

/** "3 other loads: at most 120 ms each": the loads whose steps are not listed; "" if there are none. */
function othersText(loads: readonly PageLoad[]): string {
  if (loads.length === 0) return "";
  const longest = inTime(Math.max(...loads.map(({ duration }) => duration)));
  return `${counted(loads.length, "other load")}: ${loads.length === 1 ? longest : `at most ${longest} each`}`;
}

function loadTitle({ path, duration }: PageLoad, name: NameOf): string {
  const [document] = path;
  const subject = document === undefined ? "" : ` ${name(document.endpoint)}`;
  return `Page load${subject}, ${inTime(duration)}`;
}

/** The steps of a page load's critical path, and the time after its last step. */
function stepsOf(
  { path, duration }: PageLoad,
  name: NameOf,
): readonly { readonly text: string; readonly bar: TimeBar }[] {
  const steps: { readonly text: string; readonly bar: TimeBar }[] = [];
  let at = 0;
  const add = (length: number, isGap: boolean, text: string) => {
    const from = at / Math.max(1, duration);
    at += length;
    steps.push({ text, bar: { from, to: at / Math.max(1, duration), isGap } });
  };
  const runs = loadRunsOf(path);
  for (const run of runs.slice(0, MOST_STEPS)) {
    const [{ gap, meanwhile }] = run.steps;
    const beside = meanwhile === null ? "" : `, meanwhile ${name(meanwhile)}`;
    if (gap > 0) add(gap, true, `${inMs(gap)} until the next step began${beside}`);
    add(run.time + run.gaps, false, runText(run, name));
  }
  const more = runs.slice(MOST_STEPS);
  if (more.length > 0)
    add(
      more.reduce((sum, { steps: [{ gap }], gaps, time }) => sum + gap + gaps + time, 0),
      false,
      `${more.reduce((sum, run) => sum + run.steps.length, 0)} more steps`,
    );
  const after = duration - at;
  if (after >= 1)
    add(after, true, `${inMs(after)} more until the load ended: requests without a proven link to the document`);
  return steps;
}

/**
 * "190 ms GET /api/items: mostly server", "1,008 ms 10 × GET /api/items/{id}, and 12 ms between them: mostly server"
 */
function runText({ steps, time, gaps, phase, ifGone }: LoadRun, name: NameOf): string {
  const [{ endpoint, isPossible }] = steps;
  const mostly = `mostly ${WAIT_PHASE_NAMES[phase]}`;
  const what = steps.length > 1 ? "them" : "it";
  const gain = ifGone === undefined ? "" : `; without ${what}, the load would end ${soonerText(ifGone)}`;
  if (steps.length > 1) {
    const between = gaps > 0 ? `, and ${inMs(gaps)} between them` : "";
    const possible = steps.filter((step) => step.isPossible).length;
    const wait = possible === 0 ? "" : `, ${possible} of which possibly waited for the step before`;
    return `${inMs(time)} ${steps.length} × ${name(endpoint)}${between}${wait}: ${mostly}${gain}`;
  }
  const wait = isPossible ? ", which possibly waited for the step before" : "";
  return `${inMs(time)} ${name(endpoint)}${wait}: ${mostly}${gain}`;
}
