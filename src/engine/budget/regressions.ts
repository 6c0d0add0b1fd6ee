import { inMs } from "../insights/findings/text.ts";
import type { CompareFigures, CompareRecord } from "../messages/compare-messages.ts";
import type { EndpointParts } from "../model/endpoint.ts";
import { type Judged, NO_FINDING, type Verdict, type Verdicts } from "./verdict.ts";

/**
 * Judges which endpoints became slower, from a comparison of the baseline (`left`) with the judged session (`right`).
 * Lists the endpoints with a verdict and counts the others. If no endpoint has a verdict, lists all. `fingerprintOf`:
 * of the endpoint's finding of the kind "regression".
 */
export function regressionsOf(
  compared: readonly CompareRecord[],
  fingerprintOf: (endpoint: EndpointParts) => string,
): Verdicts {
  const both = compared
    .filter(({ verdict }) => verdict !== "absent")
    .map((record) => verdictOf(record, fingerprintOf(record)));
  const judged = both.filter(({ outcome }) => outcome !== "too-few");
  if (judged.length > 0)
    return Object.freeze({ verdicts: Object.freeze(judged), unjudged: both.length - judged.length });
  return Object.freeze({ verdicts: Object.freeze(both.length > 0 ? both : [NOTHING_IN_BOTH]), unjudged: 0 });
}

const COMMON = {
  what: "regression",
  limit: null,
  measured: null,
  place: null,
  ...NO_FINDING,
} as const;

const NOTHING_IN_BOTH: Verdict = Object.freeze({
  ...COMMON,
  outcome: "too-few",
  subject: "*",
  n: 0,
  detail: "no endpoint has enough requests here and in the baseline",
});

function verdictOf(record: CompareRecord, fingerprint: string): Verdict {
  const { endpoint, verdict, left, right, samples, note, shown } = record;
  const change = `p50 ${changeOf(left, right, "p50")}, p95 ${changeOf(left, right, "p95")}, ${samples.left} requests before`;
  const outcome = ({ slower: "broken", unknown: "too-few" } as const)[verdict as string] ?? "kept";
  const detail = outcome === "too-few" ? (note ?? change) : [change, shownText(verdict, shown)].join("");
  return Object.freeze({
    ...COMMON,
    outcome,
    subject: endpoint,
    n: samples.right,
    detail,
    fingerprint,
    evidence: evidenceOf(record),
  });
}

/** The endpoints that became slower or faster, the largest changes first as in the comparison. */
export function changedEndpoints(compared: readonly CompareRecord[]): Judged["changed"] {
  return compared.flatMap(({ endpoint, verdict, left, right }) => {
    if (verdict !== "slower" && verdict !== "faster") return [];
    const detail = `p50 ${changeOf(left, right, "p50")}, p95 ${changeOf(left, right, "p95")}`;
    return [{ endpoint, verdict, detail }];
  });
}

function evidenceOf({ left, right, samples }: CompareRecord): Verdict["evidence"] {
  return [
    { name: "p50", value: changeOf(left, right, "p50") },
    { name: "p95", value: changeOf(left, right, "p95") },
    { name: "requests", value: `${samples.left} before, ${samples.right} now` },
  ];
}

/** What the samples could have shown, where they showed nothing. */
function shownText(verdict: CompareRecord["verdict"], shown: number | null): string {
  const isOpen = verdict === "same" || verdict === "same-median";
  return isOpen && shown !== null ? `, ${shown.toFixed(2)}x would have been found` : "";
}

/** A text such as "120 ms → 180 ms"; "?" stands for a missing figure. */
function changeOf(left: CompareFigures | null, right: CompareFigures | null, figure: "p50" | "p95"): string {
  return `${figureText(left?.[figure])} → ${figureText(right?.[figure])}`;
}

function figureText(value: number | null | undefined): string {
  return value === null || value === undefined ? "?" : inMs(value);
}
