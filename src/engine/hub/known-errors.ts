import type { KnownError } from "./target.ts";
import { BUILT_IN_PROBE_HOST } from "./target.ts";

export const UNTRUSTED =
  "The client reached Weir but does not trust Weir's certificate. Either the client was not given the current certificate, or the client does not use it.";

export const REFUSED =
  "Nothing listens at the client's proxy address. Weir's proxy is stopped, or its port has changed.";

/** The error of a client that does not trust our root. `text`: as the tool prints it. */
export function untrusted(text: string, fix: string): KnownError {
  return { text, meaning: UNTRUSTED, fix };
}

/** The error of a client whose proxy address refuses connections. `text`: as the tool prints it. */
export function refused(text: string): KnownError {
  return {
    text,
    meaning: REFUSED,
    fix: "Check the proxy under Status. If it is stopped, start it; otherwise copy the snippet again, or enter the address again.",
  };
}

/**
 * The error of a client whose proxy address has no scheme, or another scheme than http. `text`: as the tool prints it.
 */
export function misspelt(text: string): KnownError {
  return {
    text,
    meaning: "The proxy URL does not start with http://. It must, even for https:// requests.",
    fix: "Copy the snippet again. HTTP_PROXY, HTTPS_PROXY and ALL_PROXY, in either letter case, must start with http:// too.",
  };
}

/**
 * The error of a client that starts TLS but receives plain text, from Weir or from a server without TLS. `text`: as the
 * tool prints it.
 */
export function answeredPlainly(text: string): KnownError {
  const { fix } = misspelt(text);
  return {
    text,
    meaning:
      "The client started TLS, but the other end uses plain http. Either the proxy URL does not start with http://, or the server has no TLS and the request bypassed Weir or passed through as a tunnel.",
    fix: `${fix} If the proxy URL is right and Traffic shows only a tunnel or no request, request the server's http:// URL.`,
  };
}

/** The error for a certificate path that leads to no file. `text`: as the tool prints it. */
export function missing(text: string): KnownError {
  return {
    text,
    meaning: "There is no file at the client's certificate path.",
    fix: "Copy the snippet again, because the path or the export folder may have changed. If Status says that the certificate is not exported, export the certificate.",
  };
}

/**
 * The advice if a client prints no error and nothing is captured. `reason`: how this client bypasses a proxy.
 * `unresolved`: the tool's message for an unknown host, such as the built-in probe host.
 */
export function bypassed(reason: string, unresolved: string | null = null): KnownError {
  const nobody = `. Only Weir can resolve ${BUILT_IN_PROBE_HOST}.`;
  return {
    text: `No error, and nothing is captured${unresolved === null ? "" : ` / ${unresolved}`}`,
    meaning: `The request bypassed the proxy${unresolved === null ? "." : nobody} ${reason}`,
    fix: "Check that your program runs the snippet as copied. Empty NO_PROXY.",
  };
}

/** As `bypassed`, for a client into which users enter the proxy by hand. */
export function bypassedByHand(reason: string): KnownError {
  return {
    ...bypassed(reason),
    fix: "Compare the client's proxy host and port with Status. Empty the client's bypass lists.",
  };
}

/**
 * OpenSSL's message for a chain that lacks its root. Weir always sends its root, so a client that prints this message
 * probably received another server's chain.
 */
export const DIRECT: KnownError = Object.freeze({
  text: "unable to get local issuer certificate",
  meaning:
    "The certificate was probably the server's own: the request bypassed Weir, and the client does not trust the server's chain.",
  fix: "If the request is missing in Traffic, check that your program uses the snippet's proxy, and empty NO_PROXY.",
});

/** Errors that any client of the proxy can get. */
export const REQUEST_ERRORS: readonly KnownError[] = Object.freeze([
  {
    text: "This response comes from Weir, not from the server. / CONNECT tunnel failed, response 502 / Tunnel connection failed: 502",
    meaning:
      "Weir has no response to forward: the server could not be reached or verified, its response was malformed, or Weir refused the request.",
    fix: "Open the failed request in Traffic. The Overview tab names the cause.",
  },
  {
    text: "Read timed out / ReadTimeout / Operation timed out after / Headers Timeout Error / Client.Timeout exceeded / HttpTimeoutException",
    meaning: "The client stopped waiting before the response was complete.",
    fix: "Open the request in Traffic. The Timing tab shows where the time went. If the server needs that time, give the client a longer timeout.",
  },
]);

/** Errors of any target that reads a certificate file. */
export const CERTIFICATE_ERRORS: readonly KnownError[] = Object.freeze([
  {
    text: "Hostname mismatch / no alternative certificate subject name matches / ERR_TLS_CERT_ALTNAME_INVALID / No subject alternative / x509: certificate is valid for … not / does not match the server certificate / ERR_CERT_COMMON_NAME_INVALID / SSL_ERROR_BAD_CERT_DOMAIN",
    meaning:
      "The certificate is for another host. Weir makes a certificate for the requested host, so this certificate is probably the server's own.",
    fix: "If the request is missing in Traffic, check that your program uses the snippet's proxy. If Traffic shows a tunnel, the host passes through: request a name that is in the server's certificate.",
  },
  {
    text: "certificate is not yet valid / certificate has expired",
    meaning: "The client's clock is wrong, or Weir's root certificate has expired.",
    fix: "Set the clock. If Status says that the certificate needs renewal, renew the certificate in Settings, Certificate, and give the client the new certificate.",
  },
  {
    text: "The request worked before a new root certificate was made",
    meaning:
      "The client still trusts the old root certificate. The new root has another name, so it does not replace the old one.",
    fix: "Export again, remove the old root wherever you added it, and add the new one.",
  },
  {
    text: "Only one host fails, all others are captured",
    meaning: "The program probably pins that host's certificate and accepts no other.",
    fix: "Add the host to Settings, Capture, Pass through. Traffic to the host then passes through without being read.",
  },
  ...REQUEST_ERRORS,
]);

/**
 * Whether a tool's output contains the error's text. In the text, ` / ` separates alternatives, and `…` stands for
 * anything. So does 127.0.0.1, since the proxy may have another address (`--listen`).
 */
export function matchesOutput({ text }: Pick<KnownError, "text">, output: string): boolean {
  const printed = plain(output);
  return text.split(" / ").some((one) => {
    let at = 0;
    return one.split(/…|127\.0\.0\.1/).every((piece) => {
      const found = printed.indexOf(plain(piece), at);
      at = found + plain(piece).length;
      return found >= 0;
    });
  });
}

/**
 * The text in the form that is compared: in lower case and on one line, since one-line fields drop line breaks. OpenSSL
 * before 3.0 wrote "self signed".
 */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").replaceAll("self signed", "self-signed").trim();
}
