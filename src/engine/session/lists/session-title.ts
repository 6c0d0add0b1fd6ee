import { clientProgramOf } from "../../model/client-name.ts";
import { hostOf } from "../../model/endpoint.ts";
import type { Bytes } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { clientCountsOf, hostCountsOf, occurringValuesOf } from "./occurring-values.ts";

/** The most characters of a page's title or a host, and of a client's name, in a title. */
const MOST_TITLE = 80;
const MOST_HOST = 60;
const MOST_CLIENT = 30;

/** The most clients that a title names. */
const MOST_CLIENTS = 2;

/**
 * The name that Weir gives a session: the title of its busiest page where its document or a HAR file names it, else the
 * host of its pages, else its busiest host; then its clients: "shop.example.com, Chrome". "" if nothing was captured.
 * Captured text is shortened, and loses control, invisible and direction characters.
 */
export function sessionTitleOf(session: Session): string {
  const title = pageTitleOf(session);
  const host = title ?? busiestOf(pageHostsOf(session)) ?? busiestOf(hostCountsOf(session));
  if (host === null) return "";
  const most = title === null ? MOST_HOST : MOST_TITLE;
  const clients = clientsOf(session);
  const named = clients.slice(0, MOST_CLIENTS).map((client) => plainText(client, MOST_CLIENT));
  const more = clients.length > MOST_CLIENTS ? ` and ${clients.length - MOST_CLIENTS} more` : "";
  return [plainText(host, most), named.join(", ") + more].filter((part) => part !== "").join(", ");
}

/** The title of the busiest page; `null` if there is none, or if it is only the page's URL. */
function pageTitleOf(session: Session): string | null {
  const counts = new Map(occurringValuesOf(session, "page").map(({ value, exchanges }) => [value, exchanges]));
  const title = session.table.describedPages.get(busiestOf(counts) ?? "")?.title ?? "";
  return plainText(title, MOST_TITLE) === "" || /^[a-z][a-z+.-]*:/i.test(title) ? null : title;
}

/** The requests of pages by the page's host. */
function pageHostsOf(session: Session): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { value, exchanges } of occurringValuesOf(session, "page")) {
    const origin = /^https?:\/\/[^/?#]{1,300}/.exec(value)?.[0];
    if (origin !== undefined) add(counts, hostOf(origin), exchanges);
  }
  return counts;
}

/** Names of the session's clients, the busiest first: by User-Agent, else by program. */
function clientsOf(session: Session): readonly string[] {
  const counts = new Map<string, number>();
  for (const [client, exchanges] of clientCountsOf(session)) add(counts, clientProgramOf(client), exchanges);
  counts.delete("");
  if (counts.size === 0) return occurringValuesOf(session, "client").map(({ value }) => value);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

function busiestOf(counts: ReadonlyMap<string, number>): string | null {
  let busiest: string | null = null;
  for (const [name, count] of counts) if (busiest === null || count > (counts.get(busiest) ?? 0)) busiest = name;
  return busiest;
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function plainText(text: string, most: number): string {
  const visible = text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  const characters = Array.from(visible);
  return characters.length <= most ? visible : `${characters.slice(0, most - 1).join("")}…`;
}

/** How far into a document its title is looked for. */
export const TITLE_WITHIN: Bytes = 64 * 1024;

const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };

/** The title of an HTML document as text, with its character references resolved; "" if its beginning has none. */
export function htmlTitleOf(document: Uint8Array): string {
  const title = titleIn(textOf(document.subarray(0, TITLE_WITHIN)));
  return title
    .replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (whole, decimal, hex, name) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0x10_ff_ff ? whole : String.fromCodePoint(code);
    })
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The text of the first title outside a comment; "" without a whole one. A title has no elements (HTML, 13.2.5.2). */
function titleIn(html: string): string {
  const lower = html.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  for (let at = lower.indexOf("<"); at >= 0; ) {
    if (lower.startsWith("<!--", at)) {
      const end = lower.indexOf("-->", at + 4);
      if (end < 0) return "";
      at = end;
    } else if (lower.startsWith("<title", at) && /[\s>]/.test(lower.charAt(at + 6))) {
      const from = lower.indexOf(">", at) + 1;
      const to = from === 0 ? -1 : lower.indexOf("</title", from);
      return to < 0 ? "" : html.slice(from, to);
    }
    at = lower.indexOf("<", at + 1);
  }
  return "";
}

/** UTF-8, else Windows-1252, which pages of older servers mostly are. The last character may be cut. */
function textOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes, { stream: true });
  return text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text;
}
