import { SHOWN_FIRST } from "../insights/findings/ranking.ts";
import { attributeName } from "../insights/findings/slow-when/attribute-text.ts";
import { counted, inBytes, inTime, templateOf } from "../insights/findings/text.ts";
import { whatIfTextsOf, withoutText } from "../insights/what-if/gain-text.ts";
import { clientNameOf } from "../model/client-name.ts";
import { FINDING_KINDS, FINDING_NAMES, type Finding, isUpperBound } from "../model/finding.ts";
import { experimentTextsOf } from "./experiment-report.ts";
import type { SourceReport } from "./source-report.ts";
import { markdownText, visibleText } from "./table.ts";
import { whereTextsOf } from "./where-text.ts";

const LISTED = 12;

/** The columns of a terminal line. */
const WIDTH = 100;

/** A report for a terminal, line by line; control characters in captured text are replaced. */
export function* reportText(report: SourceReport): Generator<string, void, undefined> {
  yield `${headlineOf(report)}\n`;
  const { parts, limits, lists } = whereTextsOf(report.where, report.waiting);
  for (const { text } of parts) yield* paragraph(visibleText(text), "", "   ");
  if (limits !== "") yield* paragraph(visibleText(`Not known from this source: ${limits}`), "", "   ");
  yield* leftOutLines(report);
  yield* whatIfLines(report);
  if (report.findings.length === 0) yield `\n${nothingIn(report)}\n`;
  for (const [index, finding] of report.findings.slice(0, SHOWN_FIRST).entries()) {
    yield `\n${index + 1}. ${titleOf(finding)}\n`;
    yield* paragraph(visibleText(finding.summary));
    yield* paragraph(`What to do: ${visibleText(finding.advice)}`);
    if (finding.loadGain !== undefined) yield* paragraph(`${withoutText(finding.loadGain)}.`);
    for (const { name, value } of finding.evidence)
      yield* paragraph(`${visibleText(name)}: ${visibleText(value)}`, "     ");
    yield* paragraph(`How it was measured: ${visibleText(finding.basis)}`, "     ");
    const where = exchangesOf(finding);
    if (where !== "") yield* paragraph(where, "     ");
  }
  const more = moreText(report);
  if (more !== null) yield `\n${more}\n`;
  for (const { title, items, note } of lists) {
    yield `\n${visibleText(title)}\n`;
    for (const item of items) yield* paragraph(visibleText(item), "   ", "     ");
    if (note !== "") yield* paragraph(visibleText(note), "", "   ");
  }
}

function* whatIfLines(report: SourceReport): Generator<string> {
  for (const { title, items } of requestedTextsOf(report)) {
    yield "\n";
    yield* paragraph(visibleText(title), "", "   ");
    for (const item of items) yield* paragraph(visibleText(item));
  }
}

/** What the user asked about the session: the changes of --what-if, and experiments. */
export function requestedTextsOf({ whatIf, experiments }: SourceReport): readonly ReturnType<typeof whatIfTextsOf>[] {
  const texts = whatIf === undefined ? [] : [whatIfTextsOf(whatIf)];
  return experiments === undefined ? texts : [...texts, experimentTextsOf(experiments)];
}

/** The line in place of the findings after the first ones; `null` if there are no more. */
function moreText({ findings }: SourceReport): string | null {
  const more = findings.length - SHOWN_FIRST;
  return more > 0 ? `${counted(more, "more finding")}: the reports in JSON and HTML list all.` : null;
}

/** The report of `reportText`, in Markdown. */
export function* reportMarkdown(report: SourceReport): Generator<string, void, undefined> {
  yield `# Findings: ${markdownText(report.source)}\n\n${markdownText(headlineOf(report))}\n`;
  const { parts, limits, lists } = whereTextsOf(report.where, report.waiting);
  yield "\n**Where the time went**\n\n";
  for (const { text } of parts) yield `- ${markdownText(text)}\n`;
  if (limits !== "") yield `\n${markdownText(`Not known from this source: ${limits}`)}\n`;
  for (const { title, items } of requestedTextsOf(report)) {
    yield `\n**${markdownText(title)}**\n\n`;
    for (const item of items) yield `- ${markdownText(item)}\n`;
  }
  for (const line of leftOutLines(report)) yield `\n${markdownText(line.trim())}\n`;
  if (report.findings.length === 0) yield `\n${markdownText(nothingIn(report))}\n`;
  for (const [index, finding] of report.findings.slice(0, SHOWN_FIRST).entries())
    yield* findingMarkdown(finding, index + 1);
  const more = moreText(report);
  if (more !== null) yield `\n${markdownText(more)}\n`;
  for (const { title, items, note } of lists) {
    yield `\n**${markdownText(title)}**\n\n`;
    for (const item of items) yield `1. ${markdownText(item)}\n`;
    if (note !== "") yield `\n${markdownText(note)}\n`;
  }
}

