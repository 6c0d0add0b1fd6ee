import { isSecretValueAt, secretFor } from "./json.ts";
import { behindBlanks, endOfString, endOfValue, jsonQuoted, jsonStringOf } from "./json-strings.ts";
import type { Redact } from "./nested.ts";

/**
 * Redacts values of secret names in text that contains JSON among other text, such as a web page with a script.
 * `redact` is applied to quoted values whose name is not secret, `other` to the text between quoted values.
 */
export function redactedMembersBy(text: string, redact: Redact, other: Redact): string {
  let shown = "";
  let kept = 0;
  let opening = -1;
  // Whether a quote opens or closes a string is unknown. If a colon follows, the quote closes a name.
  let quote = text.indexOf('"');
  while (quote >= 0 && quote < text.length) {
    const isQuote = text[quote] === '"';
    const raw = isQuote && opening >= 0 ? text.slice(opening + 1, quote) : null;
    const value = raw === null ? null : (memberAt(text, raw, quote, redact) ?? escapedAt(raw, quote, redact));
    if (raw !== null && value !== null) {
      const name = value.from > quote ? redact(raw) + text.slice(quote, value.from) : "";
      shown += other(text.slice(kept, opening + 1)) + name + value.text;
      kept = value.to;
    }
    opening = isQuote && value === null ? quote : -1;
    quote = value === null ? endOfString(text, quote, "line") : text.indexOf('"', value.to);
  }
  return shown + other(text.slice(kept));
}

/** A range of the text, and its replacement. */
interface Written {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Redacts the value whose name `raw` ends at `quote`; `null` if no colon follows, or if the value is neither a secret
 * nor a string.
 */
function memberAt(text: string, raw: string, quote: number, redact: Redact): Written | null {
  const colon = behindBlanks(text, quote + 1);
  if (text[colon] !== ":") return null;
  const from = behindBlanks(text, colon + 1);
  const name = jsonStringOf(raw);
  if (isSecretValueAt(text, from, name)) return { from, to: endOfValue(text, from), text: secretFor(text, from) };
  const end = text[from] === '"' ? endOfString(text, from, "line") : text.length;
  if (text[end] !== '"') return null;
  return { from: from + 1, to: end + 1, text: `${redactedString(text.slice(from + 1, end), redact)}"` };
}

/** Redacts the string `raw` that ends at `quote`, if it contains escapes, as nested JSON does; else `null`. */
function escapedAt(raw: string, quote: number, redact: Redact): Written | null {
  if (!raw.includes("\\")) return null;
  return { from: quote - raw.length, to: quote + 1, text: `${redactedString(raw, redact)}"` };
}

function redactedString(raw: string, redact: Redact): string {
  const plain = jsonStringOf(raw);
  const redacted = redact(plain);
  return redacted === plain ? raw : jsonQuoted(redacted);
}
