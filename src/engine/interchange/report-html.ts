import { SHOWN_FIRST } from "../insights/findings/ranking.ts";
import { counted, inMs, templateOf } from "../insights/findings/text.ts";
import { withoutText } from "../insights/what-if/gain-text.ts";
import type { Bucket, EndpointStats } from "../messages/latency-messages.ts";
import type { Finding, OperationEndpoint } from "../model/finding.ts";
import { reportTitleOf, sessionLabelOf } from "../model/session-name.ts";
import type { Instant } from "../model/units.ts";
import { shownUrl } from "./redaction.ts";
import { exchangesOf, leftOutLines, nothingIn, requestedTextsOf, titleOf, trafficText } from "./report-text.ts";
import type { SourceReport } from "./source-report.ts";
import { visibleText } from "./table.ts";
import { type TimeBar, type WhereTexts, whereTextsOf } from "./where-text.ts";

/** A report with the rows of its latency table, the highest p95 first. */
export interface PageReport {
  readonly report: SourceReport;
  readonly endpoints: readonly PageEndpoint[];
  /** The session's name and title ("" if it has none) and start; `null` for a file. */
  readonly named: { readonly name: string; readonly title: string; readonly startedAt: Instant } | null;
}

/** A row of the latency table with its histogram. */
export interface PageEndpoint extends EndpointStats {
  readonly histogram: readonly Bucket[];
}

/** What the page states about itself. */
export interface PageFacts {
  readonly version: string;
  /** The date and time as ISO 8601. */
  readonly madeAt: string;
  readonly redact: boolean;
}

const MOST_ENDPOINTS = 200;

/**
 * Reports as one self-contained HTML page. It has no script, loads nothing, and a policy forbids both, since it
 * contains captured text.
 */
