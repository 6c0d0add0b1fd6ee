export const REDACTED = "REDACTED";

/** Removes secrets that their form alone gives away: credentials, user-info, private keys, JSON Web Tokens and keys. */
export function withoutKnownSecrets(text: string): string {
  return text
    .replaceAll(PRIVATE_KEY, `$1${REDACTED}`)
    .replaceAll(USER_INFO, `${REDACTED}@`)
    .replaceAll(CREDENTIALS, (whole, scheme: string, value: string) => (WORD.test(value) ? whole : scheme + REDACTED))
    .replaceAll(KEY, REDACTED)
    .replaceAll(RUN, withoutWebToken);
}

/** A private key in PEM (RFC 7468, 10 and 11), up to its end or that of the text. */
const PRIVATE_KEY = /(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)(?:[^-]|-(?!----))*/g;

/** The user-info of a URL (RFC 3986, 3.2.1). Browsers treat backslashes as slashes, and proxies join two slashes. */
const USER_INFO = /(?<=[\\/]{2}|:[\\/])[^\s\\/?#"'<>`]+@/g;

/** A scheme of RFC 9110, 11.4, and its credentials. */
const CREDENTIALS =
  /(?<![A-Za-z\d])((?:basic|bearer|digest|dpop|kerberos|negotiate|ntlm)(?: {1,4}|\+|%20))([\w+/~.-]{6,}=*)/gi;

/** A word after "basic" or "bearer" that is prose. */
const WORD = /^[A-Za-z]?[a-z.-]*$/;

/** Keys of well-known services, by the prefix that these give them so that scanners find them. */
const KEY = new RegExp(
  `(?<![A-Za-z\\d])(?:${[
    "A(?:KIA|SIA|ROA|IDA)[A-Z\\d]{16}",
    "gh[pousr]_\\w{30,}|github_pat_\\w{22,}|glpat-[\\w-]{20,}",
    "xox[a-z]-[\\w-]{10,}|xapp-[\\w-]{10,}|T[A-Z\\d]{8,12}/B[A-Z\\d]{8,12}/\\w{20,}",
    "[prs]k_(?:live|test)_\\w{16,}|whsec_\\w{16,}|sq0[a-z]{3}-[\\w-]{22,}",
    "AIza[\\w-]{35}|GOCSPX-[\\w-]{20,}|ya29\\.[\\w-]{20,}",
    "sk-(?=[\\w-]{0,40}\\d)[\\w-]{20,}|hf_\\w{30,}|npm_\\w{36}|pypi-\\w{16,}|dop_v1_\\w{60,}|shp[a-z]{2}_\\w{32}",
    "SG\\.[\\w-]{16,}\\.[\\w-]{16,}|key-[\\da-f]{32}|(?:bot)?\\d{8,10}:AA[\\w-]{32,}|EAA[A-Za-z\\d]{60,}",
  ].join("|")})`,
  "g",
);

/** Characters of which a JSON Web Token consists. */
const RUN = /[\w.-]{20,}/g;

/** `"alg"` in base64url, which depends on its place. */
const ALGORITHM = /ImFsZyI|iYWxnI|JhbGci/;

/**
 * Base64url parts separated by dots, of which the first is a JSON object with `alg` (RFC 7515, 7.1; RFC 7516, 7.1). The
 * first part may follow other text, such as the end of an escape.
 */
function withoutWebToken(run: string): string {
  let at = 0;
  for (const part of run.split(".").slice(0, -2)) {
    const from = part.search(/e(?:y[AIJ]|w[ok0])/);
    if (from >= 0 && ALGORITHM.test(part)) return run.slice(0, at + from) + REDACTED;
    at += part.length + 1;
  }
  return run;
}
