import { countsText, overallText, reasonText, uncertainText, verdictText } from "../insights/comparison-text.ts";
import type { FindingChanges, KnownFinding } from "../insights/findings/finding-changes.ts";
import { counted, inBytes, inMs, inPercent, inTime, templateOf } from "../insights/findings/text.ts";
import type {
  ChangeList,
  CompareFigures,
  CompareRecord,
  CompareVerdict,
  Comparison,
} from "../messages/compare-messages.ts";
import type { Finding } from "../model/finding.ts";
import type { Bytes, Milliseconds } from "../model/units.ts";
import { paragraph, titleOf } from "./report-text.ts";
import { markdownText, visibleText } from "./table.ts";

/** One of the two compared sources, with its totals. */
export interface ComparedSource {
  /** The file's path as given, or the session's id. */
  readonly source: string;
  /** What the session is called; "" if it has no name. */
  readonly label: string;
  readonly requests: number;
  readonly errors: number;
  /** Bytes of bodies, as transferred. */
  readonly bytes: Bytes;
  /** Of all latencies; `null` if there are none. */
  readonly p50: Milliseconds | null;
  readonly p95: Milliseconds | null;
  readonly waiting: Milliseconds;
  /** Whether Weir slowed some of it on purpose, so that its latencies are not the program's. */
  readonly slowed: boolean;
}

/** How an endpoint's figures changed; `before` or `now` is `null` if it has too few requests there. */
export type ComparedEndpoint = Pick<
  CompareRecord,
  "method" | "origin" | "path" | "operation" | "verdict" | "note" | "shown"
> & {
  readonly before: CompareFigures | null;
  readonly now: CompareFigures | null;
  /** The number of latencies that were compared. */
  readonly samples: { readonly before: number; readonly now: number };
  /** The number of latencies that were left out because they are too uncertain. */
  readonly uncertain: { readonly before: number; readonly now: number };
};

/** An endpoint, and its number of requests before and now. */
export interface RareEndpoint {
  readonly endpoint: string;
  readonly before: number;
  readonly now: number;
}

/** How the duration of a page's loads changed. */
export interface ComparedLoads {
  /** The endpoint of the document. */
  readonly page: string;
  readonly verdict: CompareVerdict;
  /** As in `CompareRecord`. */
  readonly note: string | null;
  readonly before: { readonly loads: number; readonly p50: Milliseconds };
  readonly now: { readonly loads: number; readonly p50: Milliseconds };
}

/** Two recordings or files, compared as in the window's Compare, and their findings. */
export interface ComparisonReport extends Comparison {
  readonly schema: 1;
  readonly before: ComparedSource;
  readonly now: ComparedSource;
  /** Whether it became slower, in one sentence. */
  readonly summary: string;
  /** What became slower or faster comes first, the most time lost before the rest. */
  readonly endpoints: readonly ComparedEndpoint[];
  /** The endpoints with fewer than five requests on both sides, which have no percentiles. */
  readonly rare: readonly RareEndpoint[];
  /** The pages that were loaded in both, by name. */
  readonly loads: readonly ComparedLoads[];
  readonly findings: FindingChanges;
}

/** The most endpoints, and the most findings of a list, in text and Markdown. */
const LISTED = 30;

/** The comparison for a terminal, line by line. */
export function* comparisonText(report: ComparisonReport): Generator<string, void, undefined> {
  for (const line of headLines(report)) yield* paragraph(visibleText(line), "", "   ");
  yield "\nTotals\n";
  for (const { name, before, now } of totalsOf(report)) yield `   ${name}: ${before} → ${now}\n`;
  const { listed, more } = listedOf(report.endpoints);
  if (listed.length > 0) yield "\nEndpoints\n";
  for (const endpoint of listed)
    yield* paragraph(
      visibleText(`${wordOf(endpoint)}: ${templateOf(endpoint)}, ${figuresText(endpoint)}`),
      "   ",
      "      ",
    );
  if (more !== null) yield `   ${more}\n`;
  if (report.rare.length > 0) yield* paragraph(visibleText(rareText(report.rare)), "   ", "      ");
  for (const { title, items } of changeListsOf(report)) {
    yield `\n${title}\n`;
    for (const item of items) yield* paragraph(visibleText(item), "   ", "      ");
  }
}

