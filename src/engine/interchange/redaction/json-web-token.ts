import { latin1Of } from "../../quoting/utf8.ts";
import { decodeBase64 } from "../base64.ts";
import { REDACTED } from "./nested.ts";

/**
 * Removes JSON Web Tokens: base64url parts separated by dots, of which the first is a JSON object (RFC 7515, 7.1; RFC
 * 7516, 7.1).
 */
export function withoutWebTokens(text: string): string {
  return text.includes("ey") || text.includes("ew") ? text.replaceAll(RUN, redactedRun) : text;
}

/** Characters of which a token may consist. Each run is visited once, so the time is linear in the text's length. */
const RUN = /(?:%[0-9A-Fa-f]{2})?[\w.-]+/g;

function redactedRun(run: string): string {
  const from = beginningIn(run);
  if (from === null) return run;
  const parts = run.slice(from).split(".", 6);
  // An encrypted token has five parts. Its second part is empty if no key is wrapped (RFC 7518, 4.5).
  const isToken = parts.length === 5 || (parts.length > 2 && parts[1] !== "");
  return isToken ? run.slice(0, from) + REDACTED : run;
}

/** The position in a run at which a token begins; `null` if there is none. */
function beginningIn(run: string): number | null {
  const begin = BEGINNING.exec(run);
  const from = begin === null ? null : begin.index + (begin[1] ?? "").length;
  const glued = GLUED.exec(run);
  // A `GLUED` match after `from` may only be the token's second part, since both parts begin in the same way.
  return glued !== null && (from === null || glued.index < from) && isHeader(glued[0]) ? glued.index : from;
}

/**
 * Matches the beginning of a token in base64url: `{"`, `{ `, or `{` and a line break. A letter or a digit before the
 * token prevents a match, except at the end of a percent escape.
 */
const BEGINNING = /(^|[^A-Za-z0-9]|%..)e(?:y[AJ]|w[ok0])[\w-]{5}/;

/** Matches a possible first part of a token, even after a letter or a digit (the end of an escape, for example). */
const GLUED = /ey[AJ][\w-]{5,2000}(?=\.)/;

/** Whether the part is a token's header (RFC 7515, 4). Few words contain such a beginning by chance. */
function isHeader(part: string): boolean {
  const bytes = decodeBase64(part.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes !== null && /"(?:alg|enc|typ|kid)"/.test(latin1Of(bytes));
}
