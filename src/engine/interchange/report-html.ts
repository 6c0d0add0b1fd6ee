import { SHOWN_FIRST } from "../insights/findings/ranking.ts";
import { counted, inMs } from "../insights/findings/text.ts";
import { withoutText } from "../insights/what-if/gain-text.ts";
import type { EndpointStats } from "../messages/latency-messages.ts";
import type { Finding } from "../model/finding.ts";
import { redactedUrl } from "./redaction.ts";
import { askedTextsOf, exchangesOf, headlineOf, leftOutLines, nothingIn, titleOf } from "./report-text.ts";
import type { SourceReport } from "./source-report.ts";
import { visibleText } from "./table.ts";
import { whereTextsOf } from "./where-text.ts";

/** A report with the rows of its latency table, the highest p95 first. */
export interface PageReport {
  readonly report: SourceReport;
  readonly endpoints: readonly EndpointStats[];
}

/** What the page states about itself. */
export interface PageFacts {
  /** The version of Weir. */
  readonly version: string;
  /** The date and time as ISO 8601. */
  readonly madeAt: string;
  readonly redact: boolean;
}

/** The most endpoints shown of one source. */
const MOST_ENDPOINTS = 200;

/**
 * Reports as one self-contained HTML page. It has no script, loads nothing, and a policy forbids both, since it
 * contains captured text.
 */
