import type { CaptureEvent, RequestStarted } from "../capture/event.ts";
import type { ErrorType, Outcome } from "../model/exchange.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import type { Probe } from "./probe.ts";
import { matchOf } from "./probe.ts";

/** decisions.md, Watcher: what "+30 s" adds. Our choice. */
const EXTENSION: Milliseconds = 30_000;

/** Our choice: letters of a request's target that are quoted. */
const MOST_DETAIL = 120;

/** Why a running watch ended before its time. */
export type Cause = "session-cleared" | "new-session" | "recording-paused" | "proxy-stopped" | "by-user";

/** Something that was seen while waiting and is not yet the capture. */
export type SightingKind = "certificate-rejected" | "without-tls" | "no-http" | "direct" | "probe-host";

export interface Sighting {
  readonly kind: SightingKind;
  /** When it was seen last. */
  readonly at: Instant;
  readonly count: number;
  /** The network's own sentence about it, or what was asked for (captured text); `null` where there is none. */
  readonly detail: string | null;
}

interface Watched {
  readonly probe: Probe;
  readonly startedAt: Instant;
  /** One of each kind at most, in the order in which they were seen first. */
  readonly sightings: readonly Sighting[];
}

/** The seed's states; their names are labels of that document and are never shown. */
export type Watch =
  | { readonly state: "idle" }
  | ({
      readonly state: "watching";
      readonly until: Instant;
      /** Rejected tunnels that began for the probe's host and have not ended. */
      readonly suspects: readonly ExchangeId[];
    } & Watched)
  | ({ readonly state: "confirmed"; readonly at: Instant; readonly exchange: ExchangeId } & Watched)
  | ({ readonly state: "cancelled"; readonly at: Instant; readonly cause: Cause } & Watched)
  | ({ readonly state: "timed-out"; readonly at: Instant } & Watched);

export type WatchEvent =
  /** Run Test, after a preflight that blocks nothing. */
  | { readonly type: "run"; readonly at: Instant; readonly probe: Probe }
  | { readonly type: "captured"; readonly event: CaptureEvent }
  | { readonly type: "tick"; readonly at: Instant }
  | { readonly type: "extend" }
  | { readonly type: "cancel"; readonly at: Instant; readonly cause: Cause };

export const IDLE: Watch = Object.freeze({ state: "idle" });

/**
 *   idle ──run──▶ watching ──the probe's request──▶ confirmed
 *                    ├──clear, new session, pause, stop, Cancel──▶ cancelled
 *                    └──its time is over──▶ timed out               (a run starts anew from anywhere)
 */
export function watch(current: Watch, event: WatchEvent): Watch {
  if (event.type === "run") return started(event.at, event.probe);
  if (current.state !== "watching") return current;
  switch (event.type) {
    case "captured":
      return seen(current, event.event);
    case "tick":
      return event.at < current.until ? current : ended(current, { state: "timed-out", at: event.at });
    case "extend":
      return Object.freeze({ ...current, until: (current.until + EXTENSION) as Instant });
    case "cancel":
      return ended(current, { state: "cancelled", at: event.at, cause: event.cause });
  }
}

/** What is left of the wait; 0 when nothing waits. */
export function remaining(current: Watch, now: Instant): Milliseconds {
  return current.state === "watching" ? Math.max(0, current.until - now) : 0;
}

type Watching = Extract<Watch, { state: "watching" }>;

function started(at: Instant, probe: Probe): Watch {
  const until = (at + probe.limit) as Instant;
  return Object.freeze({ state: "watching", probe, startedAt: at, until, sightings: [], suspects: [] });
}

function ended<End extends object>(current: Watching, end: End): Watched & End {
  const { probe, startedAt, sightings } = current;
  return Object.freeze({ probe, startedAt, sightings, ...end });
}

function seen(current: Watching, event: CaptureEvent): Watch {
  switch (event.type) {
    case "request-started": {
      // What began before Run Test is no answer to it.
      if (event.at < current.startedAt) return current;
      if (event.tags.includes("tunnel") && event.target.toLowerCase() === current.probe.authority)
        return Object.freeze({ ...current, suspects: [...current.suspects, event.id] });
      const spoken = otherProtocol(event);
      if (spoken !== null) return withSighting(current, "no-http", event.at, `It began as ${spoken} does.`);
      const match = matchOf(current.probe, event);
      if (match === "other") return current;
      if (match === "probe") return ended(current, { state: "confirmed", at: event.at, exchange: event.id });
      const detail =
        match === "probe-host" ? `It asked for ${event.method} ${event.target.slice(0, MOST_DETAIL)}.` : null;
      return withSighting(current, match, event.at, detail);
    }
    case "exchange-ended": {
      if (!current.suspects.includes(event.id)) return current;
      const suspects = current.suspects.filter((id) => id !== event.id);
      const rejection = rejectionOf(event.outcome);
      const rest = { ...current, suspects };
      return rejection === null ? Object.freeze(rest) : withSighting(rest, "certificate-rejected", event.at, rejection);
    }
    default:
      return current;
  }
}

/** What was spoken to the port in place of HTTP, by its first byte: a TLS record of a handshake, or a version of SOCKS. */
function otherProtocol({ tags, head }: RequestStarted): "TLS" | "SOCKS" | null {
  if (!tags.includes("malformed")) return null;
  if (head.startsWith("\x16")) return "TLS";
  return head.startsWith("\x05") || head.startsWith("\x04") ? "SOCKS" : null;
}

/** A TLS alert, or a close inside or right after the handshake: clients that say nothing reject like this too. */
const REJECTIONS: readonly ErrorType[] = ["client-rejected-certificate", "client-tls-failed"];

function rejectionOf(outcome: Outcome): string | null {
  return outcome.kind === "failed" && REJECTIONS.includes(outcome.errorType) ? outcome.detail : null;
}

function withSighting(current: Watching, kind: SightingKind, at: Instant, detail: string | null): Watch {
  const known = current.sightings.find((sighting) => sighting.kind === kind);
  const sighting = Object.freeze({ kind, at, count: (known?.count ?? 0) + 1, detail });
  const sightings =
    known === undefined
      ? [...current.sightings, sighting]
      : current.sightings.map((old) => (old === known ? sighting : old));
  return Object.freeze({ ...current, sightings });
}