/** The comparison of `comparisonText`, in Markdown. */
export function* comparisonMarkdown(report: ComparisonReport): Generator<string, void, undefined> {
  const [title = "", ...lines] = headLines(report);
  yield `# Comparison: ${markdownText(title)}\n`;
  for (const line of lines) yield `\n${markdownText(line)}\n`;
  yield "\n| total | before | now |\n| --- | --- | --- |\n";
  for (const { name, before, now } of totalsOf(report)) yield `| ${name} | ${before} | ${now} |\n`;
  const { listed, more } = listedOf(report.endpoints);
  if (listed.length > 0) yield "\n| latency | endpoint | figures |\n| --- | --- | --- |\n";
  for (const endpoint of listed) {
    const cells = [wordOf(endpoint), templateOf(endpoint), figuresText(endpoint)];
    yield `| ${cells.map(markdownText).join(" | ")} |\n`;
  }
  if (more !== null) yield `\n${more}\n`;
  if (report.rare.length > 0) yield `\n${markdownText(rareText(report.rare))}\n`;
  for (const { title: list, items } of changeListsOf(report)) {
    yield `\n## ${list}\n\n`;
    for (const item of items) yield `- ${markdownText(item)}\n`;
  }
}

/** Whether the later source is slower, in one sentence; if nothing can be compared, this says so. */
export function summaryOf({ overall, endpoints }: Pick<ComparisonReport, "overall" | "endpoints">): string {
  if (overall !== null) return overallText(overall);
  return isAnyCommon(endpoints) ? "No endpoint has latencies in both, so they cannot be compared." : NOTHING_COMMON;
}

const NOTHING_COMMON = "No endpoint has at least five requests in both, so there are no latencies to compare.";

function isAnyCommon(endpoints: ComparisonReport["endpoints"]): boolean {
  return endpoints.some(({ before, now }) => before !== null && now !== null);
}

/** The title, the summary, the number of each verdict, and what limits the comparison. */
function headLines({ before, now, summary, counts, endpoints }: ComparisonReport): readonly string[] {
  const slowed = [before, now].filter((side) => side.slowed).map(({ source }) => source);
  const limit = `Slowed on purpose, so its latencies are not the program's: ${slowed.join(", ")}.`;
  return [
    `${nameOf(before)} → ${nameOf(now)}`,
    summary,
    ...(isAnyCommon(endpoints) ? [`${countsText(counts)}.`] : []),
    ...(slowed.length === 0 ? [] : [limit]),
  ];
}

function nameOf({ source, label }: ComparedSource): string {
  return label === "" ? source : `${source} (${label})`;
}

/** Without percentiles of all requests, which change with the share of each endpoint although none became slower. */
function totalsOf({ before, now }: ComparisonReport) {
  const rows: readonly (readonly [name: string, textOf: (side: ComparedSource) => string])[] = [
    ["requests", ({ requests }) => String(requests)],
    ["errors", ({ errors, requests }) => `${errors} (${inPercent(requests === 0 ? 0 : errors / requests)})`],
    ["waiting of all requests, overlaps once", ({ waiting }) => inTime(waiting)],
    ["transferred", ({ bytes }) => inBytes(bytes)],
  ];
  return rows.map(([name, textOf]) => ({ name, before: textOf(before), now: textOf(now) }));
}

function listedOf(endpoints: readonly ComparedEndpoint[]) {
  const more = endpoints.length - LISTED;
  return {
    listed: endpoints.slice(0, LISTED),
    more: more > 0 ? `${counted(more, "more endpoint")}: the comparison in JSON lists all.` : null,
  };
}

