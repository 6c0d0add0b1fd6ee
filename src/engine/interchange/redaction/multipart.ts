import { REDACTED, type Redact, withoutPercents } from "./nested.ts";
import { isSecretName } from "./secret-name.ts";

/**
 * A multipart body (RFC 2046, 5.1) without the values of secret names (RFC 7578, 4.2) and without secrets in its other
 * parts; `null` if no boundary is found. `boundary`: as in the Content-Type; `null` if the Content-Type has none.
 */
export function redactedPartsBy(text: string, boundary: string | null, redact: Redact): string | null {
  const delimiter = boundary === null ? delimiterIn(text) : `--${boundary}`;
  if (delimiter === null) return null;
  // A delimiter begins a line. A line break is put before the text, so that the first line counts, too.
  const [preamble = "", ...parts] = `\n${text}`.split(`\n${delimiter}`);
  if (parts.length === 0) return null;
  const shown = [redact(preamble), ...parts.map((part) => redactedPart(part, redact))].join(`\n${delimiter}`);
  return shown.slice(1);
}

/**
 * The boundary line: two hyphens and at most 70 characters (RFC 2046, 5.1.1), alone on a line, after any preamble and
 * before a part's head.
 */
function delimiterIn(text: string): string | null {
  return DELIMITER.exec(text)?.[1] ?? null;
}

const DELIMITER = /^(--[^\r\n]{1,70}?)[ \t]*\r?\n(?=content-[\w-]{1,64}[ \t]*:)/im;

/**
 * Redacts the text after a boundary: line end, the part's head, an empty line, the value, and a CR if the next boundary
 * follows a CRLF.
 */
function redactedPart(part: string, redact: Redact): string {
  const head = HEAD_END.exec(part.slice(0, LONGEST_HEAD));
  if (head === null) return hasSecretName(part.slice(0, LONGEST_HEAD)) ? REDACTED : redact(part);
  const begin = head.index + head[0].length;
  const [end = ""] = /\r?$/.exec(part) ?? [];
  const value = part.slice(begin, part.length - end.length);
  const isSecret = hasSecretName(part.slice(0, head.index));
  const shown = isSecret && value !== "" ? REDACTED : redact(value);
  return redact(part.slice(0, begin)) + shown + (value === "" ? "" : end);
}

const HEAD_END = /\r?\n\r?\n/;

/** Default; not from a specification: how many characters of a part are searched for its name. */
const LONGEST_HEAD = 8_192;

/** Whether a part's head has a secret name. The head's lines may be folded. One secret name among several is enough. */
function hasSecretName(head: string): boolean {
  for (const [, parameters = ""] of head.replaceAll(/\r?\n[ \t]+/g, " ").matchAll(DISPOSITION)) {
    for (const [, extended, quoted, single, plain] of parameters.matchAll(NAME)) {
      const name = extended ?? quoted?.replaceAll(/\\(.)/g, "$1") ?? single ?? plain ?? "";
      if (isSecretName(withoutPercents(name))) return true;
    }
  }
  return false;
}

const DISPOSITION = /^content-disposition[ \t]*:(.*)$/gim;

/** A name in extended form (RFC 8187), in quotes of either kind, or as a token. */
const NAME =
  /(?:^|[;\s])name(?:\*\d*\*?[ \t]*=[ \t]*(?:[\w-]*'[\w-]*')?([^;\s]+)|[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^;\s]+)))/gi;
