import { redactedUrl } from "../interchange/redaction.ts";
import { visibleJson, visibleText } from "../interchange/table.ts";
import type { FindingKind } from "../model/finding.ts";
import { lineOf } from "./json-lines.ts";
import { type SarifResult, sarifOf } from "./sarif.ts";
import type { Verdict, Verdicts } from "./verdict.ts";

/** The verdicts of one session or file. */
export interface Judged extends Verdicts {
  readonly source: string;
  /** The findings of the baseline that do not occur here; empty without a baseline. */
  readonly gone: readonly { readonly kind: FindingKind; readonly summary: string; readonly fingerprint: string }[];
}

export const VERDICT_FORMATS = ["text", "md", "junit", "github", "sarif", "json"] as const;

export type VerdictFormat = (typeof VERDICT_FORMATS)[number];

/** The version and the budget, which some formats need besides the verdicts. */
export interface VerdictContext {
  /** The version of Weir. */
  readonly version: string;
  /** `null` if there is no budget. */
  readonly budget: { readonly file: string; readonly text: string } | null;
  /** The baseline's file or session; `null` without one. */
  readonly baseline: string | null;
  /** Sentences about the check as a whole. */
  readonly notes: readonly string[];
}

/** The verdicts as text, without secrets in the paths of endpoints. */
export function verdictText(judged: readonly Judged[], format: VerdictFormat, context: VerdictContext): string {
  const all = judged.map(redacted);
  switch (format) {
    case "text":
      return all.map(plainText).join("\n") + context.notes.map((note) => `${visibleText(note)}\n`).join("");
    case "md":
      return [...all.map(markdown), ...context.notes.map((note) => `${escapedMarkdown(note)}\n`)].join("\n");
    case "junit":
      return junit(all);
    case "github":
      return all.map(annotations).join("");
    case "sarif":
      return sarifOf(
        all.flatMap((judged) => sarifResults(judged, context)),
        context.version,
      );
    case "json":
      return `${visibleJson(JSON.stringify({ schema: 1, baseline: context.baseline, sources: all, notes: context.notes }, null, 2))}\n`;
  }
}

function redacted({ verdicts, ...judged }: Judged): Judged {
  return { ...judged, verdicts: verdicts.map((one) => ({ ...one, subject: redactedUrl(one.subject) })) };
}

/** A sentence such as "GET https://api.test/orders: p95 412 ms, at most 300 ms (40 requests)". */
function sentenceOf(verdict: Verdict): string {
  const { acceptance, change, fingerprint, outcome, what } = verdict;
  const isNamed = fingerprint !== null && outcome !== "kept" && outcome !== "too-few";
  const isTold = change !== null && what !== "regression" && outcome === "broken";
  const accepted = acceptance === null ? "" : ` (${acceptedText(acceptance, outcome)})`;
  return `${plainSentenceOf(verdict)}${isTold ? ` (${change})` : ""}${visibleText(accepted)}${isNamed ? ` [${fingerprint}]` : ""}`;
}

function acceptedText({ reason, until }: NonNullable<Verdict["acceptance"]>, outcome: Verdict["outcome"]): string {
  const end = until === null ? "" : ` until ${until}${outcome === "broken" ? ", which is over" : ""}`;
  return `accepted${end}: ${reason}`;
}

