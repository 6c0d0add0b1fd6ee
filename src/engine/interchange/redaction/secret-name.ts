/** docs/specification.md, Export: headers that are secrets. `isSecretName` also recognizes other names of secrets. */
const SECRET_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "authentication-info",
  "proxy-authentication-info",
  "cookie",
  "cookie2",
  "set-cookie",
  "set-cookie2",
]);

/**
 * Whether a header of this name holds credentials. Accepts fewer names than `isSecretName`, because the name may be an
 * ordinary word instead of a header's name.
 */
export function isCredentialHeader(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_HEADERS.has(lower) || (/^[\w-]+$/.test(lower) && lower.includes("-") && isSecretName(lower));
}

/** A name that contains one of these words is a secret name. Weir's own list; not from a specification. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  "assertion",
  "auth",
  "authorization",
  "bearer",
  "credential",
  "credentials",
  "csrf",
  "jwt",
  "key",
  "otp",
  "passcode",
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

/**
 * Names that are secret as a whole: from RFC 6749 and its extensions, RFC 5849, SAML and CAS. Also names of passwords
 * in forms and of cookies in JSON.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set([
  "access_code",
  "auth_code",
  "authorization_code",
  "code_verifier",
  "cookies",
  "device_code",
  "oauth_verifier",
  "pass",
  "samlart",
  "samlrequest",
  "samlresponse",
  "set_cookie",
  "setcookie",
  "ticket",
  "user_code",
]);

/** A word with one of these endings makes a name secret: "apikey", "accesstoken", "PHPSESSID". */
const SECRET_ENDINGS =
  /(?:apikey|accesskey|secretkey|privatekey|token|secret|password|passwd|signature|sessionid|sessid)$/;

/** Names that contain a secret word but are no secret: WebSocket's handshake, and the name of a company. */
const OPEN_NAMES: ReadonlySet<string> = new Set(["auth0", "sec-websocket-key"]);

/**
 * After one of these words, "key" is no secret word: "cache_key", "publicKey". Weir's own list; not from a
 * specification.
 */
const OPEN_KEYS: ReadonlySet<string> = new Set([
  "cache",
  "foreign",
  "group",
  "idempotency",
  "message",
  "object",
  "partition",
  "primary",
  "public",
  "routing",
  "row",
  "sort",
  "surrogate",
  "translation",
]);

/**
 * Last words of names that are no secrets: "token_count", "password_length". Weir's own list; not from a specification.
 */
const MEASURES: ReadonlySet<string> = new Set(["count", "length", "limit", "size", "total", "ttl", "used"]);

/** Default; not from a specification: how many characters at the end of a name are examined. */
const LONGEST_NAME = 256;

/** Whether exports redact a header, query parameter, form field or cookie of this name. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-LONGEST_NAME);
  const known = judged.get(end);
  if (known !== undefined) return known;
  if (judged.size === MOST_JUDGED) judged.clear();
  const isSecret = judge(end);
  judged.set(end, isSecret);
  return isSecret;
}

/** Caches the result for each name, since names repeat and a test takes microseconds. */
const judged = new Map<string, boolean>();

/** Default; not from a specification: the most names in the cache `judged`. */
const MOST_JUDGED = 1_000;

function judge(end: string): boolean {
  const lower = end.toLowerCase().replace(SIGIL, "");
  if (SECRET_HEADERS.has(lower) || SECRET_NAMES.has(lower)) return true;
  if (OPEN_NAMES.has(lower)) return false;
  const words = end
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  const last = words.at(-1) ?? "";
  if (MEASURES.has(last)) return false;
  if (last === PIN || (LAST_WORDS.test(last) && words.length > 1)) return true;
  if (words.some((word, place) => isSecretWord(word, words[place - 1] ?? ""))) return true;
  // Forms number repeated fields: "password1", "pass2".
  const bare = lower.replace(NUMBER_OR_PLURAL, "");
  return (
    isSecretWord(last.replace(NUMBER_OR_PLURAL, ""), words.at(-2) ?? "") ||
    SECRET_NAMES.has(bare) ||
    SECRET_ENDINGS.test(bare)
  );
}

/** A variable's sigil, or an option's dashes. */
const SIGIL = /^[^a-z0-9]+/;

/** A name is secret if this is its last word: "pin", "cardPin". "pins" and "pin_id" name other things. */
const PIN = "pin";

/** A name of several words is secret if one of these is its last word: "X-Original-Cookie", "DB_PASS". */
const LAST_WORDS = /^(?:cookies?|pass)$/;

const NUMBER_OR_PLURAL = /(?:s|\d{1,2})$/;

function isSecretWord(word: string, before: string): boolean {
  if (word === "key" && OPEN_KEYS.has(before)) return false;
  return SECRET_WORDS.has(word) || SECRET_ENDINGS.test(word);
}
