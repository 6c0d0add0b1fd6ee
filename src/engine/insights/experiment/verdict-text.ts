import type { ExperimentVerdict, LaterStart, SlopeEstimate } from "../../model/experiment.ts";

/** What an experiment found, in one to three sentences. `unit`: what was timed, such as "load" or "walk". */
export function verdictText(verdict: ExperimentVerdict, unit: string): string {
  return [foundText(verdict, unit), ...leftOutTexts(verdict.leftOut, unit)].join(" ");
}

function foundText({ kind, estimate, needed, shifts, units }: ExperimentVerdict, unit: string): string {
  const count = countText(units, unit);
  if (estimate === null || kind === "unknown") return unknownText(estimate, count, needed);
  const figures = `${slopeText(estimate)}, ${count}`;
  switch (kind) {
    case "on-path":
      return `On the critical path: ${figures}.`;
    case "not-on-path":
      return `Nothing waits for it, with delays up to ${shifts.at(-1)?.level ?? 0} ms: ${figures}.`;
    case "partly":
      return `Partly on the critical path: ${figures}. That is as if ${shareText(estimate)} of the ${unit}s waited for it.`;
  }
}

/** "Left out: 2 loads not timed, 1 that was reloaded." */
function leftOutTexts(leftOut: ExperimentVerdict["leftOut"], unit: string): readonly string[] {
  const reasons: readonly (readonly [number, string, string])[] = [
    [leftOut.failed, "not timed", "not timed"],
    [leftOut.reloaded, "that was reloaded", "that were reloaded"],
    [leftOut["other-traffic"], "beside other traffic", "beside other traffic"],
    [leftOut.unfinished, "in an unfinished block", "in an unfinished block"],
  ];
  const parts = reasons
    .filter(([count]) => count > 0)
    .map(([count, one, many], index) => `${index === 0 ? countText(count, unit) : count} ${count === 1 ? one : many}`);
  return parts.length === 0 ? [] : [`Left out: ${parts.join(", ")}.`];
}

/** What an experiment found about a later request, as evidence of a link. `unit`: as in `verdictText`. */
export function laterStartText({ kind, estimate, units }: LaterStart, unit: string): string {
  const figures = estimate === null ? "" : `: ${slopeText(estimate)}`;
  const count = countText(units, unit);
  switch (kind) {
    case "follows":
      return `starts later by the delay${figures}, ${count}`;
    case "independent":
      return `starts no later with the delay, ${count}`;
    case "unknown":
      return `can't tell, ${count}`;
  }
}

function unknownText(estimate: SlopeEstimate | null, count: string, needed: number | null): string {
  const figures = estimate === null ? "" : ` So far ${slopeText(estimate)}.`;
  return `Can't tell: ${count}, about ${needed} needed.${figures}`;
}

/** "each ms costs 0.97 ms, 0.84 to 1.10" */
function slopeText({ slope, low, high }: SlopeEstimate): string {
  return `each ms costs ${figureOf(slope)} ms, ${figureOf(low)} to ${figureOf(high)}`;
}

function countText(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** "40 to 60 %" */
function shareText({ low, high }: SlopeEstimate): string {
  const percent = (share: number) => Math.round(100 * Math.min(1, Math.max(0, share)));
  return `${percent(low)} to ${percent(high)} %`;
}

function figureOf(value: number): string {
  const text = Math.abs(value).toFixed(2);
  return value < 0 && text !== "0.00" ? `−${text}` : text;
}
