import type { Instant } from "../model/units.ts";
import type { Target } from "./target.ts";
import { BUILT_IN_PROBE_HOST } from "./target.ts";
import type { Cause, Sighting, SightingKind, Watch } from "./watcher.ts";

/**
 * A result of Validate in plain sentences: what happened, what it means, and what to do. `fix`: `null` if nothing is to
 * be done.
 */
export interface ValidationVerdict {
  readonly tone: "quiet" | "waiting" | "good" | "bad";
  readonly title: string;
  readonly text: string;
  readonly fix: string | null;
}

/** The advice when nothing was captured. */
const RECOVERY =
  "Verify that the proxy runs and the client has the exported certificate. Then run the test again from a network that can reach the probe host.";

/** The text for a watch of `target`. `seenAt`: when its probe was last captured; `null` if never. */
export function validationVerdictOf(watch: Watch, target: Target, seenAt: Instant | null = null): ValidationVerdict {
  switch (watch.state) {
    case "idle":
      return { tone: "quiet", title: "Not validated yet", text: target.probe.how, fix: null };
    case "watching":
      return { tone: "waiting", title: "Waiting for the request", text: target.probe.how, fix: null };
    case "confirmed":
      return { tone: "good", title: "Captured", text: `Weir captured the request. ${UNIDENTIFIED}`, fix: null };
    case "cancelled":
      return { tone: "quiet", title: "Test stopped", text: CAUSES[watch.cause], fix: "Run the test again." };
    case "timed-out":
      return isSeenLate(watch, seenAt) ? SEEN_LATE : { ...lateVerdict(watch), tone: "bad" };
  }
}

/** Whether the probe came after the test had started, but too late for it. */
export function isSeenLate(watch: Watch, seenAt: Instant | null): boolean {
  return watch.state === "timed-out" && seenAt !== null && seenAt >= watch.startedAt;
}

const UNIDENTIFIED = "This does not identify which app, browser or process sent the request.";

const SEEN_LATE: ValidationVerdict = Object.freeze({
  tone: "quiet",
  title: "Not in the test's time, but the probe was seen",
  text: `Weir captured the request after the test had ended. ${UNIDENTIFIED}`,
  fix: null,
});

const TRUST_AGAIN =
  "Check that the snippet names the exported file, or repeat the trust steps of Setup. Then send the request again.";

/** The texts for observations during a watch. */
export const SIGHTING_VERDICTS: Readonly<Record<SightingKind, ValidationVerdict & { readonly tone: "quiet" | "bad" }>> =
  {
    "certificate-rejected": {
      tone: "bad",
      title: "A client reached the proxy but rejected the certificate",
      text: "The proxy setting works. The client ended the TLS handshake for the probe host with an alert about the certificate.",
      fix: TRUST_AGAIN,
    },
    "closed-silently": {
      tone: "bad",
      title: "A client closed the connection after receiving Weir's certificate",
      text: "The proxy setting works. The client probably does not trust Weir's root: Node.js, Bun and wget then close the connection like this.",
      fix: TRUST_AGAIN,
    },
    "tls-failed": {
      tone: "bad",
      title: "A client reached the proxy but its TLS handshake failed",
      text: "The proxy setting works. The handshake failed for a reason other than the certificate, such as an old TLS version.",
      fix: "Read the client's output, or paste it in Troubleshooting.",
    },
    "without-tls": {
      tone: "bad",
      title: "The request reached the proxy without TLS",
      text: "The proxy setting works, but the request was not encrypted. The test does not show whether the client trusts the certificate.",
      fix: "Request the https URL. The client must open a tunnel (CONNECT) for it instead of sending the URL to the proxy.",
    },
    "no-http": {
      tone: "bad",
      title: "Non-HTTP traffic reached the proxy",
      text: "A client spoke TLS to the proxy itself, as with an https:// proxy URL, or its SOCKS request was refused. The client may not be the program under test.",
      fix: "The proxy URL must start with http://, even for https:// requests. A SOCKS proxy must be SOCKS 5 without a password. Copy the snippet again, then send the request again.",
    },
    "probe-host": {
      tone: "quiet",
      title: "A client requested the probe host but not this target's URL",
      text: "The proxy setting works, and the client accepts the certificate. The request may come from another target's test, or from a snippet that was copied in Snippets.",
      fix: "Copy the request here in Validate, and send it: GET to exactly the URL shown.",
    },
    direct: {
      tone: "bad",
      title: "The request reached Weir but not through the proxy setting",
      text: "The client sent the request directly to Weir's port, as to any web server.",
      fix: "In Firefox, set network.proxy.allow_hijacking_localhost to true, check the proxy settings, and open the page again.",
    },
  };

const CAUSES: Readonly<Record<Cause, string>> = {
  "session-cleared": "The session was cleared while the test waited.",
  "new-session": "A new session was started while the test waited.",
  "recording-paused": "Recording was paused while the test waited.",
  "proxy-stopped": "The proxy stopped while the test waited.",
  "by-user": "You stopped the test.",
};

/** Possible reasons why no request was seen. Not used for the built-in probe host, since Weir itself responds there. */
const UNREACHED =
  "Even with the right settings, a request can fail to arrive: the probe host may be unreachable, DNS may be blocked, or a network policy may forbid the request.";
const UNSENT = `Either no request was sent, or the request bypassed the proxy. A client that cannot resolve ${BUILT_IN_PROBE_HOST} bypassed the proxy, because only Weir knows that name. Paste the client's output in Troubleshooting.`;

/** The latest observation, since it says more than the timeout; `null` if there was none. */
export function lastSighting(sightings: readonly Sighting[]): Sighting | null {
  return sightings.reduce<Sighting | null>(
    (latest, next) => (latest === null || next.at > latest.at ? next : latest),
    null,
  );
}

function lateVerdict({ sightings, probe }: Extract<Watch, { state: "timed-out" }>): Omit<ValidationVerdict, "tone"> {
  const last = lastSighting(sightings);
  if (last !== null) return SIGHTING_VERDICTS[last.kind];
  return {
    title: "No request was seen yet",
    text: probe.url.startsWith(`https://${BUILT_IN_PROBE_HOST}/`) ? UNSENT : UNREACHED,
    fix: RECOVERY,
  };
}
