/** What stands in the place of a secret in an export. */
export const REDACTED = "REDACTED";

/** decisions.md, Export: these headers, and with them every key-like name (`isSecretName`). */
const SECRET_HEADERS: ReadonlySet<string> = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/** A word of a name that makes what it names a secret by itself. Our choice. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "auth",
  "authorization",
  "bearer",
  "credential",
  "credentials",
  "csrf",
  "jwt",
  "key",
  "passphrase",
  "passwd",
  "password",
  "pwd",
  "secret",
  "session",
  "sig",
  "signature",
  "sid",
  "token",
  "xsrf",
]);

/** The same secrets where a name is written in one word: "apikey", "accesstoken", "PHPSESSID". */
const SECRET_ENDINGS =
  /(?:apikey|accesskey|secretkey|privatekey|token|secret|password|passwd|signature|sessionid|sessid)$/;

/** Headers that are a URL as a whole, a relative one too. */
const URL_HEADERS: ReadonlySet<string> = new Set(["location", "content-location", "referer"]);

/** Names that hold such a word and are known to be no secret: WebSocket's handshake. */
const OPEN_NAMES: ReadonlySet<string> = new Set(["sec-websocket-key"]);

/** Whether a header, a query parameter, a form field or a cookie of this name is kept out of an export. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase();
  if (SECRET_HEADERS.has(lower)) return true;
  if (OPEN_NAMES.has(lower)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => SECRET_WORDS.has(word) || SECRET_ENDINGS.test(word)) || SECRET_ENDINGS.test(lower);
}

/** A URL with the values of secret names taken out of its query and fragment, and the user-info out of its authority. */
export function redactedUrl(url: string): string {
  const hash = url.indexOf("#");
  if (hash >= 0) {
    // A route of a page's own may stand there, with a query.
    const parts = url.slice(hash + 1).split("?");
    return `${redactedUrl(url.slice(0, hash))}#${parts.map(redactedForm).join("?")}`;
  }
  const query = url.indexOf("?");
  const head = query < 0 ? url : url.slice(0, query);
  const open = head.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, `$1${REDACTED}@`);
  return query < 0 ? open : `${open}?${redactedForm(url.slice(query + 1))}`;
}

/** `name=value&…` text with the values of secret names taken out; all else byte by byte as it was. */
export function redactedForm(form: string): string {
  return form
    .split("&")
    .map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 0 || equals === pair.length - 1) return pair;
      return isSecretName(unescaped(pair.slice(0, equals))) ? `${pair.slice(0, equals)}=${REDACTED}` : pair;
    })
    .join("&");
}

/**
 * A body's or message's text without the strings that follow a secret name, where it is a form (of either kind) or JSON
 * (or lines of it, or cut JSON). Other text stays as it is.
 */
export function redactedText(text: string): string {
  // Not every client escapes what stands in a form's values, such as JSON.
  const isForm = /^[\w.%+~[\]*-]+=[^\r\n]*[\r\n]*$/.test(text);
  return redactedJson(isForm ? redactedForm(text) : redactedParts(text));
}

/** A header's value as an export shows it. A URL in it (Location, Referer) loses its secrets, the scheme of a credential stays. */
export function redactedHeader(name: string, value: string): string {
  if (!isSecretName(name)) {
    if (URL_HEADERS.has(name.toLowerCase()) || /^[a-z][a-z0-9+.-]*:\/\/|^\/.*\?/i.test(value))
      return redactedUrl(value);
    return value.replaceAll(/(?<=<)[^<>]+(?=>)|\bhttps?:\/\/[^\s"'<>]+/gi, redactedUrl);
  }
  const scheme = /^(basic|bearer|digest|negotiate|ntlm) /i.exec(value)?.[0] ?? "";
  return scheme + REDACTED;
}

/** A form in parts (RFC 7578): each has its name in its head, and its value up to the next boundary. */
function redactedParts(text: string): string {
  const [, boundary] = BOUNDARY.exec(text) ?? [];
  if (boundary === undefined) return text;
  return text
    .split(boundary)
    .map((part) => {
      const end = part.slice(0, LONGEST_HEAD).indexOf("\r\n\r\n");
      const [, name = ""] = NAME_OF_PART.exec(part.slice(0, Math.max(0, end))) ?? [];
      if (!isSecretName(name)) return part;
      return `${part.slice(0, end)}\r\n\r\n${REDACTED}${part.endsWith("\r\n") ? "\r\n" : ""}`;
    })
    .join(boundary);
}

/** RFC 2046, 5.1.1: two hyphens and at most 70 characters, on the first line. */
const BOUNDARY = /^(--[^\r\n]{1,70})\r\n/;

const NAME_OF_PART = /^content-disposition:\s*form-data;.*?\bname="([^"]*)"/im;

/** Our choice: as much of a part is looked at for its name. */
const LONGEST_HEAD = 1_024;

/** One pass from string to string; text that is no JSON has no `"name": "value"` and passes unchanged. */
function redactedJson(text: string): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    const close = endOfString(text, open);
    const value = COLON_AND_QUOTE.exec(text.slice(close + 1, close + 66))?.[0].length ?? 0;
    if (value === 0) {
      open = text.indexOf('"', close + 1);
      continue;
    }
    const from = close + 1 + value;
    const end = endOfString(text, from - 1);
    if (close - open < LONGEST_NAME && isSecretName(text.slice(open + 1, close))) {
      pieces.push(text.slice(kept, from), REDACTED);
      kept = end;
    }
    open = text.indexOf('"', end + 1);
  }
  return pieces.join("") + text.slice(kept);
}

const COLON_AND_QUOTE = /^\s*:\s*"/;

/** A longer name names nothing. Our choice. */
const LONGEST_NAME = 256;

/** Where the JSON string that opens at `open` has its closing quote; the text's end where it has none. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 0x5c) at += 1;
    else if (character === 0x22) return at;
  }
  return text.length;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
