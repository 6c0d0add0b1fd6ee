import type { ExchangeFacts } from "../exchange-facts.ts";
import { fieldIn, valuesIn } from "../facts/field-values.ts";
import { takeJsonValues } from "./json-values.ts";
import { resolvedUrl, resolverAt } from "./resolved-url.ts";

/** The most URLs kept of one response. */
const MOST_URLS = 2_000;

/** A URL that a response named. */
export interface NamedUrl {
  /** Absolute, without fragment. */
  readonly url: string;
  readonly by: NamedBy;
}

/**
 * How a response names a URL: as a `part` that a browser fetches (a style sheet, a script, a picture), as an `import`
 * that a module needs before it runs, in a `text` that a script may fetch, as a `link` that a person may follow, or as
 * the `base` of further URLs on another origin.
 */
type NamedBy = "part" | "import" | "text" | "link" | "base";

/** The most files kept of one response. */
const MOST_FILES = 2_000;

/** The name of the file at the end of a path; "" if the path ends with a slash. */
export function fileOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The names of files in a script or in JSON, where the path before them may be put together by the script. */
export function filesIn({ responseFields }: ExchangeFacts, body: string): readonly string[] {
  if (body === "") return [];
  const type = fieldIn(responseFields, "content-type") ?? "";
  if (!/javascript|ecmascript|json|html/i.test(type)) return [];
  const files = new Set<string>();
  for (const { index, 0: extension } of body.matchAll(/\.[a-z\d]{2,5}(?=["'`?#])/gi)) {
    if (files.size >= MOST_FILES) break;
    const from = beginOfName(body, index);
    const length = index - from;
    if (length >= SHORTEST_STEM && length <= LONGEST_STEM && body[from] !== ".")
      files.add(body.slice(from, index + extension.length));
  }
  return [...files];
}

/** The lengths of a file's name without its extension. */
const SHORTEST_STEM = 3;
const LONGEST_STEM = 127;

/** The index of the first sign of the name that ends before `end`; searches no further than for a name too long. */
function beginOfName(text: string, end: number): number {
  let from = end;
  while (from > 0 && end - from <= LONGEST_STEM && isNameSign(text.charCodeAt(from - 1))) from -= 1;
  return from;
}

/** Whether the character is a letter, a digit, `_`, `-` or `.`. */
function isNameSign(sign: number): boolean {
  const lower = sign | 0x20;
  return (
    (lower >= 0x61 && lower <= 0x7a) ||
    (sign >= 0x30 && sign <= 0x39) ||
    sign === 0x5f ||
    sign === 0x2d ||
    sign === 0x2e
  );
}

/** What the scripts in a response's markup do: nothing if there are none, or run, or also send requests. */
export type OwnScripts = "none" | "run" | "send";

export function ownScriptsOf({ exchange }: ExchangeFacts, body: string): OwnScripts {
  if (!/html/i.test(exchange.contentType ?? "")) return "none";
  const own = scriptsIn(body).filter(({ attributes }) => !/\bsrc\s*=/i.test(attributes));
  if (own.some(({ text }) => SENDING.test(text))) return "send";
  return own.length > 0 ? "run" : "none";
}

/** No `import()`: what that requests is named, and the module then sends further requests. */
const SENDING = /\bfetch\s*\(|\bXMLHttpRequest\b/;

/** The script elements of a page; each ends at the next end tag (HTML, 13.2.5.4). */
function scriptsIn(html: string): readonly { readonly attributes: string; readonly text: string }[] {
  const [opening, closing] = [/<script\b([^<>]*)>/gi, /<\/script/gi];
  const scripts = [];
  for (let tag = opening.exec(html); tag !== null; tag = opening.exec(html)) {
    closing.lastIndex = opening.lastIndex;
    const end = closing.exec(html)?.index ?? html.length;
    scripts.push({ attributes: tag[1] ?? "", text: html.slice(opening.lastIndex, end) });
    opening.lastIndex = end;
  }
  return scripts;
}

/**
 * The URLs in a response's body (HTML, CSS, scripts, JSON, XML, playlists) and in its Link headers. If the response is
 * no redirect, also those in its Location headers.
 */
export function namedUrlsOf(
  { exchange, responseFields }: ExchangeFacts,
  url: string,
  body: string,
): readonly NamedUrl[] {
  if (body === "" && !responseFields.some(({ name }) => name === "link" || LOCATIONS.includes(name))) return [];
  const named = new Map<string, NamedUrl>();
  const type = fieldIn(responseFields, "content-type") ?? "";
  const base = /html/i.test(type) ? (resolvedUrl(url, baseIn(body)) ?? url) : url;
  const own = withoutQuery(url);
  const resolved = resolverAt(base);
  const add = (reference: string, by: NamedBy) => {
    if (reference.length > 2_048 || named.size >= MOST_URLS) return;
    const found = resolved(reference.replaceAll("&amp;", "&"));
    // The response's own URL, with or without its query, and the front page of a site prove nothing.
    if (by === "base" && found !== null && !found.startsWith(originOf(url))) {
      named.set(found, { url: found, by });
      return;
    }
    if (found === null || found === url || found === own || by === "base") return;
    if (!isFetched(by) && /^https?:\/\/[^/]+\/$/.test(found)) return;
    if (isFetched(by) || !named.has(found)) named.set(found, { url: found, by });
  };
  for (const value of valuesIn(responseFields, "link"))
    for (const [, reference = "", parameters = ""] of value.matchAll(/<([^<>]{1,2048})>([^<]*)/g))
      add(reference, isFetchedRelation(parameters) ? "part" : "text");
  const isRedirect = exchange.outcome?.kind === "responded" && Math.floor(exchange.outcome.status / 100) === 3;
  for (const name of LOCATIONS) for (const value of valuesIn(responseFields, name)) if (!isRedirect) add(value, "text");
  takeReferences(body, type, add);
  return [...named.values()];
}

const LOCATIONS: readonly string[] = ["location", "content-location", "operation-location"];

function withoutQuery(url: string): string {
  return url.replace(/\?.*/s, "");
}

function originOf(url: string): string {
  return /^[a-z]+:\/\/[^/]+\//.exec(url)?.[0] ?? url;
}

/** Whether a client fetches every URL that is named in this way. */
export function isFetched(by: NamedBy): boolean {
  return by === "part" || by === "import";
}

type TakeReference = (reference: string, by: NamedBy) => void;

function takeReferences(body: string, type: string, take: TakeReference): void {
  if (/mpegurl/i.test(type)) takePlaylistReferences(body, take);
  else if (/html/i.test(type)) {
    takeTagReferences(body, take);
    takeStyleReferences(body, take);
    for (const { attributes, text } of scriptsIn(body)) {
      takeTextReferences(text, take);
      if (!/json/i.test(attributes)) takeScriptReferences(text, take);
    }
  } else if (/css/i.test(type)) takeStyleReferences(body, take);
  else if (/javascript|ecmascript/i.test(type)) takeScriptReferences(body, take);
  else if (/xml/i.test(type)) takeMarkupReferences(body, take);
  else if (/json/i.test(type) || /^\s*[[{]/.test(body)) takeTextReferences(body, take);
}

function takeTagReferences(html: string, take: TakeReference): void {
  for (const [, tag = "", attributes = "", end] of html.matchAll(TAG)) {
    const name = tag.toLowerCase();
    if (name === "base" || end === "") continue;
    const isLink = LINKING.has(name) || (name === "link" && !isFetchedRelation(attributes));
    for (const [, attribute = "", double, single, bare] of attributes.matchAll(URL_ATTRIBUTE)) {
      const value = (double ?? single ?? bare ?? "").trim();
      if (/srcset$/i.test(attribute))
        for (const candidate of value.split(/,\s+/)) take(candidate.trim().split(/\s/)[0] ?? "", "part");
      else if (value !== "") take(value, isLink ? "link" : byAttribute(attribute));
    }
    if (name === "meta") {
      const [, refresh] = /content\s*=\s*(?:["']\s*)?\d+\s*;\s*url=([^"'>\s]+)/i.exec(attributes) ?? [];
      if (refresh !== undefined) take(refresh, "part");
    }
  }
}

/** Pages fetch what these attributes name; what the others name, a person or a script may ask for. */
function byAttribute(name: string): NamedBy {
  if (/^(?:src|href|data|poster|xlink:href|data-src)$/i.test(name)) return "part";
  return /^data-/i.test(name) ? "text" : "link";
}

/**
 * Matches a tag: its name, its attributes, and the closing bracket if there is one. A quoted value ends at the next
 * quote of the same kind; without such a quote, it has no end (HTML, 13.2.5).
 */
const TAG = /<([a-z][\w-]*)((?:[^<>=]|=\s*(?:"[^"]*"?|'[^']*'?)?)*)(>?)/gi;

const URL_ATTRIBUTE =
  /(?:^|\s)(src|href|srcset|imagesrcset|data|poster|action|formaction|xlink:href|data-src|data-href|data-url)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

const LINKING: ReadonlySet<string> = new Set([
  "a",
  "area",
  "form",
  "button",
  "input",
  "option",
  "li",
  "div",
  "span",
  "tr",
  "td",
]);

/** Whether a link has a relation for which a browser fetches its URL (HTML, 4.6.7). */
function isFetchedRelation(parameters: string): boolean {
  return [...parameters.matchAll(/\brel\s*=\s*["']?([^"';]*)/gi)].some(([, relations = ""]) =>
    /\b(?:stylesheet|preload|modulepreload|prefetch|prerender|icon|manifest)\b/i.test(relations),
  );
}

function takeStyleReferences(css: string, take: TakeReference): void {
  const reference =
    /url\(\s*(?:"([^"]{1,2048})"|'([^']{1,2048})'|([^\s"'()]{1,2048}))\s*\)|@import\s+(?:"([^"]{1,2048})"|'([^']{1,2048})')/gi;
  for (const [, double, single, bare, one, other] of css.matchAll(reference))
    take(double ?? single ?? bare ?? one ?? other ?? "", "part");
}

/** References in a script: modules that it imports before it runs or while it runs, and strings that look like URLs. */
function takeScriptReferences(script: string, take: TakeReference): void {
  for (const [, later, module = ""] of script.matchAll(
    /(?:\bfrom|\bimport)\s*(\(\s*)?["'`](\.{0,2}\/[^"'`\s]{1,2048}|https?:[^"'`\s]{1,2048})["'`]/g,
  ))
    take(module, later === undefined ? "import" : "part");
  for (const [, text = ""] of script.matchAll(/["'`]((?:https?:)?\/[^"'`\s<>\\]{2,2048})["'`]/g)) take(text, "text");
}

/** References in other text: strings that are absolute URLs or absolute paths. */
function takeTextReferences(text: string, take: TakeReference): void {
  const takeValue = (reference: string, member: string) => {
    if (BASE_NAME.test(member) && /^https?:\/\/[^/\s?#]+(?:\/[^\s?#]*)?$/i.test(reference)) take(reference, "base");
    if (/^(?:https?:\/\/[^/\s]|\/[^/\s]|\/\/[\w.-]+\.[a-z]{2,}\/)[^\s<>"]*$/i.test(reference)) take(reference, "text");
  };
  takeJsonValues(text, takeValue, (_, from) => "hH/\\".includes(text.charAt(from)));
}

/** Conventional names of members that configure where an API or files are, such as `apiBase` or `uploadHost`. */
const BASE_NAME = /(?:base|api|host|origin|server|endpoint|gateway|backend)(?:_?ur[il]|_?path|_?root)?$/i;

function takeMarkupReferences(xml: string, take: TakeReference): void {
  for (const [, quoted, between] of xml.matchAll(
    /=\s{0,8}"(https?:[^"<>\s]{1,2048})"|>\s{0,64}(https?:[^<>\s]{1,2048})\s{0,64}</gi,
  ))
    take(quoted ?? between ?? "", "text");
}

/** The URLs in a playlist: the lines without #, and the URLs in some tags (RFC 8216, 4.1). */
function takePlaylistReferences(text: string, take: TakeReference): void {
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith("#")) {
      if (line.trim() !== "") take(line.trim(), "part");
      continue;
    }
    for (const [, uri = ""] of line.matchAll(/\bURI="([^"]{1,2048})"/g)) take(uri, "part");
  }
}

function baseIn(html: string): string {
  return /<base\b[^<>]*\shref\s*=\s*["']?([^"'\s>]+)/i.exec(html.slice(0, 16_384))?.[1] ?? "";
}
