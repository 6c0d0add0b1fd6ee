import { mayHoldBase64 } from "./base64-text.ts";
import { redactedFormBy } from "./form.ts";
import { REDACTED, type Redact } from "./nested.ts";

/**
 * Removes user-info and the values of secret names from an absolute or relative URL. Parameters may be in all of these
 * places:
 *
 *   scheme://user-info@host/path;name=value/…?name=value&…#name=value&…      a fragment may have a path and a query, too
 */
export function redactedUrlBy(url: string, redact: Redact): string {
  const hash = url.indexOf("#");
  if (hash < 0) return redactedBeforeFragment(url, redact);
  const fragment = url.slice(hash + 1);
  return `${redactedBeforeFragment(url.slice(0, hash), redact)}#${fragment
    .split("#")
    .map((part) => redactedBeforeFragment(part, redact))
    .join("#")}`;
}

function redactedBeforeFragment(url: string, redact: Redact): string {
  const query = url.indexOf("?");
  const head = redactedPath((query < 0 ? url : url.slice(0, query)).replace(USER_INFO, `$1${REDACTED}@`), redact);
  return query < 0 ? head : `${head}?${redactedFormBy(url.slice(query + 1), redact)}`;
}

/** The user-info of a URL (RFC 3986, 3.2.1). Browsers treat backslashes as slashes. */
const USER_INFO = /^((?:[a-z][a-z0-9+.-]*:)?[\\/]{2})[^\\/]*@/i;

/** Redacts the parameters of path segments (RFC 3986, 3.3), such as `;jsessionid=`. */
function redactedPath(path: string, redact: Redact): string {
  if (!/[;=%]/.test(path) && !mayHoldBase64(path)) return path;
  return path
    .split("/")
    .map((segment) =>
      segment
        .split(";")
        .map((part) => redactedFormBy(part, redact))
        .join(";"),
    )
    .join("/");
}
