import { BUILT_IN_PROBE_HOST } from "./probe.ts";
import type { Trouble } from "./target.ts";

export const UNTRUSTED =
  "The client reached Weir but does not trust its certificate: the file was not given, or it is another one.";

export const REFUSED =
  "Nothing listens at the proxy address the client was given: Weir's proxy is stopped, or its port has changed.";

/** A client that does not trust our root, in the tool's own words. */
export function untrusted(text: string, fix: string): Trouble {
  return { text, meaning: UNTRUSTED, fix };
}

/** A client that finds nobody at the proxy's address, in the tool's own words. */
export function refused(text: string): Trouble {
  return {
    text,
    meaning: REFUSED,
    fix: "Look at the address in the status pane. Start the proxy if it is stopped, else give the client that address: copy the snippet again, or enter it again.",
  };
}

/** A client whose proxy address has another scheme than http, or none, in the tool's own words. */
export function misspelt(text: string): Trouble {
  return {
    text,
    meaning:
      "The proxy's address begins with another scheme than http://, or with none. Weir is spoken to in plain http, for https URLs too.",
    fix: "Copy the snippet again: the address in it begins with http://. Variables that are set elsewhere (HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, in either letter case) must begin so too.",
  };
}

/** A client that begins TLS and is answered in plain text, in the tool's own words: by Weir, or by a server that speaks no TLS. */
export function answeredPlainly(text: string): Trouble {
  const { fix } = misspelt(text);
  return {
    text,
    meaning:
      "TLS was begun where plain http is spoken. Either that is Weir: the proxy's address begins with another scheme than http://. Or it is the server, and the request went to it past Weir, or through Weir unread because its host is on the pass-through list.",
    fix: `${fix} If the address is right, and Traffic holds no such request or only a tunnel, ask for the server's http:// URL.`,
  };
}

/** A certificate's path at which there is no file, in the tool's own words. */
export function missing(text: string): Trouble {
  return {
    text,
    meaning: "There is no file at the path that the client was given for the certificate.",
    fix: "Copy the snippet again: the path was changed, or the certificate was exported to another folder since. If the status pane says that it is not exported, export it.",
  };
}

/**
 * No error and no capture: `reason` says by what way this client goes past a proxy. `unresolved`: the tool's own words for a
 * name that it finds nowhere, as that of the built-in probe host.
 */
export function bypassed(reason: string, unresolved: string | null = null): Trouble {
  const nobody = `. It is for the proxy to look names up, and ${BUILT_IN_PROBE_HOST} is known to nobody but Weir.`;
  return {
    text: `No error, and nothing is captured${unresolved === null ? "" : ` / ${unresolved}`}`,
    meaning: `The request went past the proxy${unresolved === null ? "." : nobody} ${reason}`,
    fix: "Compare the snippet with what runs, empty NO_PROXY, and do not use localhost or 127.0.0.1 as the address that is asked for.",
  };
}

/** The same for a client whose proxy is entered by hand. */
export function bypassedByHand(reason: string): Trouble {
  return {
    ...bypassed(reason),
    fix: "Compare host and port of the proxy in its settings with the status pane, take the host off every list of exceptions there, and do not ask for localhost or 127.0.0.1.",
  };
}

/** OpenSSL's words for a chain that ends before its root. Weir sends its root along and is refused in other words. */
export const DIRECT: Trouble = Object.freeze({
  text: "unable to get local issuer certificate",
  meaning:
    "The certificate was hardly Weir's: the request went to the server directly, and that server's own chain is not trusted.",
  fix: "Compare the proxy in the snippet with what runs, and empty NO_PROXY. In Traffic the request is missing then.",
});

/** What can happen to every target that is given a certificate file. */
export const CERTIFICATE_TROUBLES: readonly Trouble[] = Object.freeze([
  {
    text: "certificate is not yet valid / certificate has expired",
    meaning: "The clock of the machine that asks is wrong, or Weir's root has run out.",
    fix: "Set the clock. If the status pane says that the certificate ends or has ended, renew it in Settings, Certificate, and give the new one to the client.",
  },
  {
    text: "It worked before a new root certificate was made",
    meaning: "The client still holds the old root. Both have different names, so it does not notice the new one.",
    fix: "Export again, remove the old root wherever you had added it, and add the new one.",
  },
  {
    text: "Only one host fails, all others are captured",
    meaning: "The program pins that host's certificate and accepts no other, whoever signed it.",
    fix: "Add the host to the pass-through list in Settings: its traffic then goes through unread.",
  },
]);

/**
 * Whether what a tool printed holds the trouble's text: `…` stands for anything, as does the proxy's usual address, which
 * may be another (`--listen`); ` / ` parts texts of which one is enough.
 */
export function isToldBy({ text }: Pick<Trouble, "text">, output: string): boolean {
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

/** Letter case and line ends do not matter (a field for one line loses them), nor how OpenSSL before 3.0 spells this. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ").replaceAll("self signed", "self-signed").trim();
}
