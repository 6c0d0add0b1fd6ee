import { hostPort } from "../model/host-port.ts";
import type { Target } from "./target.ts";

/** What the preflight looks at. All of it is read; nothing is changed. */
export interface HubConditions {
  /** As Node's `process.platform`. */
  readonly platform: string;
  readonly proxy: { readonly running: boolean; readonly address: string; readonly port: number };
  /** This machine's IPv4 address while LAN listening is on, else `null`. */
  readonly lan: string | null;
  readonly recording: boolean;
  readonly certificate: {
    /** SHA-256, bytes in hexadecimal with colons between them. */
    readonly fingerprint: string;
    /** Whether the system's store holds our root; `null`: it could not be read or was not asked yet. */
    readonly trustedBySystem: boolean | null;
    /** Why the exported files are not in place, as a sentence; `null` if they are. */
    readonly exportProblem: string | null;
  };
  readonly probeHost: string;
  /** Whether a host pattern list names the probe host: its TLS is tunnelled untouched, or it is in no row. */
  readonly probeHostPassedThrough: boolean;
  readonly probeHostExcluded: boolean;
  /** What the target's snippet was last copied with; `null`: never. */
  readonly copied: { readonly port: number; readonly fingerprint: string } | null;
}

/** What the one button beside a blocking issue does. */
export type ActionKind = "start-proxy" | "resume-recording" | "show-trust-steps" | "export-certificate";

export interface Action {
  readonly kind: ActionKind;
  readonly label: string;
}

export type CheckName = "proxy" | "recording" | "trust" | "export";

export interface Check {
  readonly name: CheckName;
  /** As the list of checks shows it: "Proxy". */
  readonly title: string;
  /** `note`: not fulfilled, but not needed here. */
  readonly state: "passed" | "note" | "blocked";
  readonly text: string;
  /** Only with `blocked`. */
  readonly action: Action | null;
}

export interface Preflight {
  /** All four, in the seed's order. */
  readonly checks: readonly Check[];
  /** The first that blocks; the test does not run while there is one. */
  readonly blocking: Check | null;
  /** What may make the test fail although nothing blocks it. */
  readonly warnings: readonly string[];
}

/** The seed's four conditions in its order (Errors), then decisions.md's warnings. */
export function preflight(target: Target, conditions: HubConditions): Preflight {
  const checks = [
    proxyCheck(conditions),
    recordingCheck(conditions),
    trustCheck(target, conditions),
    exportCheck(conditions),
  ];
  return Object.freeze({
    checks,
    blocking: checks.find((check) => check.state === "blocked") ?? null,
    warnings: warningsOf(target, conditions),
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
  return blocked("recording", title, "Recording is paused, so no request would be seen.", {
    kind: "resume-recording",
    label: "Resume recording",
  });
}

function trustCheck({ trust }: Target, { platform, certificate }: HubConditions): Check {
  const title = "System trust";
  const note = (text: string): Check => ({ name: "trust", title, state: "note", text, action: null });
  if (trust.kind === "own-store") return note(trust.where);
  if (trust.kind === "loads-file") return note("Not needed here: the snippet names the certificate file itself.");
  if (!trust.platforms.includes(platform)) return note(trust.elsewhere);
  if (certificate.trustedBySystem === null) return note("Whether the system trusts the certificate could not be read.");
  if (certificate.trustedBySystem) return passed("trust", title, "The system trusts the certificate.");
  return blocked("trust", title, "The system does not trust the certificate, and this target asks the system.", {
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

function warningsOf(target: Target, conditions: HubConditions): readonly string[] {
  const { proxy, certificate, copied, lan, probeHost } = conditions;
  const warnings: string[] = [];
  if (target.remote && lan === null)
    warnings.push(
      `Weir listens on ${proxy.address} only, which other machines and containers with a network of their own cannot reach. For those, turn on LAN listening in Settings, Proxy.`,
    );
  if (conditions.probeHostPassedThrough)
    warnings.push(
      `${probeHost} is on the pass-through list: its requests cannot be seen. Take it off the list in Settings.`,
    );
  if (conditions.probeHostExcluded)
    warnings.push(
      `${probeHost} is outside the capture scope: its requests are in no row. Change the scope in Settings.`,
    );
  if (copied !== null && copied.port !== proxy.port)
    warnings.push(
      `The snippet was copied with port ${copied.port}; the proxy listens on ${proxy.port} now. Copy it again.`,
    );
  if (copied !== null && copied.fingerprint !== certificate.fingerprint)
    warnings.push("The snippet was copied before the present certificate was made. Copy it again.");
  return Object.freeze(warnings);
}

function passed(name: CheckName, title: string, text: string): Check {
  return Object.freeze({ name, title, state: "passed", text, action: null });
}

function blocked(name: CheckName, title: string, text: string, action: Action): Check {
  return Object.freeze({ name, title, state: "blocked", text, action: Object.freeze(action) });
}
