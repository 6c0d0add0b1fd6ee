/** Stands for a removed secret in an export. */
export const REDACTED = "REDACTED";

/** Removes secrets from nested text, after the escapes of the outer text were undone. */
export type Redact = (text: string) => string;

/**
 * Redacts percent-encoded text. Returns `text` unchanged if `redact` changes nothing in its decoded form, else the
 * redacted form, encoded again.
 */
export function redactedWithin(text: string, redact: Redact): string {
  const plain = withoutPercents(text);
  const redacted = redact(plain);
  return redacted === plain ? text : encodeURIComponent(redacted.replaceAll(/\p{Surrogate}/gu, "\ufffd"));
}

/** Decodes percent-encoding (RFC 3986, 2.1). Escapes that are not UTF-8 count as latin1. Never fails. */
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
