import { BUILT_IN_PROBE_HOST } from "./probe.ts";
import type { Target } from "./target.ts";
import type { Cause, Sighting, Watch } from "./watcher.ts";

/** What Validate says: what happened, what it means, and what to do. Plain sentences; `fix` is `null` where nothing is to be done. */
export interface Verdict {
  readonly tone: "quiet" | "waiting" | "good" | "bad";
  readonly title: string;
  readonly text: string;
  readonly fix: string | null;
}

/** The seed's advice when nothing came (States, Errors). */
const RECOVERY =
  "Verify that the proxy runs and that the certificate is the exported one, then run the test again from a network that can reach the probe host.";

/** The words for a watch of `target`, in place of the state's name. */
export function verdictOf(watch: Watch, target: Target): Verdict {
  switch (watch.state) {
    case "idle":
      return { tone: "quiet", title: "Not tested", text: target.probe.how, fix: null };
    case "watching":
      return { tone: "waiting", title: "Waiting for the request", text: target.probe.how, fix: null };
    case "confirmed":
      return {
        tone: "good",
        title: "Captured",
        text: "Weir has the request. This does not identify which app, browser or process sent it.",
        fix: null,
      };
    case "cancelled":
      return { tone: "quiet", title: "The test was stopped", text: CAUSES[watch.cause], fix: "Run the test again." };
    case "timed-out":
      return { ...lateVerdict(watch), tone: "bad" };
  }
}

/** The words for something seen while waiting. */
export function sightingVerdict(sighting: Sighting): Verdict & { readonly tone: "quiet" | "bad" } {
  switch (sighting.kind) {
    case "certificate-rejected":
      return {
        tone: "bad",
        title: "A client reached the proxy, but rejected the certificate",
        text: "The proxy setting works. The connection for the probe host was given up in or right after the TLS handshake, as clients do that do not trust Weir's root.",
        fix: "Check that the path in the snippet is the exported file, or do the trust steps of Setup again. Then send the request again.",
      };
    case "without-tls":
      return {
        tone: "bad",
        title: "The request reached the proxy without TLS",
        text: "The proxy setting works, but the request was sent in clear, so the certificate is not proven.",
        fix: "Ask for the URL with https, and see that the client opens a tunnel (CONNECT) for https instead of sending the URL to the proxy.",
      };
    case "no-http":
      return {
        tone: "bad",
        title: "Something reached the proxy's port that is no HTTP",
        text: "It spoke TLS or SOCKS to Weir itself, as a client does whose proxy address begins with https:// or socks5://. Weir is spoken to in plain http, for https URLs too. It may have been another program than the one under test.",
        fix: "See that the proxy's address begins with http:// wherever the client is given it: copy the snippet again. Then send the request again.",
      };
    case "probe-host":
      return {
        tone: "quiet",
        title: "A client asked for the probe host, but not for this target's address",
        text: "The proxy setting works, and the client accepted the certificate. It may be another target's test, or a snippet with another URL.",
        fix: "Ask for exactly the address that is shown here, with GET.",
      };
    case "direct":
      return {
        tone: "bad",
        title: "The request reached Weir, but not through the proxy setting",
        text: "It came straight to the listener, as to any web server.",
        fix: "Set network.proxy.allow_hijacking_localhost to true and look at the proxy settings, then open the page again.",
      };
  }
}

const CAUSES: Readonly<Record<Cause, string>> = {
  "session-cleared": "The session was cleared while the test waited.",
  "new-session": "A new session was begun while the test waited.",
  "recording-paused": "Recording was paused while the test waited.",
  "proxy-stopped": "The proxy stopped while the test waited.",
  "by-user": "You stopped it.",
};

/** The seed's causes, of which none holds where Weir itself answers for the probe host. */
const UNREACHED =
  "That can happen even when everything is set: the probe host may be unreachable, DNS blocked, or the outbound request forbidden by a network policy.";
const UNSENT = `Either nothing was sent, or it went past the proxy: a client that does not find ${BUILT_IN_PROBE_HOST} did so, since nobody but Weir knows that name. What the client printed says more: paste it in Troubleshooting.`;

/** What was seen last, which says more than that nothing more came; `null`: nothing. */
export function lastSighting(sightings: readonly Sighting[]): Sighting | null {
  return sightings.reduce<Sighting | null>(
    (latest, next) => (latest === null || next.at > latest.at ? next : latest),
    null,
  );
}

function lateVerdict({ sightings, probe }: Extract<Watch, { state: "timed-out" }>): Omit<Verdict, "tone"> {
  const last = lastSighting(sightings);
  if (last !== null) return sightingVerdict(last);
  return {
    title: "No request was seen",
    text: probe.url.startsWith(`https://${BUILT_IN_PROBE_HOST}/`) ? UNSENT : UNREACHED,
    fix: RECOVERY,
  };
}