/** One finding in Markdown, as in the report. `rank`: the finding's rank, from 1. */
export function* findingMarkdown(finding: Finding, rank: number): Generator<string, void, undefined> {
  yield `\n## ${rank}. ${markdownText(titleOf(finding))}\n\n`;
  yield `${markdownText(finding.summary)}\n\n**What to do:** ${markdownText(finding.advice)}\n\n`;
  if (finding.loadGain !== undefined) yield `${markdownText(`${withoutText(finding.loadGain)}.`)}\n\n`;
  for (const { name, value } of finding.evidence) yield `- ${markdownText(name)}: ${markdownText(value)}\n`;
  yield `- How it was measured: ${markdownText(finding.basis)}\n`;
  const where = exchangesOf(finding);
  if (where !== "") yield `- ${markdownText(where)}\n`;
}

function headlineOf(report: SourceReport): string {
  return visibleText(`${report.source}: ${trafficText(report)}`);
}

/** "12 requests to 3 endpoints by 1 client in 9.0 s; 4.2 s spent waiting for responses." */
export function trafficText({ exchanges, endpoints, clients, duration, waiting }: SourceReport): string {
  const traffic = `${counted(exchanges, "request")} to ${counted(endpoints, "endpoint")} by ${counted(clients, "client")}`;
  return `${traffic} in ${inTime(duration)}; ${inTime(waiting)} spent waiting for responses.`;
}

export function* leftOutLines({ uncounted, leftOut, leftOutCount }: SourceReport): Generator<string, void, undefined> {
  if (uncounted > 0) {
    const reasons =
      "probes, tunnels, and requests that are unfinished, malformed, resent, mocked or from a browser's cache";
    yield `${counted(uncounted, "more request")} not counted: ${reasons}.\n`;
  }
  const [first] = leftOut;
  if (first === undefined) return;
  yield visibleText(`${counted(leftOutCount, "entry", "entries")} left out. Entry ${first.entry}: ${first.reason}`) +
    "\n";
}

export function nothingIn({ exchanges }: SourceReport): string {
  const kinds = FINDING_KINDS.map((kind) => FINDING_NAMES[kind]).join(", ");
  return `Nothing stands out. Checked ${counted(exchanges, "request")} for: ${kinds}.`;
}

export function titleOf(finding: Finding): string {
  const { kind, endpoint, origin, client, attribute, time, bytes, count, confidence } = finding;
  const upTo = isUpperBound(finding) ? "up to " : "";
  const [cost] = [
    ...(time === null ? [] : [`${upTo}${inTime(time)} lost`]),
    ...(bytes === null ? [] : [`up to ${inBytes(bytes)} avoidable`]),
    counted(count, "occurrence"),
  ];
  const scope =
    endpoint === null
      ? [origin, client === null ? null : clientNameOf(client)].filter((part) => part !== null).join(", ")
      : templateOf(endpoint);
  const shared = attribute === null ? "" : `, ${attributeName(attribute)}`;
  return visibleText(`${cost}: ${FINDING_NAMES[kind]}${shared}${scope === "" ? "" : `, ${scope}`} (${confidence})`);
}

/** The numbers of a finding's requests, as in "Requests 3, 5 and 2 more"; "" if there are none. */
export function exchangesOf({ exchanges }: Pick<Finding, "exchanges">): string {
  if (exchanges.length === 0) return "";
  const more = exchanges.length > LISTED ? ` and ${exchanges.length - LISTED} more` : "";
  return `Requests ${exchanges.slice(0, LISTED).join(", ")}${more}`;
}

/** Wraps words into lines of the terminal's width. `hanging`: the indent of all lines but the first. */
export function* paragraph(text: string, indent = "   ", hanging = indent): Generator<string, void, undefined> {
  let line = "";
  let before = indent;
  for (const word of text.split(" ")) {
    if (line !== "" && before.length + line.length + word.length + 1 > WIDTH) {
      yield `${before}${line}\n`;
      before = hanging;
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") yield `${before}${line}\n`;
}
