import type { CaptureEvent, RequestStarted } from "../capture/event.ts";
import type { ErrorType } from "../model/exchange.ts";
import type { ExchangeId, Instant, Milliseconds } from "../model/units.ts";
import { matchOf, type Probe } from "./probe.ts";

/** How much "+30 s" extends a test (docs/specification.md, Watcher). */
const EXTENSION: Milliseconds = 30_000;

/** The most characters that are quoted of a request's target. */
const MOST_DETAIL = 120;

/** Why a running watch was cancelled. */
export type Cause = "session-cleared" | "new-session" | "recording-paused" | "proxy-stopped" | "by-user";

/** What a watch may observe before the probe is captured. */
export type SightingKind =
  | "certificate-rejected"
  | "closed-silently"
  | "tls-failed"
  | "without-tls"
  | "no-http"
  | "direct"
  | "probe-host";

export interface Sighting {
  readonly kind: SightingKind;
  /** When it was last observed. */
  readonly at: Instant;
  readonly count: number;
  /** More about the sighting, as a sentence, which may contain captured text; `null` if there is nothing to add. */
  readonly detail: string | null;
}

interface Watched {
  readonly probe: Probe;
  readonly startedAt: Instant;
  /** At most one sighting of each kind, in order of first observation. */
  readonly sightings: readonly Sighting[];
}

/** The watcher's states; their names are never shown. */
export type Watch =
  | { readonly state: "idle" }
  | ({
      readonly state: "watching";
      readonly until: Instant;
      /** Open tunnels to the probe's host. */
      readonly suspects: readonly ExchangeId[];
    } & Watched)
  | ({ readonly state: "confirmed"; readonly at: Instant; readonly exchange: ExchangeId } & Watched)
  | ({ readonly state: "cancelled"; readonly at: Instant; readonly cause: Cause } & Watched)
  | ({ readonly state: "timed-out"; readonly at: Instant } & Watched);

export type WatchEvent =
  /** Starts a test, after a preflight without blocking issues. */
  | { readonly type: "run"; readonly at: Instant; readonly probe: Probe }
  | { readonly type: "captured"; readonly event: CaptureEvent }
  /**
   * A client closed its connection right after it received our certificate, without a TLS alert. `authority`: the
   * `host:port` that the client had requested.
   */
  | { readonly type: "closed"; readonly at: Instant; readonly authority: string }
  | { readonly type: "tick"; readonly at: Instant }
  | { readonly type: "extend" }
  | { readonly type: "cancel"; readonly at: Instant; readonly cause: Cause };

export const IDLE: Watch = Object.freeze({ state: "idle" });

/**
 * The next state of a watch. While watching, other events may add a sighting, and `extend` adds time.
 *
 *   idle ──run──▶ watching ──the probe's request──▶ confirmed
 *                    ├──clear, new session, pause, stop, Cancel──▶ cancelled
 *                    └──its time is over──▶ timed out               (from each state, a run starts again)
 */
export function watch(current: Watch, event: WatchEvent): Watch {
  if (event.type === "run") return started(event.at, event.probe);
  if (current.state !== "watching") return current;
  switch (event.type) {
    case "captured":
      return seen(current, event.event);
    case "closed":
      if (event.at < current.startedAt || event.authority !== current.probe.authority) return current;
      return withSighting(current, "closed-silently", event.at, null);
    case "tick":
      return event.at < current.until ? current : ended(current, { state: "timed-out", at: event.at });
    case "extend":
      return Object.freeze({ ...current, until: (current.until + EXTENSION) as Instant });
    case "cancel":
      return ended(current, { state: "cancelled", at: event.at, cause: event.cause });
  }
}

/** The time left; 0 if no test runs. */
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
      // Ignores a tunnel that was opened before the test started.
      if (event.at < current.startedAt) return current;
      if (event.tags.includes("tunnel") && event.target.toLowerCase() === current.probe.authority)
        return Object.freeze({ ...current, suspects: [...current.suspects, event.id] });
      const spoken = otherProtocol(event);
      if (spoken !== null) return withSighting(current, "no-http", event.at, spoken);
      const match = matchOf(current.probe, event);
      if (match === "other") return current;
      if (match === "probe") return ended(current, { state: "confirmed", at: event.at, exchange: event.id });
      const detail =
        match === "probe-host" ? `It requested ${event.method} ${event.target.slice(0, MOST_DETAIL)}.` : null;
      return withSighting(current, match, event.at, detail);
    }
    case "exchange-ended": {
      if (!current.suspects.includes(event.id)) return current;
      const suspects = current.suspects.filter((id) => id !== event.id);
      const rest = { ...current, suspects };
      const { outcome } = event;
      const kind = outcome.kind === "failed" ? (HANDSHAKES[outcome.errorType] ?? null) : null;
      if (outcome.kind !== "failed" || kind === null) return Object.freeze(rest);
      return withSighting(rest, kind, event.at, outcome.detail);
    }
    default:
      return current;
  }
}

/**
 * A sentence about a malformed request that is TLS (recognized by the first byte) or a refused SOCKS request; `null`
 * for all other requests.
 */
function otherProtocol({ tags, head, protocol }: RequestStarted): string | null {
  if (!tags.includes("malformed")) return null;
  if (protocol === "socks5") return "A SOCKS request was refused. The request's row in Traffic says why.";
  return head.startsWith("\x16") ? "The first byte was that of a TLS handshake." : null;
}

/** What a failed TLS handshake with a client implies, by its error type. */
const HANDSHAKES: Readonly<Partial<Record<ErrorType, SightingKind>>> = {
  "client-rejected-certificate": "certificate-rejected",
  "client-tls-failed": "tls-failed",
};

function withSighting(current: Watching, kind: SightingKind, at: Instant, detail: string | null): Watch {
  const known = current.sightings.find((sighting) => sighting.kind === kind);
  const sighting = Object.freeze({ kind, at, count: (known?.count ?? 0) + 1, detail });
  const sightings =
    known === undefined
      ? [...current.sightings, sighting]
      : current.sightings.map((old) => (old === known ? sighting : old));
  return Object.freeze({ ...current, sightings });
}