export function* reportHtml(reports: readonly PageReport[], facts: PageFacts): Generator<string, void, undefined> {
  const named = reports.map(({ report, endpoints }) => ({ report: withoutFolder(report), endpoints }));
  const names = named.map(({ report }) => report.source).join(", ");
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<meta name="viewport" content="width=device-width">\n`;
  yield `<title>${shown(`Findings: ${names}`)}</title>\n<style>\n${STYLE}</style>\n</head>\n<body>\n<main>\n`;
  for (const one of named) yield* sourceHtml(one, facts.redact);
  const secrets = facts.redact
    ? "Cookies, tokens and other secrets that Weir recognized were removed."
    : "Cookies, tokens and other secrets were not removed.";
  yield `</main>\n<footer>Made by Weir ${shown(facts.version)} on ${shown(facts.madeAt)}. ${secrets}</footer>\n`;
  yield "</body>\n</html>\n";
}

/** Removes this computer's folders from the name of the report's source, since pages are sent to others. */
function withoutFolder(report: SourceReport): SourceReport {
  return { ...report, source: report.source.split(/[\\/]/).at(-1) ?? "" };
}

function* sourceHtml({ report, endpoints }: PageReport, redact: boolean): Generator<string, void, undefined> {
  yield `<section>\n<h1>Findings: ${shown(report.source)}</h1>\n<p>${shown(headlineOf(report))}</p>\n`;
  yield* whereHtml(report);
  for (const { title, items } of askedTextsOf(report)) {
    yield `<h2>${shown(title)}</h2>\n<ul>\n${items.map((item) => `<li>${shown(item)}</li>\n`).join("")}</ul>\n`;
  }
  for (const line of leftOutLines(report)) yield `<p class="note">${shown(line.trim())}</p>\n`;
  if (report.findings.length === 0) yield `<p>${shown(nothingIn(report))}</p>\n`;
  else {
    const longest = Math.max(...report.findings.map(({ time }) => time ?? 0));
    yield "<ol>\n";
    for (const finding of report.findings.slice(0, SHOWN_FIRST)) yield findingHtml(finding, longest);
    yield "</ol>\n";
    const rest = report.findings.slice(SHOWN_FIRST);
    if (rest.length > 0) {
      yield `<details>\n<summary>${counted(rest.length, "more finding")}</summary>\n`;
      yield `<ol start="${SHOWN_FIRST + 1}">\n`;
      for (const finding of rest) yield findingHtml(finding, longest);
      yield "</ol>\n</details>\n";
    }
  }
  if (endpoints.length > 0) yield* endpointsHtml(endpoints, redact);
  yield "</section>\n";
}

/** Where the time went: a bar for each part, then the slowest requests and the page loads. */
function* whereHtml({ where, waiting }: SourceReport): Generator<string, void, undefined> {
  const { parts, limits, lists } = whereTextsOf(where, waiting);
  yield "<h2>Where the time went</h2>\n<ul>\n";
  for (const { text, share } of parts)
    yield `<li>${shown(text)}${share > 0 ? svgOf(barOf(0, share * 100)) : ""}</li>\n`;
  yield "</ul>\n";
  if (limits !== "") yield `<p class="note">${shown(`Not known from this source: ${limits}`)}</p>\n`;
  for (const { title, items } of lists) {
    const rows = items.map((item) => `<li>${shown(item)}</li>`).join("\n");
    yield `<details><summary>${shown(title)}</summary>\n<ol>\n${rows}\n</ol></details>\n`;
  }
}

/** One finding as HTML. `longest`: the time for which the bar has its full width. */
function findingHtml(finding: Finding, longest: number): string {
  const { time, summary, advice, evidence, basis, loadGain } = finding;
  const where = exchangesOf(finding);
  const bar = time === null || longest === 0 ? "" : barOf(0, (time / longest) * 100);
  const rows = [
    ...evidence.map(({ name, value }) => `<dt>${shown(name)}</dt><dd>${shown(value)}</dd>`),
    `<dt>How it was measured</dt><dd>${shown(basis)}</dd>`,
    ...(where === "" ? [] : [`<dt>Where</dt><dd>${shown(where)}</dd>`]),
  ];
  return [
    `<li>\n<h2>${shown(titleOf(finding))}</h2>`,
    ...(bar === "" ? [] : [svgOf(bar)]),
    `<p>${shown(summary)}</p>`,
    `<p><b>What to do:</b> ${shown(advice)}</p>`,
    ...(loadGain === undefined ? [] : [`<p>${shown(withoutText(loadGain))}.</p>`]),
    `<details><summary>Evidence</summary><dl>${rows.join("")}</dl></details>\n</li>\n`,
  ].join("\n");
}

/** A bar from `from` to `to` percent of the width. */
function barOf(from: number, to: number): string {
  return `<rect x="${from.toFixed(2)}" width="${Math.max(0.4, to - from).toFixed(2)}" height="4"/>`;
}

/** An image of bars over the whole width. */
function svgOf(bars: string): string {
  return `<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`;
}

function* endpointsHtml(all: readonly EndpointStats[], redact: boolean): Generator<string, void, undefined> {
  const rows = all.slice(0, MOST_ENDPOINTS);
  const scale = scaleOf(rows);
  const more =
    all.length > rows.length
      ? ` The list shows the ${rows.length} of ${all.length} endpoints with the highest p95.`
      : "";
  yield `<h2>Endpoints</h2>\n<p class="note">Latency in ms. The bar runs from p50 to p95; the mark shows p99. All endpoints share one logarithmic scale.${more}</p>\n`;
  yield `<div class="wide"><table>\n<thead><tr><th scope="col">Endpoint</th><th scope="col">Requests</th><th scope="col">p50</th>`;
  yield `<th scope="col">p95</th><th scope="col">p99</th><th scope="col">Errors</th><th scope="col">Spread</th></tr></thead>\n<tbody>\n`;
  for (const row of rows) yield endpointHtml(row, scale, redact);
  yield "</tbody>\n</table></div>\n";
}

function endpointHtml(row: EndpointStats, scale: (value: number) => number, redact: boolean): string {
  const { method, origin, path, operation, requests, p50, p95, p99, errorRate } = row;
  const name = `${method} ${origin}${redact ? redactedUrl(path) : path}${operation === null ? "" : ` · ${operation}`}`;
  const cells = [
    String(requests),
    ...[p50, p95, p99].map((value) => (value === null ? "" : inMs(value).replace(" ms", ""))),
  ];
  const figures = [...cells, `${Number(errorRate.toFixed(1))} %`].map((text) => `<td>${shown(text)}</td>`).join("");
  return `<tr><th scope="row">${shown(name)}</th>${figures}<td>${spreadOf([p50, p95, p99], scale)}</td></tr>\n`;
}

function spreadOf([p50, p95, p99]: readonly (number | null)[], scale: (value: number) => number): string {
  if (p50 === null || p50 === undefined || p95 === null || p95 === undefined || p99 === null || p99 === undefined)
    return "";
  const mark = `<rect class="mark" x="${Math.min(99.4, scale(p99)).toFixed(2)}" width="0.6" height="4"/>`;
  const bar = barOf(scale(p50), scale(p95));
  return svgOf(bar + mark);
}

/** A value's position in percent of the width. The scale is logarithmic, from the least p50 to the greatest p99. */
function scaleOf(rows: readonly EndpointStats[]): (value: number) => number {
  const values = rows.flatMap(({ p50, p99 }) => [p50, p99]).filter((value) => value !== null);
  const least = Math.max(0.1, Math.min(...values));
  const span = Math.log(Math.max(least * 2, ...values) / least);
  return (value) => Math.max(0, Math.min(99, (Math.log(Math.max(least, value) / least) / span) * 100));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Captured text as HTML text or a quoted attribute; control characters are made visible. */
function shown(text: string): string {
  return visibleText(text).replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? "");
}

const STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1a1d21, #e6e8eb);
  background: light-dark(#fff, #17191c); }
body { max-width: 1100px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere; }
h1 { font-size: 22px; margin: 24px 0 4px; } h2 { font-size: 16px; margin: 0 0 4px; } p { margin: 0 0 6px; }
.note, footer, dt { color: light-dark(#5a6270, #a3abb6); } .note, footer { font-size: 13px; }
ol { padding-left: 28px; } li { margin: 20px 0; } li::marker { font-weight: 600; }
svg { display: block; width: 100%; height: 6px; margin: 4px 0 8px; background: light-dark(#eceef1, #262a30); }
rect { fill: light-dark(#b45309, #f59e0b); } rect.mark { fill: light-dark(#1a1d21, #e6e8eb); }
details { font-size: 13px; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 4px 0; }
dd { margin: 0; } section > h2 { margin-top: 32px; } .wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
td, thead th { white-space: nowrap; }
th, td { padding: 4px 10px 4px 0; text-align: right; border-top: 1px solid light-dark(#e3e6ea, #2c3138); }
tbody th { font-weight: 400; } thead th { border-top: 0; } th:first-child { min-width: 240px; }
td:last-child, th:last-child { width: 180px; padding-right: 0; } th:first-child, th:last-child { text-align: left; } footer { margin-top: 40px; }
@media print { details { display: block; } }
`;
