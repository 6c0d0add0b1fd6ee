import type { Summary } from "../messages/status-messages.ts";
import { hostOf } from "../model/endpoint.ts";
import type { Instant } from "../model/units.ts";
import type { Baseline } from "./history.ts";
import type { Judge } from "./judge.ts";
import { selectRows } from "./row-selection.ts";
import type { Session } from "./session.ts";

/** messages.ts, Summary: the host list is cut here. */
const HOSTS = 200;

const NO_BASELINE = { p95: null };

/** The figures on top, the status bar and the host list. */
export function summaryOf(
  session: Session,
  judge: Judge,
  now: Instant,
  baseline: Pick<Baseline, "p95"> = NO_BASELINE,
): Summary {
  const { summary } = session;
  const { counted, errors } = summary;
  const hosts = hostCountsOf(session);
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
    slow: judge.slowTotal,
    dropped: session.dropped,
    forgotten: session.forgotten,
    sliceLength: summary.sliceLength,
    slices: summary.slices(),
    hosts: topHosts(hosts),
    hostCount: hosts.size,
  });
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
