import { BASELINE_SESSIONS } from "../../src/engine/insights/trends.ts";
import type { EndpointStats } from "../../src/engine/messages/latency-messages.ts";
import type { Endpoint } from "../../src/engine/model/endpoint.ts";
import { forgetOldest } from "../../src/engine/model/forget-oldest.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { figuresOf, type SessionFigures } from "../../src/engine/session/figures.ts";
import type { PastSession } from "../../src/engine/session/history.ts";
import type { Session } from "../../src/engine/session/session.ts";
import type { SessionFacts } from "./storage/session-facts.ts";

/** Our choice: figures that are held in memory, for the baseline and a comparison. */
const MOST_HELD = 2 * BASELINE_SESSIONS;

/**
 * Our choice: of more endpoints with a row, those with the most requests are kept. So many take some 8 MB and 0.2 s to read, and
 * ten such sessions are a baseline; a file of all could be longer than is read at all (session-facts.ts).
 */
const MOST_ENDPOINTS = 20_000;

/** What is to be kept of a session that ends. */
export function keptFiguresOf(session: Session): SessionFigures {
  const figures = figuresOf(session);
  if (figures.endpoints.length <= MOST_ENDPOINTS) return figures;
  const busiest = figures.endpoints.toSorted((one, other) => other.requests - one.requests).slice(0, MOST_ENDPOINTS);
  return Object.freeze({ ...figures, endpoints: Object.freeze(busiest) });
}

/** The figures of sessions that have ended, read once and held as long as they may be asked for again. */
export class StoredFigures {
  readonly #read: (id: string) => unknown;
  readonly #held = new Map<string, SessionFigures | null>();

  /** `read`: what is stored of a session. */
  constructor(read: (id: string) => unknown) {
    this.#read = read;
  }

  of(id: string): SessionFigures | null {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const figures = figuresIn(this.#read(id));
    this.#held.set(id, figures);
    forgetOldest(this.#held, MOST_HELD);
    return figures;
  }

  /** They were made anew, or are gone. */
  forget(id: string): void {
    this.#held.delete(id);
  }

  /** decisions.md, Trend: the latest 10 completed sessions that count (an endpoint reached 5 requests, and nobody left it out), oldest first. */
  baseline(sessions: readonly SessionFacts[]): readonly PastSession[] {
    const found: PastSession[] = [];
    for (const { id, name, startedAt, state, baseline } of sessions.toReversed()) {
      if (found.length === BASELINE_SESSIONS) break;
      if (state !== "completed" || !baseline) continue;
      const figures = this.of(id);
      if (figures !== null && figures.endpoints.length > 0) found.push({ id, name, startedAt, figures });
    }
    return found.reverse();
  }
}

/** The figures of a session as they were stored, decoded; `null` for what are none. Endpoints that are damaged are left out. */
function figuresIn(stored: unknown): SessionFigures | null {
  if (!isRecord(stored) || !Array.isArray(stored["endpoints"])) return null;
  const { start, exchanges, counted, errors, p95, bytes } = stored;
  if (!isFigure(start) || !isFigure(p95)) return null;
  if (!isNumber(exchanges) || !isNumber(counted) || !isNumber(errors) || !isNumber(bytes)) return null;
  const endpoints = Object.freeze(stored["endpoints"].flatMap((value) => statsOf(value) ?? []));
  return Object.freeze({ start: start as Instant | null, exchanges, counted, errors, p95, bytes, endpoints });
}

function statsOf(value: unknown): EndpointStats | null {
  if (!isRecord(value)) return null;
  const { endpoint, method, origin, path, requests, errors, samples, p50, p95, p99 } = value;
  const { avgSize, avgDecodedSize, avgRequestSize, errorRate, protocols } = value;
  if (typeof endpoint !== "string" || typeof method !== "string") return null;
  if (typeof origin !== "string" || typeof path !== "string") return null;
  if (!isNumber(requests) || !isNumber(errors) || !isNumber(samples)) return null;
  if (!isNumber(avgRequestSize) || !isNumber(errorRate)) return null;
  if (!isFigure(p50) || !isFigure(p95) || !isFigure(p99) || !isFigure(avgSize) || !isFigure(avgDecodedSize))
    return null;
  return Object.freeze({
    endpoint: endpoint as Endpoint,
    method,
    origin,
    path,
    requests,
    errors,
    samples,
    p50,
    p95,
    p99,
    avgSize,
    avgDecodedSize,
    avgRequestSize,
    errorRate,
    protocols: Object.freeze(Array.isArray(protocols) ? protocols.filter((one) => typeof one === "string") : []),
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function isFigure(value: unknown): value is number | null {
  return value === null || isNumber(value);
}
