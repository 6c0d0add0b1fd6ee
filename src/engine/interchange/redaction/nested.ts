/** Replaces a secret in an export. */
export const REDACTED = "REDACTED";

/** Removes secrets from text nested in other text, after undoing the outer text's escapes. */
export type Redact = (text: string) => string;

/** `text` unchanged, or, if `redact` changed its percent-decoded form, the result, escaped again. */
export function redactedWithin(text: string, redact: Redact): string {
  const plain = withoutPercents(text);
  const redacted = redact(plain);
  return redacted === plain ? text : encodeURIComponent(redacted.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Undoes percent escapes (RFC 3986, 2.1); escapes that are no UTF-8 are read as latin1. Never fails. */
export function withoutPercents(text: string): string {
  return text.includes("%") ? text.replaceAll(/(?:%[0-9a-f]{2})+/gi, unescaped) : text;
}

function unescaped(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes.replaceAll(/%(..)/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
}
