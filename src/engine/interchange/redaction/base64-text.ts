import { decodeUtf8, latin1Of } from "../../quoting/utf8.ts";
import { decodeBase64 } from "../base64.ts";
import { hasMagicNumber } from "./compressed.ts";
import { REDACTED, type Redact } from "./nested.ts";
import { decodeUtf16, utf16OrderOf } from "./utf16.ts";

/** Whether text may contain base64 of text, or of compressed text. */
export function mayHoldBase64(text: string): boolean {
  return BEGINNING.test(text);
}

/**
 * Base64 as a whole, in lines (RFC 2045, 6.8) or with spaces in place of pluses, redacted if its content has secrets;
 * `null` for other text. Cut, it may end within a character.
 */
export function redactedBase64By(text: string, redact: Redact): string | null {
  const base64 = WHOLE.exec(text.trim())?.[1];
  if (base64 === undefined) return null;
  const isSecret =
    hasSecrets(base64.replaceAll(/\s+/g, ""), redact) ||
    (base64.includes(" ") && hasSecrets(base64.replaceAll(" ", "+").replaceAll(/\s+/g, ""), redact));
  return isSecret ? REDACTED : null;
}

/** Base64 in a word. A slash may belong to it or separate it from others, as in a path. */
export function redactedBase64Within(word: string, redact: Redact): string {
  if (!mayHoldBase64(word)) return word;
  return word.replaceAll(RUN, (run: string, at: number) => {
    // It goes on behind an escape.
    if (word[at + run.length] === "%") return run;
    if (hasSecrets(run, redact)) return REDACTED;
    if (!run.includes("/")) return run;
    return run
      .split("/")
      .map((part) => (hasSecrets(part, redact) ? REDACTED : part))
      .join("/");
  });
}

/**
 * Begins with the base64, in either alphabet (RFC 4648, 4 and 5), of three bytes of ASCII text, UTF-16, a byte order
 * mark, gzip or zstd. Most words do not, so few are decoded in vain.
 */
const BEGINNING =
  /(?:[ACDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589]|A[C-H][AEIMQUYcgkosw048]|77u|[/_][/_]4|[/_]v8|H4sI|KLUv)[\w+/-]{5}/;
const AT_BEGINNING = new RegExp(`^${BEGINNING.source}`);
const WHOLE = /^([\w+/-]{4}[\w+/ \t\r\n-]{4,}={0,2})[^\0-\x7f]{0,3}$/;
const RUN = /[\w+/-]{8,}={0,2}/g;

/** Whether that is base64 of text with secrets, or of what cannot be read here. */
function hasSecrets(base64: string, redact: Redact): boolean {
  if (!AT_BEGINNING.test(base64)) return false;
  const plain = base64
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  // Cut, it may end within its padding, or with a character that gives no byte.
  const bytes = decodeBase64(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  if (bytes === null) return false;
  if (hasMagicNumber(bytes)) return true;
  const order = utf16OrderOf(bytes, null);
  const text = order === null ? (decodeUtf8(bytes) ?? latin1Of(bytes)) : decodeUtf16(bytes, order);
  return !CONTROL.test(text) && redact(text) !== text;
}

/** Characters that only binary data has. */
const CONTROL = /(?![\t-\r])\p{Cc}/u;
