import type { Summary } from "../../messages/status-messages.ts";
import type { Settings } from "../../model/settings.ts";
import type { Instant } from "../../model/units.ts";
import type { InsightEvaluator } from "../evaluation/insight-evaluator.ts";
import { exchangesOf, hiddenHostsOf } from "../filter/filter.ts";
import type { Baseline } from "../lists/history.ts";
import { hostCountsOf } from "../lists/occurring-values.ts";
import { sortedWindow } from "../lists/sorted-window.ts";
import type { Session } from "../session.ts";

/** messages.ts, Summary: the most hosts in the list. */
const HOSTS = 200;

const NO_BASELINE = { p95: null };

const NOTHING_HIDDEN = { hiddenHosts: [], showHiddenHosts: false };

/** The summary figures, the status bar and the host list. */
export function summaryOf(
  session: Session,
  evaluator: InsightEvaluator,
  now: Instant,
  baseline: Pick<Baseline, "p95"> = NO_BASELINE,
  settings: Pick<Settings, "hiddenHosts" | "showHiddenHosts"> = NOTHING_HIDDEN,
): Summary {
  const { summary } = session;
  const { counted, errors } = summary;
  const counts = hostCountsOf(session);
  const left = new Set(hiddenHostsOf(settings).map((host) => host.toLowerCase()));
  const hosts = left.size === 0 ? counts : new Map([...counts].filter(([host]) => !left.has(host.toLowerCase())));
  return Object.freeze({
    sessionStart: summary.start,
    sessionEnd: session.endedAt,
    exchanges: session.exchanges,
    inFlight: session.inFlight,
    counted,
    errors,
    errorRate: counted === 0 ? null : (errors / counted) * 100,
    ratePerMinute: summary.ratePerMinute(session.endedAt ?? now),
    p95: summary.p95,
    baselineP95: baseline.p95,
    bytes: summary.bytes,
    overheadP95: summary.overheadP95,
    slow: evaluator.slowTotal,
    dropped: session.dropped,
    forgotten: session.forgotten,
    templates: session.templates === null ? null : session.templateCount,
    unlisted: session.unlisted,
    poolsOperations: session.poolsOperations,
    sliceLength: summary.sliceLength,
    slices: summary.slices(),
    hosts: topHosts(hosts),
    hostCount: hosts.size,
    ofHiddenHosts: exchangesOf(counts, settings.hiddenHosts),
  });
}

function topHosts(counts: ReadonlyMap<string, number>): Summary["hosts"] {
  const hosts = Array.from(counts, ([host, exchanges]) => Object.freeze({ host, exchanges }));
  return sortedWindow(hosts, ({ exchanges }) => exchanges, true, { from: 0, count: HOSTS });
}
