import { TAGS } from "../../../engine/model/exchange.ts";
import { MARKS } from "../../../engine/model/remark.ts";
import { wordAtEnd } from "./filter-terms.ts";

/** A way to go on in the filter box. */
export interface FilterHint {
  /** Takes the place of the word at the draft's end. */
  readonly word: string;
  /** What it finds. */
  readonly note: string;
}

/** decisions.md, Traffic view, and engine/session/filter.ts. What ends in a sign waits for a value. */
const HINTS: readonly FilterHint[] = Object.freeze([
  { word: "status:", note: "a status such as 404, or a class such as 5xx" },
  { word: "dur>", note: "took, or failed after, more than so many ms; also dur<, dur>=2s" },
  { word: "latency>", note: "the same of whole responses alone: no failures" },
  { word: "size>", note: "a larger response than so many bytes; also size<, size>100k" },
  { word: "method:", note: "this method" },
  { word: "host:", note: "a part of the host" },
  { word: "under:", note: "this host and path, and all below it: under:api.test/v1" },
  { word: "type:", note: "a part of the media type, such as json" },
  { word: "client:", note: "a part of the client's program, address or User-Agent" },
  { word: "protocol:", note: "what the client spoke: h2, http/1.1" },
  { word: "connection:", note: "over this connection to a server, by its number" },
  { word: "endpoint:", note: 'one endpoint: "GET https://api.test/users"' },
  { word: "slow:", note: "over its endpoint’s p95, or the fixed limit" },
  { word: "error:", note: "failed, or status 400 and up" },
  { word: "oversized:", note: "far larger than its endpoint's other responses" },
  { word: "ws:", note: "WebSockets" },
  { word: "tag:", note: "tagged so by Weir" },
  { word: "mark:", note: "marked by you; mark:star: with a star" },
  { word: "comment:", note: "commented; comment:retry: with this text" },
]);

/** Values that are offered once their key stands there. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "status:": ["2xx", "3xx", "4xx", "5xx"],
  "method:": ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
  "type:": ["json", "html", "javascript", "css", "image", "font", "text"],
  "protocol:": ["h2", "http/1.1", "http/1.0"],
  "tag:": TAGS,
  "mark:": MARKS,
};

/** Our choice: hosts that are offered. */
const MOST_HOSTS = 8;

/** What may stand at the draft's end; for an empty word all there is. `hosts`: most used first. */
export function hintsFor(draft: string, hosts: readonly string[]): readonly FilterHint[] {
  const word = wordAtEnd(draft).toLowerCase();
  const key = /^[a-z]+:/.exec(word)?.[0] ?? "";
  const value = word.slice(key.length);
  const values = key === "host:" ? hosts : VALUES[key];
  if (values === undefined)
    return Object.freeze(HINTS.filter((hint) => hint.word.startsWith(word) && hint.word !== word));
  const fitting = values.filter((each) => each.toLowerCase().includes(value) && each.toLowerCase() !== value);
  return Object.freeze(
    fitting.slice(0, key === "host:" ? MOST_HOSTS : undefined).map((each) => ({ word: key + each, note: "" })),
  );
}

/** The draft with the hint in place; a finished term is followed by a space. */
export function withHint(draft: string, { word }: FilterHint): string {
  const start = draft.slice(0, draft.length - wordAtEnd(draft).length);
  const waits = /[:>]$/.test(word) && !/^(slow|error|oversized|ws):$/.test(word);
  return `${start}${word}${waits ? "" : " "}`;
}
