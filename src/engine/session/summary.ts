import type { Summary } from "../messages/messages.ts";
import type { Instant, Milliseconds } from "../model/units.ts";
import type { Baseline } from "./history.ts";
import type { Judge } from "./judge.ts";
import { hostOf } from "./matcher.ts";
import { selectRows } from "./row-selection.ts";
import type { Session } from "./session.ts";
import type { SlowCounter } from "./slow-list.ts";

/** messages.ts, Summary: the host list is cut here. */
const HOSTS = 200;

const MINUTE: Milliseconds = 60_000;

/** Our choice: a young session's rate is not reckoned from less than this, or its first request would be a burst. */
const LEAST_SPAN: Milliseconds = 1_000;

/** Our choice: a head may arrive so slowly, and its row then stands among later ones. */
const LATENESS: Milliseconds = 30_000;

const NO_BASELINE = { p95: null };

/** The figures on top, the status bar and the host list. */
export function summaryOf(
  session: Session,
  slow: SlowCounter,
  judge: Judge,
  now: Instant,
  baseline: Pick<Baseline, "p95"> = NO_BASELINE,
): Summary {
  const { summary } = session;
  const { counted, errors } = summary;
  const hosts = hostCountsOf(session);
  return Object.freeze({
    sessionStart: summary.start,
    exchanges: session.exchanges,
    inFlight: session.inFlight,
    counted,
    errors,
    errorRate: counted === 0 ? null : (errors / counted) * 100,
    ratePerMinute: ratePerMinute(session, now),
    p95: summary.p95,
    baselineP95: baseline.p95,
    bytes: summary.bytes,
    overheadP95: summary.overheadP95,
    slow: slow.count(judge),
    dropped: session.dropped,
    forgotten: session.forgotten,
    sliceLength: summary.sliceLength,
    slices: summary.slices(),
    hosts: topHosts(hosts),
    hostCount: hosts.size,
  });
}

/** Requests that began in the last minute, or since the session began. */
function ratePerMinute({ table, summary }: Session, now: Instant): number {
  let begun = 0;
  for (let row = table.nextRow - 1; row >= table.firstRow; row -= 1) {
    const age = now - table.startTimeAt(row);
    if (age > MINUTE + LATENESS) break;
    if (age <= MINUTE && !table.isUncountedAt(row)) begun += 1;
  }
  const span = Math.min(MINUTE, Math.max(LEAST_SPAN, now - (summary.start ?? now)));
  return (begun * MINUTE) / span;
}

function hostCountsOf({ table, origins }: Session): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [number, exchanges] of origins) {
    const host = hostOf(table.texts.textAt(number) ?? "");
    counts.set(host, (counts.get(host) ?? 0) + exchanges);
  }
  return counts;
}

function topHosts(counts: ReadonlyMap<string, number>): Summary["hosts"] {
  const hosts = [...counts.keys()];
  const keys = Float64Array.from(counts.values(), (count) => -count);
  const places = selectRows(
    keys,
    Uint32Array.from(hosts, (_, place) => place),
    0,
    HOSTS,
  );
  return Array.from(places, (place) => {
    const host = hosts[place] ?? "";
    return Object.freeze({ host, exchanges: counts.get(host) ?? 0 });
  });
}
