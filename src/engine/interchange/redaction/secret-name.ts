import { memoized } from "../../insights/memoized.ts";

/** After one of these words, "key" is no secret word: "cache_key", "publicKey". */
const OPEN_KEYS =
  "cache|foreign|group|idempotency|message|object|partition|primary|public|routing|row|sort|surrogate|translation";

/**
 * Words that make a name secret: credentials, and names from RFC 6749 and its extensions, RFC 5849, SAML and CAS, of
 * passwords, cards and papers in forms, and of cookies in JSON.
 */
const WORDS =
  "assertion|auth|authorization|bearer|credentials?|csrf|jwt|otp|passcode|passphrase|passwd|password|pwd|secret|" +
  "session|sid|sig|signature|token|xsrf|cvc|cvv|csc|iban|mfa|2fa|ssn|totp|accesscode|authcode|authorizationcode|" +
  "codeverifier|cookies?|cookie2|devicecode|oauthverifier|pass|samlart|samlrequest|samlresponse|setcookie2?|ticket|" +
  "usercode|accountnumber|backupcode|cardnumber|ccnumber|ccnum|creditcard|debitcard|onetimecode|pan|passportnumber|" +
  "pincode|recoverycode|routingnumber|securitycode|smscode|socialsecuritynumber|taxid|verificationcode";

/** A word with one of these endings makes a name secret: "apikey", "accesstoken", "PHPSESSID". */
const ENDINGS =
  "apikey|accesskey|secretkey|privatekey|token|secret|password|passwd|signature|sessionid|sessid|cardnumber";

/** Words are separated by "_". Forms number repeated fields: "password1", "pass2". */
const SECRET = new RegExp(
  `(?:^|_)pin_?$|(?:(?:^|_)(?:${WORDS}|(?<!(?:^|_)(?:${OPEN_KEYS})_)key)|${ENDINGS})(?:_|(?:s|\\d{1,2})?_?$)`,
);

/**
 * Names that contain a secret word but are no secret: WebSocket's handshake, the name of a company, and measures such
 * as "token_count" and "password_length".
 */
const OPEN = /^(?:auth0|sec_web_?socket_key)$|(?:^|_)(?:count|length|limit|size|total|ttl|used)_?$/;

/** How many characters at the end of a name are examined. */
const LONGEST_NAME = 256;

/** Whether a header, query parameter, form field, cookie or JSON member of this name is redacted. */
export const isSecretName = memoized((name) => {
  const words = name
    .slice(-LONGEST_NAME)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replace(/^_/, "");
  return !OPEN.test(words) && (SECRET.test(words) || SECRET.test(words.replaceAll("_", "")));
});
