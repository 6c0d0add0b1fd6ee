import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import { BUILT_IN_PROBE_HOST } from "../../../../src/engine/hub/target.ts";
import { TARGETS } from "../../../../src/engine/hub/targets/index.ts";
import type { Notice } from "../../../../src/engine/messages/status-messages.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import type { Session } from "../../../../src/engine/session/session.ts";
import { matchesHost } from "../../data-thread/network/origin.ts";
import type { Clock } from "../../process/clock.ts";
import type { SettingsFile } from "../../storage/settings-file.ts";
import type { CurrentSession } from "../recording/current-session.ts";
import type { Notices } from "./engine-state.ts";
import type { SessionCommands } from "./session-commands.ts";
import { SessionInsights } from "./session-insights.ts";

interface CurrentAnalysisOptions {
  readonly currentSession: CurrentSession;
  readonly settings: SettingsFile;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly history: () => SessionCommands["history"];
}

/** The insights and the pass-through advice of the current session. Both begin again with a new session. */
export class CurrentAnalysis {
  readonly #options: CurrentAnalysisOptions;
  #advice: { readonly session: Session; readonly id: string | null; readonly of: PassThroughAdvice };
  #insights: { readonly session: Session; readonly of: SessionInsights } | null = null;

  constructor(options: CurrentAnalysisOptions) {
    this.#options = options;
    const { session, id } = options.currentSession;
    this.#advice = { session, id, of: new PassThroughAdvice() };
  }

  get advice(): PassThroughAdvice {
    const { session, id } = this.#options.currentSession;
    const before = this.#advice;
    // A deletion makes another object of the same session.
    const isSame = before.session === session || (id !== null && before.id === id);
    this.#advice = { session, id, of: isSame ? before.of : new PassThroughAdvice() };
    if (!isSame) this.#options.notices.advise([]);
    return this.#advice.of;
  }

  get insights(): SessionInsights {
    const { currentSession, settings, clock, history } = this.#options;
    const { session } = currentSession;
    if (this.#insights?.session !== session) {
      void this.#insights?.of.endAnalysis();
      const of = new SessionInsights({
        session,
        reader: () => currentSession.reader(),
        wasCutOff: false,
        chainGap: () => settings.settings.chainGap,
        until: () => clock.now(),
        captured: () => session.revision,
        baseline: () => history().baseline,
        onTrouble: (trouble) => this.onTrouble(trouble),
      });
      this.#insights = { session, of };
    }
    return this.#insights.of;
  }

  addEvents(events: readonly CaptureEvent[]): void {
    const { session } = this.#options.currentSession;
    if (this.advice.addEvents(events, (id) => session.exchange(id))) this.advise();
  }

  /** Shows the advice that the settings leave. */
  advise(): void {
    const { currentSession, settings, notices } = this.#options;
    const { passThrough } = settings.settings;
    notices.advise(this.advice.notices(passThrough, (id) => currentSession.session.exchange(id)));
  }

  /** `trouble`: why the analysis failed; `null` once it answers again. */
  onTrouble(trouble: string | null): void {
    this.#options.notices.set(
      "analysis",
      trouble === null ? null : `The analysis failed and is started again: ${trouble}. Captured data is kept.`,
    );
  }

  /** Begins the insights of a new session, whose files the old one no longer reads. */
  tick(): void {
    void this.advice;
    void this.insights;
  }

  /** Ends the analysis, so that the session's files can be deleted. The next query starts it again. */
  async endAnalysis(): Promise<void> {
    const insights = this.#insights;
    this.#insights = null;
    await insights?.of.endAnalysis();
  }
}

/** docs/specification.md, Pass-through: after this many certificate rejections, a host gets advice. */
const REJECTIONS = 3;
/** The most hosts that are counted, and how many of a host's latest rejections are searched for clients' names. */
const MOST_HOSTS = 1_000;
const MOST_NAMED = 20;

