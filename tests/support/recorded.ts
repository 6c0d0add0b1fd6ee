import type { Status } from "../../src/engine/messages/status-messages.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/engine/model/settings.ts";
import type { Archive } from "../../src/engine/session/archive.ts";
import type { Context, HubSource, SessionSource } from "../../src/engine/session/context.ts";
import { type Findings, NO_OVERLAPS } from "../../src/engine/session/findings.ts";
import { Baseline, type History } from "../../src/engine/session/history.ts";
import { Session } from "../../src/engine/session/session.ts";
import { eventsOf, instant } from "./capture.ts";

/** A session that recorded these exchanges, one after the other. */
export function recorded(exchanges: readonly Exchange[], rowCap?: number): Session {
  const session = new Session(rowCap);
  for (const made of exchanges) session.apply(eventsOf(made));
  return session;
}

/** An archive that holds nothing. */
export const EMPTY_ARCHIVE: Archive = {
  headsOf: () => null,
  bodyOf: () => ({ kept: 0 }),
  messageCount: () => 0,
  messagesOf: () => [],
};

/** What questions are answered from. */
export function contextOf(
  session: Session,
  {
    settings,
    now = 0,
    archive = EMPTY_ARCHIVE,
    findings = NO_FINDINGS,
    history = NO_HISTORY,
  }: {
    settings?: Partial<Settings>;
    now?: number;
    archive?: Archive;
    findings?: Findings;
    history?: History;
  } = {},
): Context {
  const status = {
    ...STATUS,
    settings: settings === undefined ? DEFAULT_SETTINGS : { ...DEFAULT_SETTINGS, ...settings },
  };
  return {
    session,
    archive,
    status,
    hub: NO_HUB,
    findings,
    history,
    sessions: NO_SESSIONS,
    now: instant(now),
  };
}

/** Nobody has looked for any. */
const NO_FINDINGS: Findings = {
  version: 0,
  chains: () => ({ chains: [], chainGap: 300, progress: 1, placeOf: () => null }),
  overlaps: () => NO_OVERLAPS,
};

/** The first session ever. */
export const NO_HISTORY: History = {
  version: 0,
  baseline: new Baseline([]),
  figuresOf: () => null,
  current: () => {
    throw new Error("no session here");
  },
};

const NO_SESSIONS: SessionSource = {
  state: () => ({ sessions: [], recovered: null, size: 0 }),
  shown: () => ({ kind: "current" }),
};

/** Nobody asks it. */
const NO_HUB: HubSource = {
  state: () => {
    throw new Error("no hub here");
  },
  target: () => {
    throw new Error("no hub here");
  },
};

const STATUS: Status = {
  version: "0.0.0",
  host: "browser",
  proxy: { running: true, address: "127.0.0.1", port: 8_686, wantedPort: null, problem: null },
  lan: null,
  recording: true,
  certificate: {
    subject: "",
    issuer: "",
    names: "",
    validFrom: "",
    validTo: "",
    fingerprint: "",
    pem: "",
    bundle: "",
    der: "",
    endsAt: instant(2e12),
    renewable: true,
  },
  settings: DEFAULT_SETTINGS,
  environmentProxy: null,
  dataDir: "",
  notices: [],
  undoClearUntil: null,
};
