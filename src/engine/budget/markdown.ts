import { visibleText, withoutMentions } from "../interchange/table.ts";
import { countsOf, goneText, sentenceOf, sorted, WORDS } from "./sentences.ts";
import type { Judged, Verdict, VerdictContext } from "./verdict.ts";

/** How many broken verdicts are shown with their evidence. */
const MOST_EXPLAINED = 3;

/**
 * The verdicts as a comment on a pull request: what failed and what is known, accepted or gone; the first three with
 * their evidence; a line for each endpoint that became slower or faster. Kept limits are only counted.
 */
export function markdownOf(all: readonly Judged[], { baseline, notes }: VerdictContext): string {
  const parts = all.map((judged) => `${[...linesOf(judged, baseline)].join("\n")}\n`);
  return [...parts, ...notes.map((note) => `${escapedMarkdown(note)}\n`)].join("\n");
}

function* linesOf(judged: Judged, baseline: string | null): Generator<string> {
  yield `## Budget of ${escapedMarkdown(judged.source)}`;
  yield "";
  const compared = baseline === null ? "" : ` Compared with ${escapedMarkdown(baseline)}.`;
  yield `${countsOf(judged)}${compared}`;
  const shown = sorted(judged.verdicts).filter(({ outcome }) => outcome !== "kept");
  const rows = [
    ...shown.map((verdict) => [wordOf(verdict), sentenceOf(verdict, wordOf(verdict))] as const),
    ...judged.gone.map((one) => ["gone", goneText(one)] as const),
  ];
  if (rows.length > 0) yield* ["", "| verdict | limit or finding |", "|---|---|"];
  for (const [word, sentence] of rows) yield `| ${word} | ${escapedMarkdown(sentence)} |`;
  yield* evidenceLines(shown.filter(({ outcome, evidence }) => outcome === "broken" && evidence.length > 0));
  if (judged.changed.length > 0) yield* ["", "### Endpoints that changed", ""];
  for (const { endpoint, verdict, detail } of judged.changed)
    yield `- ${verdict}: ${escapedMarkdown(`${endpoint}: ${detail}`)}`;
}

function* evidenceLines(broken: readonly Verdict[]): Generator<string> {
  if (broken.length > 0) yield* ["", "### Evidence"];
  for (const { subject, what, detail, evidence } of broken.slice(0, MOST_EXPLAINED)) {
    const title = what === "finding" ? `${subject}: ${detail}` : `${subject}: slower`;
    yield* ["", `**${escapedMarkdown(title)}**`, ""];
    for (const { name, value } of evidence) yield `- ${escapedMarkdown(`${name}: ${value}`)}`;
  }
}

/** "new" or "worse" in place of "broken" where that is known. */
function wordOf({ outcome, change }: Verdict): string {
  return outcome === "broken" && (change === "new" || change === "worse") ? change : WORDS[outcome];
}

function escapedMarkdown(text: string): string {
  return withoutMentions(visibleText(text).replaceAll(/[\\`*_{}[\]<>()#+\-.!|&~]/g, "\\$&"));
}
