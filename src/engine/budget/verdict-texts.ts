import { groupedBy } from "../insights/grouped.ts";
import { redactedUrl } from "../interchange/redaction.ts";
import { visibleJson, visibleText } from "../interchange/table.ts";
import { junitOf } from "./junit.ts";
import { markdownOf } from "./markdown.ts";
import { type SarifResult, sarifOf } from "./sarif.ts";
import { budgetLineOf, countsOf, goneText, hasGrown, sentenceOf, sorted, WORDS } from "./sentences.ts";
import type { Judged, Verdict, VerdictContext } from "./verdict.ts";

export const VERDICT_FORMATS = ["text", "md", "junit", "github", "sarif", "json"] as const;

export type VerdictFormat = (typeof VERDICT_FORMATS)[number];

/** The verdicts as text, without secrets in the paths of endpoints. */
export function verdictText(judged: readonly Judged[], format: VerdictFormat, context: VerdictContext): string {
  const all = judged.map(redacted);
  switch (format) {
    case "text":
      return all.map(plainText).join("\n") + context.notes.map((note) => `${visibleText(note)}\n`).join("");
    case "md":
      return markdownOf(all, context);
    case "junit":
      return junitOf(all);
    case "github":
      return [...all.flatMap((one) => annotations(one, context)), ...context.notes.map(notice)].join("");
    case "sarif":
      return sarifOf(
        all.flatMap((judged) => sarifResults(judged, context)),
        context.version,
      );
    case "json":
      return `${visibleJson(JSON.stringify({ schema: 1, baseline: context.baseline, sources: all, notes: context.notes }, null, 2))}\n`;
  }
}

function redacted({ verdicts, changed, ...judged }: Judged): Judged {
  return {
    ...judged,
    changed: changed.map((one) => ({ ...one, endpoint: redactedUrl(one.endpoint) })),
    verdicts: verdicts.map((one) => ({ ...one, subject: redactedUrl(one.subject) })),
  };
}

/** The longest word of a line in a terminal's list. */
const LONGEST_WORD = Math.max(...Object.values(WORDS).map(({ length }) => length));

/** Lists broken limits first, and a line for each limit of the budget that was kept. */
function plainText(judged: Judged): string {
  const lineFor = (verdict: Verdict, more = "") => {
    const word = WORDS[verdict.outcome];
    return `  ${word.padEnd(LONGEST_WORD)}  ${sentenceOf(verdict, word)}${more}`;
  };
  const lines = sorted(judged.verdicts.filter(({ outcome }) => outcome !== "kept")).map((verdict) => lineFor(verdict));
  const kept = groupedBy(judged.verdicts, ({ outcome, place }) =>
    outcome === "kept" && place !== null ? JSON.stringify(place) : null,
  );
  for (const [closest, ...others] of [...kept.values()].map(closestFirst))
    if (closest !== undefined)
      lines.push(lineFor(closest, others.length === 0 ? "" : `, the closest of ${others.length + 1}`));
  lines.push(...judged.gone.map((one) => `  ${"gone".padEnd(LONGEST_WORD)}  ${goneText(one)}`));
  return `${[`${visibleText(judged.source)}: ${countsOf(judged)}`, ...lines].join("\n")}\n`;
}

/** Verdicts of one limit, the one that came closest to it first. */
function closestFirst(verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.toSorted((one, other) => (other.measured ?? 0) - (one.measured ?? 0));
}

/**
 * The verdicts, without kept limits, and the findings that are gone, as GitHub's workflow commands: an error for a
 * broken limit, a notice for an accepted or known one, else a warning, also if an accepted one grew. Each points to the
 * line of the budget or the accepted file that it is about.
 */
function annotations({ source, verdicts, gone }: Judged, context: VerdictContext): readonly string[] {
  const open = sorted(verdicts).filter(({ outcome }) => outcome !== "kept");
  const lines = open.map((verdict) => {
    const location = budgetLineOf(verdict, context);
    const at = location === null ? "" : `file=${escapedProperty(location.file)},line=${location.line},`;
    const level = hasGrown(verdict) ? "warning" : GITHUB_LEVELS[verdict.outcome];
    return annotation(level, at, `${sentenceOf(verdict)} [${source}]`);
  });
  return [...lines, ...gone.map((one) => notice(`gone: ${goneText(one)} [${source}]`))];
}

function notice(text: string): string {
  return annotation("notice", "", text);
}

function annotation(level: string, at: string, text: string): string {
  return `::${level} ${at}title=Weir budget::${escapedCommand(text)}\n`;
}

const LEVELS = { broken: "error", "too-few": "warning", accepted: "note", known: "note", kept: "note" } as const;
const GITHUB_LEVELS = { ...LEVELS, accepted: "notice", known: "notice", kept: "notice" } as const;
const STATES = { new: "new", worse: "updated", known: "unchanged" } as const;

/**
 * One result for each limit that was not kept, and for each finding that is gone. A result points to the line that it
 * is about in the budget or the accepted file; a regression has none, so it points to the first line of the judged
 * file.
 */
function sarifResults({ source, verdicts, gone }: Judged, context: VerdictContext): readonly SarifResult[] {
  const results = sorted(verdicts)
    .filter(({ outcome }) => outcome !== "kept")
    .map(
      (verdict): SarifResult => ({
        rule: verdict.what === "finding" ? verdict.subject : verdict.what,
        level: LEVELS[verdict.outcome],
        message: `${sentenceOf(verdict)} [${visibleText(source)}]`,
        ...(budgetLineOf(verdict, context) ?? { file: source, line: 1 }),
        fingerprint: verdict.fingerprint,
        limit: `${verdict.what} ${visibleText(verdict.subject)}`,
        state: verdict.change === null ? null : STATES[verdict.change],
        acceptance: verdict.acceptance,
      }),
    );
  const absent = gone.map(
    (one): SarifResult => ({
      rule: one.kind,
      level: "note",
      message: `${goneText(one)} [${visibleText(source)}]`,
      file: source,
      line: 1,
      fingerprint: one.fingerprint,
      limit: "",
      state: "absent",
      acceptance: null,
    }),
  );
  return [...results, ...absent];
}

/** The data of a workflow command; control characters are visible already. */
function escapedCommand(text: string): string {
  return visibleText(text).replaceAll("%", "%25");
}

function escapedProperty(text: string): string {
  return escapedCommand(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
