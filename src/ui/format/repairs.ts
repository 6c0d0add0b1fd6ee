import type { Repair } from "../../engine/model/exchange.ts";

const TEXTS: Readonly<Record<Repair, string>> = {
  "repaired:blank-before-colon": "blank before a colon",
  "repaired:folded-line": "folded header line",
  "repaired:repeated-length": "the same Content-Length repeated",
  "repaired:length-beside-chunked": "Content-Length beside chunked",
  "repaired:transfer-encoding": "Transfer-Encoding",
  "repaired:bare-line-feed": "bare line feed",
  "repaired:chunk-size": "blanks around a chunk size",
  "repaired:status-line": "status line",
  "repaired:empty-line-first": "empty line before the response",
};

/** The repairs made to the server's response before it was forwarded, as text; empty if there were none. */
export function repairsText(tags: readonly string[]): string {
  return Object.entries(TEXTS)
    .filter(([repair]) => tags.includes(repair))
    .map(([, text]) => text)
    .join(", ");
}
