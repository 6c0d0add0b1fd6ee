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
  const begin = BEGINNING.exec(run);
  if (begin === null) return run;
  const from = begin.index + (begin[1] ?? "").length;
  const [, payload = "", signature] = run.slice(from).split(".", 3);
  return payload === "" || signature === undefined ? run : run.slice(0, from) + REDACTED;
}

/** A token is not preceded by a letter or a digit, and begins with `{"`, `{ ` or `{` and a line break in base64url. */
const BEGINNING = /(^|[^A-Za-z0-9]|%..)e(?:y[AJ]|w[ok0])[\w-]{5}/;
