import { inBytes, inMs, inPercent } from "../insights/findings/text.ts";
import { visibleText } from "../interchange/table.ts";
import { lineOf } from "./json-lines.ts";
import type { Acceptance, CheckedFile, Judged, Verdict, VerdictContext, Verdicts } from "./verdict.ts";

/**
 * A sentence such as "GET https://api.test/orders: p95 412 ms, at most 300 ms (40 requests) (worse)". `word`: what
 * stands before it, so that it is not said twice.
 */
export function sentenceOf(verdict: Verdict, word = ""): string {
  const { acceptance, change, fingerprint, outcome, what } = verdict;
  const isNamed = fingerprint !== null && outcome !== "kept" && outcome !== "too-few";
  const isOpen = (outcome === "broken" && what !== "regression") || outcome === "known";
  const isTold = isOpen && change !== null && change !== word;
  const accepted = acceptance === null ? "" : ` (${acceptedText(acceptance)})`;
  return `${plainSentenceOf(verdict)}${isTold ? ` (${change})` : ""}${visibleText(accepted)}${isNamed ? ` [${fingerprint}]` : ""}`;
}

function acceptedText({ reason, until, expired, grew }: Acceptance): string {
  const end = until === null ? "" : ` until ${until}${expired ? ", which is over" : ""}`;
  const growth = grew === null ? "" : `, but grew from ${grew.from} to ${grew.to}`;
  return `accepted${end}${growth}: ${reason}`;
}

function plainSentenceOf({ outcome, subject, what, limit, measured, n, detail }: Verdict): string {
  const isLoad = what.startsWith("load ");
  const requests = `${n} ${isLoad ? "load" : "request"}${n === 1 ? "" : "s"}`;
  const isOfLargest = isLoad && what !== "load p95" && n > 1;
  const most = limit === null ? "" : `at most ${inUnit(what, limit, measured)}`;
  if (what === "finding") {
    if (outcome === "kept" && n === 0)
      return visibleText(`No ${[subject, detail].filter((one) => one !== "").join(" ")}`);
    const cost = measured === null ? "" : ` (${inUnit(what, measured, limit)}, ${most})`;
    return visibleText(`${subject}: ${detail}${cost}`);
  }
  if (what === "regression") {
    if (outcome === "too-few")
      return `${visibleText(subject)}: regression, no verdict from ${requests} (${visibleText(detail)})`;
    return `${visibleText(subject)}: ${outcome === "kept" ? "not slower" : "slower"}, ${visibleText(detail)} (${n} now)`;
  }
  if (what === "requests")
    return `Only ${requests}${detail === "" ? "" : ` ${detail}`}, at least ${limit} needed; did the run bypass the proxy?`;
  if (outcome === "too-few")
    return `${visibleText(subject)}: ${what}, ${most}, no verdict from ${requests} (${detail})`;
  return `${visibleText(subject)}: ${what} ${inUnit(what, measured ?? 0, limit)}, ${most} (${isOfLargest ? "the largest of " : ""}${requests})`;
}

const TIME = { format: inMs, unit: " ms" } as const;
const SIZE = { format: inBytes, unit: " bytes" } as const;
const SHARE = { format: (percent: number) => inPercent(percent / 100), unit: " %" } as const;

const UNITS: Readonly<Partial<Record<Verdict["what"], { format(value: number): string; readonly unit: string }>>> = {
  p50: TIME,
  p95: TIME,
  p99: TIME,
  "load p95": TIME,
  finding: TIME,
  size: SIZE,
  "load bytes": SIZE,
  errors: SHARE,
};

/** A figure as the window shows it; exact if `other`, the figure beside it, differs and would be the same text. */
function inUnit(what: Verdict["what"], value: number, other: number | null): string {
  const exact = `${Number(value.toFixed(2))}`;
  const known = UNITS[what];
  if (known === undefined) return exact;
  const textOf = (one: number) => known.format(one).replace(".0 ", " ");
  const isSameText = other !== null && other !== value && textOf(other) === textOf(value);
  return isSameText ? `${exact}${known.unit}` : known.format(value);
}

/** The word for each outcome in a list. */
export const WORDS = {
  kept: "kept",
  broken: "broken",
  "too-few": "too few",
  accepted: "accepted",
  known: "known",
} as const;

/** A sentence such as "1 broken, 2 kept, 0 with too few requests to tell, 3 accepted (1 grew)." */
export function countsOf({ verdicts, unjudged }: Verdicts): string {
  const number = (outcome: Verdict["outcome"]) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const grew = verdicts.filter(hasGrown).length;
  const [accepted, known] = [number("accepted"), number("known")];
  const counts = [
    `${number("broken")} broken, ${number("kept")} kept, ${number("too-few")} with too few requests to tell`,
    ...(accepted === 0 ? [] : [`${accepted} accepted${grew === 0 ? "" : ` (${grew} grew)`}`]),
    ...(known === 0 ? [] : [`${known} known`]),
  ].join(", ");
  const limits =
    unjudged === 1 ? "1 limit of a rarely requested endpoint" : `${unjudged} limits of rarely requested endpoints`;
  return unjudged === 0 ? `${counts}.` : `${counts}; ${limits} not judged.`;
}

/** Whether it is accepted, and became worse since. */
export function hasGrown({ outcome, acceptance }: Verdict): boolean {
  return outcome === "accepted" && acceptance !== null && acceptance.grew !== null;
}

/** A finding of the baseline that is gone, in words. */
export function goneText({ kind, summary, fingerprint }: Judged["gone"][number]): string {
  return `${visibleText(`${kind}: ${summary}`)} [${fingerprint}]`;
}

const ORDER = { broken: 0, "too-few": 1, known: 3, accepted: 4, kept: 5 } as const;

/** The verdicts, broken ones first, then those without a verdict, then accepted ones that grew. */
export function sorted(verdicts: readonly Verdict[]): readonly Verdict[] {
  const rankOf = (verdict: Verdict) => (hasGrown(verdict) ? 2 : ORDER[verdict.outcome]);
  return verdicts.toSorted((one, other) => rankOf(one) - rankOf(other));
}

/**
 * The line, from 1, of the budget's limit that the verdict is about; of the accepted file, if its entry has expired or
 * was outgrown; `null` if neither file names it.
 */
export function budgetLineOf(
  { place: path, outcome, acceptance, fingerprint }: Verdict,
  { budget, accepted }: Pick<VerdictContext, "budget" | "accepted">,
): { readonly file: string; readonly line: number } | null {
  if (acceptance !== null && outcome === "broken" && accepted !== null)
    return { file: accepted.file, line: lineWith(accepted, String(fingerprint)) };
  return path === null || budget === null ? null : { file: budget.file, line: lineOf(budget.text, path) };
}

function lineWith({ text }: CheckedFile, word: string): number {
  return text.slice(0, Math.max(0, text.indexOf(word))).split("\n").length;
}
