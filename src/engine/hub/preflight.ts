import { hostPort, isThisMachine } from "../model/host-port.ts";
import { LOADS_FILE, type Target } from "./target.ts";

/** What the preflight checks: state of the proxy and the certificate. */
export interface HubConditions {
  /** As in Node's `process.platform`. */
  readonly platform: string;
  readonly proxy: { readonly running: boolean; readonly address: string; readonly port: number };
  /** This machine's IPv4 address while LAN listening is on, else `null`. */
  readonly lan: string | null;
  readonly recording: boolean;
  readonly certificate: {
    /** SHA-256 in hexadecimal, with colons between bytes. */
    readonly fingerprint: string;
    /** Whether the system's store contains our root; `null` if the store cannot be read or was not checked yet. */
    readonly trustedBySystem: boolean | null;
    /** Why the exported files are not in place, as a sentence; `null` if they are. */
    readonly exportProblem: string | null;
  };
  readonly probeHost: string;
  /**
   * Whether a pattern passes the probe host through, so that its TLS is tunnelled (`probeHostPassedThrough`). Whether a
   * pattern excludes the probe host from recording (`probeHostExcluded`).
   */
  readonly probeHostPassedThrough: boolean;
  readonly probeHostExcluded: boolean;
  /** The port and certificate of the last copied snippet; `null` if none was copied. */
  readonly copied: { readonly port: number; readonly fingerprint: string } | null;
}

/** The action of the button beside a blocking issue. */
export type ActionKind =
  | "start-proxy"
  | "resume-recording"
  | "show-trust-steps"
  | "export-certificate"
  | "open-to-network";

export interface Action {
  readonly kind: ActionKind;
  readonly label: string;
}

export type CheckName = "proxy" | "recording" | "trust" | "export" | "reach";

export interface Check {
  readonly name: CheckName;
  /** The title in the list of checks: "Proxy". */
  readonly title: string;
  /** `note`: the condition is not met, but this target does not need it. */
  readonly state: "passed" | "note" | "blocked";
  readonly text: string;
  /** Set only if `blocked`. */
  readonly action: Action | null;
}

export interface Preflight {
  /**
   * All checks, in order of precedence. The check `reach` is only present for clients on other computers or networks.
   */
  readonly checks: readonly Check[];
  /** The first check that blocks the test; `null` if none does. */
  readonly blocking: Check | null;
  /** What may make the test fail although nothing blocks it. */
  readonly warnings: readonly string[];
}

/**
 * Checks the conditions in order, then adds the warnings of docs/specification.md. `isElsewhere`: whether the client to
 * test is on another computer or network.
 */
export function preflight(
  target: Target,
  conditions: HubConditions,
  isElsewhere = target.remote === "always",
): Preflight {
  const checks = [
    proxyCheck(conditions),
    recordingCheck(conditions),
    trustCheck(target, conditions),
    exportCheck(conditions),
    ...(target.remote === undefined ? [] : [reachCheck(conditions, isElsewhere)]),
  ];
  return Object.freeze({
    checks,
    blocking: checks.find((check) => check.state === "blocked") ?? null,
    warnings: warningsOf(conditions),
  });
}

function proxyCheck({ proxy }: HubConditions): Check {
  const title = "Proxy";
  if (proxy.running) return passed("proxy", title, `Running on ${hostPort(proxy.address, proxy.port)}.`);
  return blocked("proxy", title, "The proxy is stopped.", { kind: "start-proxy", label: "Start proxy" });
}

function recordingCheck({ recording }: HubConditions): Check {
  const title = "Recording";
  if (recording) return passed("recording", title, "On.");
  return blocked("recording", title, "Recording is paused, so Weir would not record the request.", {
    kind: "resume-recording",
    label: "Resume recording",
  });
}

function trustCheck({ trust = LOADS_FILE }: Target, { platform, certificate }: HubConditions): Check {
  const title = "System trust";
  const note = (text: string): Check => ({ name: "trust", title, state: "note", text, action: null });
  if (trust.kind === "own-store") return note(trust.where);
  if (trust.kind === "no-certificate") return note(trust.why);
  if (trust.kind === "loads-file") return note("System trust is not needed: the snippet names the certificate file.");
  if (trust.kind === "names-key") return note("System trust is not needed: the command names the certificate's key.");
  if (!trust.platforms.includes(platform)) return note(trust.elsewhere);
  if (certificate.trustedBySystem === null)
    return note("Weir could not read whether the system trusts the certificate.");
  if (certificate.trustedBySystem) return passed("trust", title, "The system trusts the certificate.");
  return blocked("trust", title, "The system does not trust the certificate, and this target uses the system store.", {
    kind: "show-trust-steps",
    label: "Show the trust steps",
  });
}

function exportCheck({ certificate }: HubConditions): Check {
  const title = "Certificate export";
  if (certificate.exportProblem === null) return passed("export", title, "The exported files are in place.");
  return blocked("export", title, `The certificate is not exported. ${certificate.exportProblem}`, {
    kind: "export-certificate",
    label: "Export, or choose another folder",
  });
}

/** The action that opens the proxy to the network; also shown beside a snippet without a network address. */
export const OPEN_TO_NETWORK: Action = Object.freeze({
  kind: "open-to-network",
  label: "Make Weir reachable from the local network",
});

function reachCheck({ proxy, lan }: HubConditions, isElsewhere: boolean): Check {
  const title = "Reach";
  if (lan !== null) return passed("reach", title, `Other devices reach Weir at ${hostPort(lan, proxy.port)}.`);
  const note = (text: string): Check => ({ name: "reach", title, state: "note", text, action: null });
  if (!isThisMachine(proxy.address))
    return note("This computer has no network address, so other devices cannot reach Weir yet.");
  const text = `Weir listens on ${proxy.address} only. Other devices and containers with their own network cannot reach Weir.`;
  return isElsewhere ? blocked("reach", title, text, OPEN_TO_NETWORK) : note(text);
}

function warningsOf(conditions: HubConditions): readonly string[] {
  const { proxy, certificate, copied, probeHost } = conditions;
  const warnings: string[] = [];
  if (conditions.probeHostPassedThrough)
    warnings.push(
      `${probeHost} passes through, so Weir cannot read its requests. Remove the host from Settings, Capture, Pass through.`,
    );
  if (conditions.probeHostExcluded)
    warnings.push(
      `${probeHost} is outside the capture scope, so its requests are not recorded. Change the scope in Settings, Capture.`,
    );
  if (copied !== null && copied.port !== proxy.port)
    warnings.push(
      `The snippet was copied with port ${copied.port}; the proxy listens on ${proxy.port} now. Copy the snippet again.`,
    );
  if (copied !== null && copied.fingerprint !== certificate.fingerprint)
    warnings.push("The snippet was copied before the current certificate was made. Copy the snippet again.");
  return Object.freeze(warnings);
}

function passed(name: CheckName, title: string, text: string): Check {
  return Object.freeze({ name, title, state: "passed", text, action: null });
}

function blocked(name: CheckName, title: string, text: string, action: Action): Check {
  return Object.freeze({ name, title, state: "blocked", text, action: Object.freeze(action) });
}
