import { counted, inBytes, inMs } from "../insights/findings/text.ts";
import { clientNameOf } from "../model/client-name.ts";
import type { Finding } from "../model/finding.ts";
import { FINDING_KINDS, FINDING_NAMES, isUpperBound } from "../model/finding.ts";
import type { SourceReport } from "./source-report.ts";
import { markdownText, visibleText } from "./table.ts";

/** Default; not from a specification: the most exchanges of a finding that a report lists. */
const LISTED = 12;

/** Default; not from a specification: the columns of a terminal line. */
const WIDTH = 100;

/** A report for a terminal, line by line; control characters in captured text are replaced. */
export function* reportText(report: SourceReport): Generator<string, void, undefined> {
  yield `${headlineOf(report)}\n`;
  yield* leftOutLines(report);
  if (report.findings.length === 0) return yield `\n${nothingIn(report)}\n`;
  for (const [index, finding] of report.findings.entries()) {
    yield `\n${index + 1}. ${titleOf(finding)}\n`;
    yield* paragraph(visibleText(finding.summary));
    yield* paragraph(`What to do: ${visibleText(finding.advice)}`);
    for (const { name, value } of finding.evidence)
      yield* paragraph(`${visibleText(name)}: ${visibleText(value)}`, "     ");
    yield* paragraph(`How it was measured: ${visibleText(finding.basis)}`, "     ");
    const where = exchangesOf(finding);
    if (where !== "") yield* paragraph(where, "     ");
  }
}

/** The report of `reportText`, in Markdown. */
export function* reportMarkdown(report: SourceReport): Generator<string, void, undefined> {
  yield `# Findings: ${markdownText(report.source)}\n\n${markdownText(headlineOf(report))}\n`;
  for (const line of leftOutLines(report)) yield `\n${markdownText(line.trim())}\n`;
  if (report.findings.length === 0) return yield `\n${markdownText(nothingIn(report))}\n`;
  for (const [index, finding] of report.findings.entries()) yield* findingMarkdown(finding, index + 1);
}

/** One finding in Markdown, as in the report. `place`: the finding's rank, from 1. */
export function* findingMarkdown(finding: Finding, place: number): Generator<string, void, undefined> {
  yield `\n## ${place}. ${markdownText(titleOf(finding))}\n\n`;
  yield `${markdownText(finding.summary)}\n\n**What to do:** ${markdownText(finding.advice)}\n\n`;
  for (const { name, value } of finding.evidence) yield `- ${markdownText(name)}: ${markdownText(value)}\n`;
  yield `- How it was measured: ${markdownText(finding.basis)}\n`;
  const where = exchangesOf(finding);
  if (where !== "") yield `- ${markdownText(where)}\n`;
}

export function headlineOf({ source, exchanges, endpoints, clients, duration, waiting }: SourceReport): string {
  const traffic = `${counted(exchanges, "request")} to ${counted(endpoints, "endpoint")} by ${counted(clients, "client")}`;
  return visibleText(
    `${source}: ${traffic} in ${lengthOf(duration)}; ${lengthOf(waiting)} spent waiting for responses.`,
  );
}

export function* leftOutLines({ uncounted, leftOut, leftOutCount }: SourceReport): Generator<string, void, undefined> {
  if (uncounted > 0) {
    const reasons = "probes, tunnels, and requests that are unfinished, malformed, resent or from a browser's cache";
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
    ...(time === null ? [] : [`${upTo}${lengthOf(time)} lost`]),
    ...(bytes === null ? [] : [`up to ${inBytes(bytes)} avoidable`]),
    counted(count, "occurrence"),
  ];
  const place =
    endpoint === null
      ? [origin, client === null ? null : clientNameOf(client)].filter((part) => part !== null).join(", ")
      : `${endpoint.method} ${endpoint.origin}${endpoint.path}${endpoint.operation === null ? "" : ` · ${endpoint.operation}`}`;
  const shared = attribute === null ? "" : `, ${attribute.name} ${attribute.value}`;
  return visibleText(`${cost}: ${FINDING_NAMES[kind]}${shared}${place === "" ? "" : `, ${place}`} (${confidence})`);
}

/** The numbers of a finding's requests, as in "Requests 3, 5 and 2 more"; "" if there are none. */
export function exchangesOf({ exchanges, numbers = exchanges }: Pick<Finding, "exchanges" | "numbers">): string {
  if (numbers.length === 0) return "";
  const more = numbers.length > LISTED ? ` and ${numbers.length - LISTED} more` : "";
  return `Requests ${numbers.slice(0, LISTED).join(", ")}${more}`;
}

/** "840 ms", "41.2 s", "5 min 58 s". */
function lengthOf(length: number): string {
  if (length < 999.5) return inMs(length);
  if (length < 59_950) return `${(length / 1_000).toFixed(1)} s`;
  const seconds = Math.round(length / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Wraps words into lines of the terminal's width. */
function* paragraph(text: string, indent = "   "): Generator<string, void, undefined> {
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + word.length + 1 > WIDTH) {
      yield `${indent}${line}\n`;
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") yield `${indent}${line}\n`;
}