/** Returns an exchange of the session; `null` if it was evicted. */
type Find = (id: ExchangeId) => Pick<Exchange, "origin" | "program" | "client"> | null;

interface Rejected {
  count: number;
  /** The latest exchanges in which a client rejected our certificate. */
  readonly exchanges: ExchangeId[];
}

/** Counts the certificate rejections of one session by host, and gives advice about them. */
export class PassThroughAdvice {
  readonly #hosts = new Map<string, Rejected>();
  readonly #dismissed = new Set<string>();

  /**
   * Counts the rejections in these events. Returns whether the notices may have changed: after a rejection, or once a
   * client was named.
   */
  addEvents(events: readonly CaptureEvent[], find: Find): boolean {
    let isChanged = false;
    for (const event of events) {
      if (event.type === "client-named") isChanged ||= this.#hosts.size > 0;
      if (event.type !== "exchange-ended" || event.outcome.kind !== "failed") continue;
      if (event.outcome.errorType !== "client-rejected-certificate") continue;
      const host = hostOf(find(event.id)?.origin ?? null);
      // Weir itself responds for the probe host, so it is useless to pass that host through. The Validate tab gives
      // advice instead.
      if (host === null || host === BUILT_IN_PROBE_HOST) continue;
      if (this.#hosts.size >= MOST_HOSTS && !this.#hosts.has(host)) continue;
      const known = this.#hosts.get(host) ?? { count: 0, exchanges: [] };
      known.count += 1;
      known.exchanges.push(event.id);
      if (known.exchanges.length > MOST_NAMED) known.exchanges.shift();
      this.#hosts.set(host, known);
      isChanged = true;
    }
    return isChanged;
  }

  /** Suppresses further advice about this host. */
  dismiss(host: string): void {
    this.#dismissed.add(host);
  }

  /**
   * A notice for each host with enough rejections, unless `patterns` pass the host through or its notice was dismissed.
   */
  notices(patterns: readonly string[], find: Find): readonly Notice[] {
    const advised = [...this.#hosts].filter(
      ([host, { count }]) => count >= REJECTIONS && !this.#dismissed.has(host) && !matchesHost(patterns, host),
    );
    return advised.map(([host, { count, exchanges }]) => {
      const names = new Set(exchanges.map((id) => nameOf(find(id))));
      const [name = null, ...others] = [...names].filter((one) => one !== null);
      const isAlone = others.length === 0 && names.size === 1;
      const who = isAlone ? (name ?? "A client") : `${name} and others`;
      const text = `${who} rejected Weir’s certificate for ${host} ${count} times.`;
      return Object.freeze({
        id: `pass-through ${host}`,
        severity: "warning" as const,
        text,
        advice: Object.freeze({ host, target: isAlone ? targetFor(name) : null }),
      });
    });
  }
}

/**
 * The program's name, from the system or else from the User-Agent; `null` if neither names it. A User-Agent that begins
 * with "Mozilla" names none, because those of all browsers do.
 */
function nameOf(exchange: ReturnType<Find>): string | null {
  if (exchange === null) return null;
  const agent = /^\S+ ([\w.-]+)(?:\/|$)/.exec(exchange.client)?.[1] ?? null;
  return exchange.program ?? (agent === "Mozilla" ? null : agent);
}

/** The slug of the target for a program: "python3.13" is Python, "node" is Node.js. `null` if there is none. */
function targetFor(program: string | null): string | null {
  const name = /^[a-z]+/i.exec(program ?? "")?.[0].toLowerCase();
  return TARGETS.find(({ slug }) => slug === name || slug === `${name}js`)?.slug ?? null;
}

function hostOf(origin: string | null): string | null {
  return (
    /^https?:\/\/(?:\[([^\]]+)\]|([^:/]+))/
      .exec(origin ?? "")
      ?.slice(1)
      .find((part) => part !== undefined) ?? null
  );
}