function plainSentenceOf({ outcome, subject, what, limit, measured, n, detail }: Verdict): string {
  const isLoad = what.startsWith("load ");
  const requests = `${n} ${isLoad ? "load" : "request"}${n === 1 ? "" : "s"}`;
  const most = limit === null ? "" : `at most ${inUnit(what, limit)}`;
  if (what === "finding") {
    if (outcome === "kept" && n === 0)
      return visibleText(`No ${[subject, detail].filter((one) => one !== "").join(" ")}`);
    const cost = measured === null ? "" : ` (${inUnit(what, measured)}, ${most})`;
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
  return `${visibleText(subject)}: ${what} ${inUnit(what, measured ?? 0)}, ${most} (${requests})`;
}

const UNITS: Readonly<Partial<Record<Verdict["what"], string>>> = {
  ...{ p50: " ms", p95: " ms", p99: " ms", "load p95": " ms", finding: " ms" },
  ...{ size: " bytes", "load bytes": " bytes", errors: " %" },
};

function inUnit(what: Verdict["what"], value: number): string {
  return `${Number(value.toFixed(2))}${UNITS[what] ?? ""}`;
}

const WORDS = { kept: "kept", broken: "broken", "too-few": "too few", accepted: "accepted", known: "known" } as const;

/** The longest word of a line in a terminal's list. */
const LONGEST_WORD = Math.max(...Object.values(WORDS).map(({ length }) => length));

function countsOf({ verdicts, unjudged }: Verdicts): string {
  const number = (outcome: Verdict["outcome"]) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const counts = `${number("broken")} broken, ${number("kept")} kept, ${number("too-few")} with too few requests to tell${(
    ["accepted", "known"] as const
  )
    .map((outcome) => (number(outcome) === 0 ? "" : `, ${number(outcome)} ${outcome}`))
    .join("")}`;
  const limits =
    unjudged === 1 ? "1 limit of a rarely requested endpoint" : `${unjudged} limits of rarely requested endpoints`;
  return unjudged === 0 ? `${counts}.` : `${counts}; ${limits} not judged.`;
}

/** Lists broken limits first. Kept limits are only counted. */
function plainText(judged: Judged): string {
  const lines = sorted(judged.verdicts)
    .filter(({ outcome }) => outcome !== "kept")
    .map((verdict) => `  ${WORDS[verdict.outcome].padEnd(LONGEST_WORD)}  ${sentenceOf(verdict)}`);
  lines.push(...judged.gone.map((one) => `  ${"gone".padEnd(LONGEST_WORD)}  ${goneText(one)}`));
  return `${[`${visibleText(judged.source)}: ${countsOf(judged)}`, ...lines].join("\n")}\n`;
}

function goneText({ kind, summary, fingerprint }: Judged["gone"][number]): string {
  return `${visibleText(`${kind}: ${summary}`)} [${fingerprint}]`;
}

function markdown(judged: Judged): string {
  const rows = sorted(judged.verdicts).map(
    (verdict) => `| ${WORDS[verdict.outcome]} | ${escapedMarkdown(sentenceOf(verdict))} |`,
  );
  rows.push(...judged.gone.map((one) => `| gone | ${escapedMarkdown(goneText(one))} |`));
  const head = [
    `## Budget of ${escapedMarkdown(judged.source)}`,
    "",
    countsOf(judged),
    "",
    "| verdict | limit |",
    "|---|---|",
  ];
  return `${[...head, ...rows].join("\n")}\n`;
}

/** JUnit XML for CI servers: broken limits fail, limits without a verdict and accepted findings are skipped. */
function junit(all: readonly Judged[]): string {
  const suites = all.map(({ source, verdicts }) => {
    const number = (outcome: Verdict["outcome"]) => verdicts.filter((verdict) => verdict.outcome === outcome).length;
    const cases = verdicts.map((verdict) => {
      const name = verdict.what === "finding" ? `no ${verdict.subject}` : `${verdict.subject} ${verdict.what}`;
      const message = `message="${escapedXml(sentenceOf(verdict))}"`;
      const inner = {
        kept: "",
        broken: `<failure ${message}/>`,
        "too-few": `<skipped ${message}/>`,
        accepted: `<skipped ${message}/>`,
        known: `<skipped ${message}/>`,
      }[verdict.outcome];
      return `    <testcase classname="weir.budget" name="${escapedXml(name)}">${inner}</testcase>\n`;
    });
    const counts = `tests="${verdicts.length}" failures="${number("broken")}" skipped="${number("too-few") + number("accepted") + number("known")}"`;
    return `  <testsuite name="${escapedXml(source)}" ${counts}>\n${cases.join("")}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`;
}

/** The verdicts, without kept limits, as GitHub's workflow commands: an error for a broken limit, a notice for an accepted finding, else a warning. */
function annotations({ source, verdicts }: Judged): string {
  return sorted(verdicts)
    .filter(({ outcome }) => outcome !== "kept")
    .map((verdict) => {
      const level = GITHUB_LEVELS[verdict.outcome];
      return `::${level} title=Weir budget::${escapedCommand(`${sentenceOf(verdict)} [${source}]`)}\n`;
    })
    .join("");
}

/**
 * One result for each limit that was not kept. A result points to the limit's line in the budget. A regression has no
 * such line, so its result points to the first line of the judged file.
 */
function sarifResults({ source, verdicts }: Judged, { budget }: VerdictContext): readonly SarifResult[] {
  return sorted(verdicts)
    .filter(({ outcome }) => outcome !== "kept")
    .map((verdict) => ({
      rule: verdict.what === "finding" ? verdict.subject : verdict.what,
      level: LEVELS[verdict.outcome],
      message: `${sentenceOf(verdict)} [${visibleText(source)}]`,
      ...(verdict.place === null || budget === null
        ? { file: source, line: 1 }
        : { file: budget.file, line: lineOf(budget.text, verdict.place) }),
    }));
}

const LEVELS = { broken: "error", "too-few": "warning", accepted: "note", known: "note", kept: "note" } as const;
const GITHUB_LEVELS = { ...LEVELS, accepted: "notice", known: "notice", kept: "notice" } as const;

const ORDER = { broken: 0, "too-few": 1, known: 2, accepted: 3, kept: 4 } as const;

function sorted(verdicts: readonly Verdict[]): readonly Verdict[] {
  return verdicts.toSorted((one, other) => ORDER[one.outcome] - ORDER[other.outcome]);
}

function escapedMarkdown(text: string): string {
  return visibleText(text).replaceAll(/[\\`*_{}[\]<>()#+\-.!|&]/g, "\\$&");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapedXml(text: string): string {
  return visibleText(text).replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? "");
}

function escapedCommand(text: string): string {
  return visibleText(text).replaceAll("%", "%25");
}
