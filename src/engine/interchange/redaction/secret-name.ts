/** Headers that are secrets whatever they hold; `DPoP`: RFC 9449, 4.1. `isSecretName` knows other names. */
const SECRET_HEADERS =
  /^(?:(?:proxy-)?authorization|(?:proxy-)?authentication-info|(?:set-)?cookie2?|dpop|(?:[\w-]{1,64}-)?authentication)$/i;

/** Whether a header of this name holds credentials. Some of these names are ordinary words outside a head. */
export function isSecretHeader(name: string): boolean {
  return SECRET_HEADERS.test(name) || isSecretName(name);
}

/** Whether the text can only be the name of a header that holds credentials. */
export function isCredentialHeader(text: string): boolean {
  return (
    /^(?:authorization|(?:set-)?cookie)$/i.test(text) ||
    (text.includes("-") && /^[\w-]+$/.test(text) && isSecretName(text))
  );
}

/** A name that contains one of these words is a secret name. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  (
    "assertion auth authorization bearer credential credentials csrf jwt key otp passcode passphrase passwd password " +
    "pwd secret session sid sig signature token xsrf cvc cvv csc iban mfa 2fa ssn totp"
  ).split(" "),
);

/**
 * Names that are secret as a whole, in lower case and without separators: from RFC 6749 and its extensions, RFC 5849,
 * SAML and CAS; of passwords, cards and papers in forms; of cookies in JSON.
 */
const SECRET_NAMES: ReadonlySet<string> = new Set(
  (
    "accesscode authcode authorizationcode codeverifier cookie cookie2 cookies devicecode oauthverifier pass samlart " +
    "samlrequest samlresponse setcookie setcookie2 ticket usercode accountnumber backupcode cardnumber ccnumber ccnum " +
    "creditcard debitcard onetimecode pan passportnumber pincode recoverycode routingnumber securitycode smscode " +
    "socialsecuritynumber taxid verificationcode"
  ).split(" "),
);

/** A word with one of these endings makes a name secret: "apikey", "accesstoken", "PHPSESSID". */
const SECRET_ENDINGS =
  /(?:apikey|accesskey|secretkey|privatekey|token|secret|password|passwd|signature|sessionid|sessid|cardnumber|creditcardnumber)$/;

/** Names that contain a secret word but are no secret: WebSocket's handshake, and the name of a company. */
const OPEN_NAMES = /^(?:auth0|sec-websocket-key)$/;

/** After one of these words, "key" is no secret word: "cache_key", "publicKey". */
const OPEN_KEYS =
  /^(?:cache|foreign|group|idempotency|message|object|partition|primary|public|routing|row|sort|surrogate|translation)$/;

/** Last words of names that are no secrets: "token_count", "password_length". */
const MEASURES = /^(?:count|length|limit|size|total|ttl|used)$/;

/** A name is secret if this is its last word: "pin", "cardPin"; of several words also these: "DB_PASS". */
const LAST_WORDS = /^(?:cookies?|pass)$/;

/** Forms number repeated fields: "password1", "pass2". */
const NUMBER_OR_PLURAL = /(?:s|\d{1,2})$/;

/** How many characters at the end of a name are examined. */
const LONGEST_NAME = 256;

/** The most names whose result is cached. */
const MOST_JUDGED = 1_000;

const judged = new Map<string, boolean>();

/** Whether a header, query parameter, form field, cookie or JSON member of this name is redacted. */
export function isSecretName(name: string): boolean {
  const end = name.slice(-LONGEST_NAME);
  const known = judged.get(end);
  if (known !== undefined) return known;
  if (judged.size === MOST_JUDGED) judged.clear();
  const isSecret = evaluator(end);
  judged.set(end, isSecret);
  return isSecret;
}

function evaluator(name: string): boolean {
  const lower = name.toLowerCase().replace(/^[^a-z0-9]+/, "");
  const joined = lower.replaceAll(/[^a-z0-9]+/g, "");
  if (OPEN_NAMES.test(lower)) return false;
  if (SECRET_NAMES.has(joined)) return true;
  const words = (name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? []) as string[];
  const last = words.at(-1) ?? "";
  if (MEASURES.test(last)) return false;
  if (last === "pin" || (LAST_WORDS.test(last) && words.length > 1)) return true;
  if (words.some((word, index) => isSecretWord(word, words[index - 1] ?? ""))) return true;
  const bare = joined.replace(NUMBER_OR_PLURAL, "");
  return isSecretWord(last.replace(NUMBER_OR_PLURAL, ""), words.at(-2) ?? "") || isSecretWord(bare, "");
}

function isSecretWord(word: string, before: string): boolean {
  if (word === "key" && OPEN_KEYS.test(before)) return false;
  return SECRET_WORDS.has(word) || SECRET_NAMES.has(word) || SECRET_ENDINGS.test(word);
}