/** "2 endpoints with fewer than 5 requests: GET https://api.test/a (3 → 1), GET https://api.test/b (0 → 2)" */
function rareText(rare: ComparisonReport["rare"]): string {
  const names = rare.slice(0, LISTED).map(({ endpoint, before, now }) => `${endpoint} (${before} → ${now})`);
  const rest = rare.length > LISTED ? [`${rare.length - LISTED} more`] : [];
  return `${counted(rare.length, "endpoint")} with fewer than 5 requests: ${[...names, ...rest].join(", ")}`;
}

function wordOf({ verdict, note, before, now }: ComparedEndpoint): string {
  return verdictText({ verdict, note, left: before, right: now });
}

/** "p50 120 ms → 180 ms, p95 300 ms → 420 ms (n = 60, 58)", and why the data cannot tell. */
function figuresText({ before, now, samples, uncertain, verdict, note, shown }: ComparedEndpoint): string {
  const figures = (["p50", "p95"] as const).map((figure) => {
    const texts = [before, now].filter((side) => side !== null).map((side) => msOrNone(side[figure]));
    return `${figure} ${texts.join(" → ")}`;
  });
  const isOpen = verdict === "same" || verdict === "same-median";
  const found = isOpen && shown !== null ? `; ${shown.toFixed(2)}x would have been found` : "";
  const n = [before === null ? [] : samples.before, now === null ? [] : samples.now].flat();
  const leftOut = uncertainText({ left: uncertain.before, right: uncertain.now });
  const more = [leftOut, reasonText(note)].filter((text) => text !== "").map((text) => `; ${text}`);
  return `${figures.join(", ")} (n = ${n.join(", ")}${more.join("")}${found})`;
}

function msOrNone(time: Milliseconds | null): string {
  return time === null ? "none" : inMs(time);
}

/** What changed besides the endpoints: page loads and findings, in sentences. The window shows the same lists. */
export function changeListsOf({
  loads,
  findings,
}: Pick<ComparisonReport, "loads" | "findings">): readonly ChangeList[] {
  const { added, gone, worse, better, same } = findings;
  const changed = ({ before, now }: KnownFinding) => `${titleOf(now)}; before: ${costOf(before)}. ${now.summary}`;
  const lists = [
    { name: "Page loads", items: loads.map(loadsText) },
    { name: "New findings", items: added.map((finding) => `${titleOf(finding)}. ${finding.summary}`) },
    { name: "Findings that became worse", items: worse.map(changed) },
    { name: "Findings that became better", items: better.map(changed) },
    { name: "Findings that are gone", items: gone.map((finding) => `${titleOf(finding)}.`) },
    { name: "Findings in both, without a change that a test shows", items: same.map(({ now }) => `${titleOf(now)}.`) },
  ];
  return lists
    .filter(({ items }) => items.length > 0)
    .map(({ name, items }) => {
      const more = items.length - LISTED;
      const rest = more > 0 ? [`${more} more: weir compare --format json lists all.`] : [];
      return { title: `${name}: ${items.length}`, items: [...items.slice(0, LISTED), ...rest] };
    });
}

/** "slower: GET https://api.test/shop, p50 120 ms → 180 ms (n = 12, 7)", and why the data cannot tell. */
function loadsText({ page, verdict, note, before, now }: ComparedLoads): string {
  const reason = note === null ? "" : `; ${reasonText(note)}`;
  const word = verdictText({ verdict, note, left: null, right: null });
  return `${word}: ${page}, p50 ${inMs(before.p50)} → ${inMs(now.p50)} (n = ${before.loads}, ${now.loads}${reason})`;
}

function costOf({ time, bytes, count }: Finding): string {
  if (time !== null) return inTime(time);
  return bytes === null ? counted(count, "occurrence") : inBytes(bytes);
}
