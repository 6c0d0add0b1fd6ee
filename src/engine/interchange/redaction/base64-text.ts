import { bytesOfLatin1, textOf } from "../../quoting/utf8.ts";
import { hasMagicNumber } from "./compressed.ts";
import { REDACTED, type Redact } from "./nested.ts";
import { decodeUtf16, utf16OrderOf } from "./utf16.ts";

/** Whether the text may contain base64 of text or of compressed text. */
export function mayHoldBase64(text: string): boolean {
  return BEGINNING.test(text);
}

/**
 * Redacts text that is base64 as a whole, if its content has secrets; `null` for other text. The base64 may be in lines
 * (RFC 2045, 6.8), have spaces in place of pluses, or be cut off.
 */
export function redactedBase64By(text: string, redact: Redact): string | null {
  const base64 = WHOLE.exec(text.trim())?.[1];
  if (base64 === undefined) return null;
  const isSecret =
    hasSecrets(base64.replaceAll(/\s+/g, ""), redact) ||
    (base64.includes(" ") && hasSecrets(base64.replaceAll(" ", "+").replaceAll(/\s+/g, ""), redact));
  return isSecret ? REDACTED : null;
}

/** Redacts base64 in a word. A slash may be part of base64, or separate it from other text, as in a path. */
export function redactedBase64Within(word: string, redact: Redact): string {
  if (!mayHoldBase64(word)) return word;
  return word.replaceAll(RUN, (run: string, at: number) => {
    // The run is not the whole base64: an escape follows, and the base64 continues after it.
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
 * Matches the start of base64 (RFC 4648, 4 and 5) that encodes ASCII text, UTF-16, a byte order mark, gzip or zstd.
 * Only base64 that starts in one of these ways is decoded.
 */
const BEGINNING =
  /(?:[ACDI-Za-f][AC-HQS-Xgi-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589]|A[C-H][AEIMQUYcgkosw048]|77u|[/_][/_][45]|[/_]v8|H4sI|KLUv)[\w+/-]{5}/;
const AT_BEGINNING = new RegExp(`^${BEGINNING.source}`);
const WHOLE = /^([\w+/-]{4}[\w+/ \t\r\n-]{4,}={0,2})[^\0-\x7f]{0,3}$/;
const RUN = /[\w+/-]{8,}={0,2}/g;

/** Whether the base64 contains text with secrets, or compressed data, which cannot be searched here. */
function hasSecrets(base64: string, redact: Redact): boolean {
  if (!AT_BEGINNING.test(base64)) return false;
  const plain = base64
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/={1,2}$/, "");
  // If the base64 is cut off, it may end within its padding, or with a character that gives no byte.
  const latin1 = decoded(plain.length % 4 === 1 ? plain.slice(0, -1) : plain);
  // Most decoded base64 is ASCII text; such text is tested without being converted to bytes.
  if (latin1 === null || !ENCODED.test(latin1)) return latin1 !== null && redact(latin1) !== latin1;
  const bytes = bytesOfLatin1(latin1);
  if (hasMagicNumber(bytes)) return true;
  const order = utf16OrderOf(bytes, null);
  const text = order === null ? textOf(latin1) : decodeUtf16(bytes, order);
  return !CONTROL.test(text) && redact(text) !== text;
}

/** The decoded bytes as latin1 text; `null` if the text is not base64. */
function decoded(base64: string): string | null {
  try {
    return atob(base64);
  } catch {
    return null;
  }
}

/** Bytes that are not plain ASCII text. */
const ENCODED = /[^\t-\r\x20-\x7e]/;

/** Characters that only binary data has. */
const CONTROL = /(?![\t-\r])\p{Cc}/u;