export function* reportHtml(reports: readonly PageReport[], facts: PageFacts): Generator<string, void, undefined> {
  const named = reports.map((page, index) => ({
    ...page,
    report: withoutFolder(page.report),
    anchors: `s${index + 1}`,
  }));
  const names = named.map((page) => titleOfPage(page, facts.redact)).join(", ");
  yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`;
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">\n`;
  yield `<meta name="viewport" content="width=device-width">\n`;
  yield `<title>${shown(`Findings: ${names}`)}</title>\n<style>${REPORT_STYLE}</style>\n</head>\n<body>\n<main>\n`;
  for (const page of named) yield* sourceHtml(page, facts.redact);
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

/** The session's label and date, or the file's name. A label may be a pasted URL, so `redact` applies to it as well. */
export function titleOfPage({ report, named }: PageReport, redact: boolean): string {
  if (named === null) return report.source;
  const label = sessionLabelOf(named);
  return reportTitleOf(shownUrl(label, redact), named.startedAt);
}

/** A page's report. `anchors`: what the ids of its rows begin with, since a page may hold several. */
interface Section extends PageReport {
  readonly anchors: string;
}

function* sourceHtml(page: Section, redact: boolean): Generator<string, void, undefined> {
  const { report, endpoints, anchors } = page;
  const rowOf = anchorsOf(page);
  yield `<section>\n<h1>Findings: ${shown(titleOfPage(page, redact))}</h1>\n<p>${shown(trafficText(report))}</p>\n`;
  const where = whereTextsOf(report.where, report.waiting);
  yield* whereHtml(where);
  for (const { title, items } of requestedTextsOf(report)) {
    yield `<h2>${shown(title)}</h2>\n<ul>\n${items.map((item) => `<li>${shown(item)}</li>\n`).join("")}</ul>\n`;
  }
  for (const line of leftOutLines(report)) yield `<p class="note">${shown(line.trim())}</p>\n`;
  yield "<h2>Findings</h2>\n";
  if (report.findings.length === 0) yield `<p>${shown(nothingIn(report))}</p>\n`;
  else {
    const longest = Math.max(...report.findings.map(({ time }) => time ?? 0));
    yield "<ol>\n";
    for (const finding of report.findings.slice(0, SHOWN_FIRST))
      yield findingHtml(finding, longest, rowOf(finding.endpoint));
    yield "</ol>\n";
    const rest = report.findings.slice(SHOWN_FIRST);
    if (rest.length > 0) {
      yield `<details>\n<summary>${counted(rest.length, "more finding")}</summary>\n`;
      yield `<ol start="${SHOWN_FIRST + 1}">\n`;
      for (const finding of rest) yield findingHtml(finding, longest, rowOf(finding.endpoint));
      yield "</ol>\n</details>\n";
    }
  }
  yield* listsHtml(where);
  if (endpoints.length > 0) yield* endpointsHtml(endpoints, anchors, redact);
  yield "</section>\n";
}

/** The anchor of an endpoint's row; "" if it has none. */
function anchorsOf({ endpoints, anchors }: Section): (endpoint: OperationEndpoint | null) => string {
  const rows = new Map(
    endpoints.slice(0, MOST_ENDPOINTS).map((row, index) => [keyOf(row), `${anchors}-e${index + 1}`]),
  );
  return (endpoint) => (endpoint === null ? "" : (rows.get(keyOf(endpoint)) ?? ""));
}

function keyOf({ method, origin, path, operation }: OperationEndpoint): string {
  return JSON.stringify([method, origin, path, operation]);
}

/** Where the time went: one bar of all parts, and each part with a bar in its colour. */
function* whereHtml({ parts, limits }: WhereTexts): Generator<string, void, undefined> {
  yield "<h2>Where the time went</h2>\n";
  yield pictureOf(parts);
  yield "<ul>\n";
  for (const [index, { text, share }] of parts.entries())
    yield `<li>${shown(text)}${share > 0 ? svgOf(barOf(0, share * 100, `p${index}`)) : ""}</li>\n`;
  yield "</ul>\n";
  if (limits !== "") yield `<p class="note">${shown(`Not known from this source: ${limits}`)}</p>\n`;
}

/** The slowest requests and the page loads. */
function* listsHtml({ lists }: WhereTexts): Generator<string, void, undefined> {
  for (const { title, items, bars = [], note } of lists) {
    const rows = items.map((item, index) => `<li>${shown(item)}${timeBarOf(bars[index])}</li>`).join("\n");
    yield `<h2>${shown(title)}</h2>\n<ol class="steps">\n${rows}\n</ol>\n`;
    if (note !== "") yield `<p class="note">${shown(note)}</p>\n`;
  }
}

/** One bar for all waiting, with a piece for each part that has a share. */
function pictureOf(parts: readonly { readonly text: string; readonly share: number }[]): string {
  let left = 0;
  const pieces = parts.flatMap(({ text, share }, index) => {
    if (share <= 0) return [];
    const piece = `<rect class="p${index}" x="${(left * 100).toFixed(2)}" width="${Math.max(0.2, share * 100 - 0.2).toFixed(2)}" height="10"><title>${shown(text)}</title></rect>`;
    left += share;
    return [piece];
  });
  if (pieces.length === 0) return "";
  return `<svg class="picture" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="The shares of all waiting">${pieces.join("")}</svg>\n`;
}

/** A bar at its place in the time of the whole. */
function timeBarOf(bar: TimeBar | undefined): string {
  return bar === undefined ? "" : svgOf(barOf(bar.from * 100, bar.to * 100, bar.isGap ? "gap" : ""));
}

/** One finding as HTML. `longest`: the time for which the bar has its full width. `row`: the anchor of its endpoint. */
function findingHtml(finding: Finding, longest: number, row: string): string {
  const { time, summary, advice, evidence, basis, loadGain } = finding;
  const where = exchangesOf(finding);
  const bar = time === null || longest === 0 ? "" : barOf(0, (time / longest) * 100);
  const rows = [
    ...evidence.map(({ name, value }) => `<dt>${shown(name)}</dt><dd>${shown(value)}</dd>`),
    `<dt>How it was measured</dt><dd>${shown(basis)}</dd>`,
    ...(where === "" ? [] : [`<dt>Where</dt><dd>${shown(where)}</dd>`]),
    ...(row === "" ? [] : [`<dt>Endpoint</dt><dd><a href="#${row}">its percentiles and histogram</a></dd>`]),
  ];
  return [
    `<li>\n<h3>${shown(titleOf(finding))}</h3>`,
    ...(bar === "" ? [] : [svgOf(bar)]),
    `<p>${shown(summary)}</p>`,
    `<p><b>What to do:</b> ${shown(advice)}</p>`,
    ...(loadGain === undefined ? [] : [`<p>${shown(withoutText(loadGain))}.</p>`]),
    `<details><summary>Evidence</summary><dl>${rows.join("")}</dl></details>\n</li>\n`,
  ].join("\n");
}

/** A bar from `from` to `to` percent of the width. `kind`: its class, if it has a colour of its own. */
function barOf(from: number, to: number, kind = ""): string {
  return `<rect${kind === "" ? "" : ` class="${kind}"`} x="${from.toFixed(2)}" width="${Math.max(0.4, to - from).toFixed(2)}" height="4"/>`;
}

/** An image of bars over the whole width. */
function svgOf(bars: string): string {
  return `<svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>`;
}

function* endpointsHtml(
  all: readonly PageEndpoint[],
  anchors: string,
  redact: boolean,
): Generator<string, void, undefined> {
  const rows = all.slice(0, MOST_ENDPOINTS);
  const scale = scaleOf(rows);
  const more =
    all.length > rows.length
      ? ` The list shows the ${rows.length} of ${all.length} endpoints with the highest p95.`
      : "";
  yield `<h2>Endpoints</h2>\n<p class="note">Latency in ms. The bar runs from p50 to p95; the mark shows p99. All endpoints share one logarithmic scale.${more}</p>\n`;
  yield `<div class="wide"><table>\n<thead><tr><th scope="col">Endpoint</th><th scope="col">Requests</th><th scope="col">p50</th>`;
  yield `<th scope="col">p95</th><th scope="col">p99</th><th scope="col">Errors</th><th scope="col">Histogram</th><th scope="col">Spread</th></tr></thead>\n<tbody>\n`;
  for (const [index, row] of rows.entries()) yield endpointHtml(row, `${anchors}-e${index + 1}`, scale, redact);
  yield "</tbody>\n</table></div>\n";
}

function endpointHtml(row: PageEndpoint, id: string, scale: (value: number) => number, redact: boolean): string {
  const { method, origin, path, operation, requests, p50, p95, p99, errorRate } = row;
  const name = templateOf({ method, origin, path: shownUrl(path, redact), operation });
  const cells = [
    String(requests),
    ...[p50, p95, p99].map((value) => (value === null ? "" : inMs(value).replace(" ms", ""))),
  ];
  const figures = [...cells, `${Number(errorRate.toFixed(1))} %`].map((text) => `<td>${shown(text)}</td>`).join("");
  return `<tr id="${id}"><th scope="row">${shown(name)}</th>${figures}<td>${histogramHtml(row.histogram)}</td><td>${spreadOf([p50, p95, p99], scale)}</td></tr>\n`;
}

/** A bar for each bucket, as high as its share of the fullest one. */
function histogramHtml(buckets: readonly Bucket[]): string {
  const most = Math.max(...buckets.map(({ count }) => count), 1);
  const bars = buckets.map(({ lo, hi, count }, index) => {
    const height = (count / most) * 10;
    const range = hi === null ? `${lo} ms and more` : `${lo} to ${hi} ms`;
    return `<rect x="${index}" y="${(10 - height).toFixed(2)}" width="0.9" height="${height.toFixed(2)}"><title>${range}: ${counted(count, "request")}</title></rect>`;
  });
  if (bars.length === 0) return "";
  return `<svg class="histogram" viewBox="0 0 ${bars.length} 10" preserveAspectRatio="none" role="img" aria-label="Requests by latency">${bars.join("")}</svg>`;
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

/** The text of the page's `style` element. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; color: light-dark(#1a1d21, #e6e8eb);
  background: light-dark(#fff, #17191c); }
body { max-width: 1100px; margin: 0 auto; padding: 24px 16px; overflow-wrap: anywhere; }
h1 { font-size: 22px; margin: 24px 0 4px; } h2 { font-size: 18px; margin: 32px 0 4px; }
h3 { font-size: 15px; margin: 16px 0 4px; } li > h3 { margin-top: 0; } p { margin: 0 0 6px; }
.note, footer, dt { color: light-dark(#5a6270, #a3abb6); } .note, footer { font-size: 13px; }
ol { padding-left: 28px; } li { margin: 20px 0; } li::marker { font-weight: 600; }
ol.steps li { margin: 4px 0; } ol.steps li::marker { font-weight: 400; }
svg { display: block; width: 100%; height: 6px; margin: 4px 0 8px; background: light-dark(#eceef1, #262a30); }
rect { fill: light-dark(#b45309, #f59e0b); } rect.mark { fill: light-dark(#1a1d21, #e6e8eb); }
details { font-size: 13px; } dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 4px 0; }
dd { margin: 0; } .wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
td, thead th { white-space: nowrap; }
th, td { padding: 4px 10px 4px 0; text-align: right; border-top: 1px solid light-dark(#e3e6ea, #2c3138); }
tbody th { font-weight: 400; } thead th { border-top: 0; } th:first-child { min-width: 240px; }
td:last-child, th:last-child { width: 180px; padding-right: 0; } th:first-child, th:last-child { text-align: left; } footer { margin-top: 40px; }
a { color: light-dark(#1d4ed8, #93b4fb); } tr:target { background: light-dark(#fef3c7, #3f3414); }
svg.picture { height: 22px; } svg.histogram { width: 110px; height: 22px; margin: 0; background: none; }
rect.gap { fill: light-dark(#c3c9d1, #4b525c); }
rect.p0 { fill: #b45309; } rect.p1 { fill: #0f766e; } rect.p2 { fill: #4f46e5; } rect.p3 { fill: #be185d; } rect.p4 { fill: #64748b; } rect.p5 { fill: #4d7c0f; }
@page { size: A4; margin: 14mm; }
@media print {
  :root { color-scheme: light; font-size: 12px; } body { max-width: none; padding: 0; }
  tr, dl, svg, p, .steps li { break-inside: avoid; } h1, h2, h3, summary { break-after: avoid; } thead { display: table-header-group; }
  .wide { overflow: visible; } details::details-content { content-visibility: visible; display: block; }
}
`;
