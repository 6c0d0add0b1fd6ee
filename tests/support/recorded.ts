import type { Status } from "../../src/engine/messages/status-messages.ts";
import type { Exchange } from "../../src/engine/model/exchange.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../src/engine/model/settings.ts";
import {
  type Insights,
  NO_BODIES,
  NO_CHAINS,
  NO_GROUPS,
  NO_RANKED,
  NO_REPEATS,
  NO_SLOW_CAUSES,
} from "../../src/engine/session/evaluation/insights.ts";
import { Baseline, type History } from "../../src/engine/session/lists/history.ts";
import type { Archive, Context, HubSource, SessionSource } from "../../src/engine/session/queries/context.ts";
import { Session } from "../../src/engine/session/session.ts";
import { eventsOf, instant } from "./capture.ts";

/** A session that recorded the exchanges one after another. */
export function recorded(exchanges: readonly Exchange[], rowCap?: number): Session {
  const session = new Session(rowCap);
  for (const made of exchanges) session.apply(eventsOf(made));
  return session;
}

/** An empty archive. */
export const EMPTY_ARCHIVE: Archive = {
  headsOf: () => null,
  headReader: () => () => null,
  bodyOf: () => ({ kept: 0 }),
  messageCount: () => 0,
  prepareMessages: () => true,
  messagesOf: () => [],
};

/** The context for queries. */
export function contextOf(
  session: Session,
  {
    settings,
    now = 0,
    archive = EMPTY_ARCHIVE,
    insights = NO_INSIGHTS,
    history = NO_HISTORY,
  }: {
    settings?: Partial<Settings>;
    now?: number;
    archive?: Archive;
    insights?: Insights;
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
    insights,
    history,
    sessions: NO_SESSIONS,
    now: instant(now),
  };
}

/** Insights that were not searched for yet. */
export const NO_INSIGHTS: Insights = {
  version: 0,
  chains: () => ({ ...NO_CHAINS, chainGap: 300 }),
  groups: () => NO_GROUPS,
  repeats: () => NO_REPEATS,
  slowCauses: () => NO_SLOW_CAUSES,
  where: () => null,
  ranked: () => NO_RANKED,
  bodies: () => NO_BODIES,
  gains: () => null,
  marked: () => null,
};

/** A history without earlier sessions. */
export const NO_HISTORY: History = {
  version: 0,
  baseline: new Baseline([]),
  figuresOf: () => null,
  current: () => {
    throw new Error("no session here");
  },
};

const NO_SESSIONS: SessionSource = {
  state: () => ({ sessions: [], trash: [], recovered: null, size: 0 }),
  shown: () => ({ kind: "current" }),
};

/** A hub source that no test calls. */
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
  pause: null,
  conditions: null,
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
  experiment: null,
};
