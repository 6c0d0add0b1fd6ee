import { latin1Of } from "../../quoting/utf8.ts";
import { decodeBase64 } from "../base64.ts";
import { REDACTED } from "./nested.ts";

/**
 * Removes JSON Web Tokens from text: base64url parts separated by dots, the first of which is a JSON object (RFC 7515,
 * 7.1; RFC 7516, 7.1).
 */
export function withoutWebTokens(text: string): string {
  return text.includes("ey") || text.includes("ew") ? text.replaceAll(RUN, redactedRun) : text;
}

/** Each run is visited once, so the time is linear in the text's length. */
const RUN = /(?:%[0-9A-Fa-f]{2})?[\w.-]+/g;

function redactedRun(run: string): string {
  const from = beginningIn(run);
  if (from === null) return run;
  const parts = run.slice(from).split(".", 6);
  // An encrypted token has five parts, of which the second is empty without a wrapped key (RFC 7518, 4.5).
  const isToken = parts.length === 5 || (parts.length > 2 && parts[1] !== "");
  return isToken ? run.slice(0, from) + REDACTED : run;
}

/** Where a token begins in a run; `null`: nowhere. */
function beginningIn(run: string): number | null {
  const begin = BEGINNING.exec(run);
  const from = begin === null ? null : begin.index + (begin[1] ?? "").length;
  const glued = GLUED.exec(run);
  // The second part of a token begins alike.
  return glued !== null && (from === null || glued.index < from) && isHeader(glued[0]) ? glued.index : from;
}

/** A token is usually not preceded by a letter or a digit; it begins with `{"`, `{ ` or `{` and a line break in base64url. */
const BEGINNING = /(^|[^A-Za-z0-9]|%..)e(?:y[AJ]|w[ok0])[\w-]{5}/;

/** The first part of what may be a token behind a letter or a digit, such as that of an escape. */
const GLUED = /ey[AJ][\w-]{5,2000}(?=\.)/;

/** Whether that is a header (RFC 7515, 4): only few words contain such a beginning by chance. */
function isHeader(part: string): boolean {
  const bytes = decodeBase64(part.replaceAll("-", "+").replaceAll("_", "/"));
  return bytes !== null && /"(?:alg|enc|typ|kid)"/.test(latin1Of(bytes));
}
