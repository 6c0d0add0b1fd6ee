import { timesChangesOf } from "../../../src/engine/insights/experiment/marked-change.ts";
import {
  type FindingChanges,
  findingChangesOf,
  type KnownFinding,
} from "../../../src/engine/insights/findings/finding-changes.ts";
import { groupedBy } from "../../../src/engine/insights/grouped.ts";
import type { LoadFigures } from "../../../src/engine/insights/where/load-figures.ts";
import {
  type ComparedEndpoint,
  type ComparedLoads,
  type ComparedSource,
  type ComparisonReport,
  summaryOf,
} from "../../../src/engine/interchange/comparison-report.ts";
import { redactedFinding } from "../../../src/engine/interchange/finding-redaction.ts";
import { redactedText, redactedUrl } from "../../../src/engine/interchange/redaction.ts";
import type { SourceReport } from "../../../src/engine/interchange/source-report.ts";
import type { CompareRecord } from "../../../src/engine/messages/compare-messages.ts";
import { type Endpoint, endpointKeyOf, partsOf } from "../../../src/engine/model/endpoint.ts";
import type { Finding } from "../../../src/engine/model/finding.ts";
import { aliasedEndpointOf, aliasedHostOf, type HostAliases } from "../../../src/engine/model/host-alias.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { sessionLabelOf } from "../../../src/engine/model/session-name.ts";
import type { Settings } from "../../../src/engine/model/settings.ts";
import type { OverallChange } from "../../../src/engine/model/trend.ts";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import { compareRows, comparisonOf } from "../../../src/engine/session/lists/compare-list.ts";
import {
  figuresNamedAs,
  figuresOf,
  loadsNamedAs,
  type SessionFigures,
} from "../../../src/engine/session/lists/figures.ts";
import type { Session } from "../../../src/engine/session/session.ts";
import { MINIMUM_REQUESTS } from "../../../src/engine/stats/endpoint-tally.ts";
import { medianOf } from "../../../src/engine/stats/percentile.ts";
import type { OpenedSource } from "./opened-source.ts";
import { reportWithLoads } from "./session-report.ts";

/** What of a source is compared, with secrets. It needs the source no longer, so only one of both is open at a time. */
export interface ComparisonSide {
  readonly compared: ComparedSource;
  readonly figures: SessionFigures;
  readonly report: SourceReport;
  /** As `FindingSearch.ungated`. */
  readonly ungated: readonly Finding[];
  readonly loads: readonly LoadFigures[];
  readonly settings: Settings;
  /** The hosts of its counted requests, by alias. */
  readonly hosts: ReadonlySet<string>;
  /** The number of counted requests of each endpoint, by alias. */
  readonly requests: ReadonlyMap<Endpoint, number>;
}

/**
 * Two sides as the window's Compare sees them: the earlier one's figures, named as in the later one, and the changes.
 */
export interface ComparedPair {
  readonly left: SessionFigures;
  readonly records: readonly CompareRecord[];
  readonly findings: FindingChanges;
}

const EVERY_ROW = { from: 0, count: Number.POSITIVE_INFINITY };

/** Reads one side; `null` if the session was deleted meanwhile. */
export async function comparisonSideOf(source: OpenedSource, aliases: HostAliases): Promise<ComparisonSide | null> {
  const { session, name, named, settings } = source;
  const read = await reportWithLoads(source, aliases);
  if (read === null) return null;
  const { report, loads } = read;
  const figures = figuresOf(session);
  const { latencies, counted, errors, bytes } = figures;
  return {
    compared: {
      source: name,
      label: named == null ? "" : sessionLabelOf(named),
      requests: counted,
      errors,
      bytes,
      p50: latencies?.p50 ?? null,
      p95: latencies?.p95 ?? null,
      waiting: report.waiting,
      slowed: !session.table.slowed.isEmpty,
    },
    figures,
    report,
    ungated: read.ungated(),
    loads,
    settings,
    requests: requestsIn(session, aliases),
    hosts: new Set(session.tallies.counted().map(({ endpoint }) => aliasedHostOf(partsOf(endpoint).origin, aliases))),
  };
}

function requestsIn(session: Session, aliases: HostAliases): ReadonlyMap<Endpoint, number> {
  const requests = new Map<Endpoint, number>();
  for (const tally of session.tallies.counted()) {
    const endpoint = aliasedEndpointOf(tally.endpoint, aliases);
    requests.set(endpoint, (requests.get(endpoint) ?? 0) + tally.requests);
  }
  return requests;
}

/** Compares two sides with the settings of `now`. `weir check`, `weir compare` and the MCP tool read this alone. */
export function comparedPair(before: ComparisonSide, now: ComparisonSide, aliases: HostAliases): ComparedPair {
  const left = figuresNamedAs(now.figures, before.figures, aliases);
  const sort = { column: "verdict", descending: true } as const;
  const { records } = unwrap(compareRows({ left, right: now.figures }, now.settings, [], sort, EVERY_ROW));
  const verdicts = new Map(records.map(({ endpoint, verdict }) => [endpoint, verdict]));
  const findings = findingChangesOf(judgedIn(before), judgedIn(now), verdicts);
  const gone = findings.gone.filter((finding) => isRequestedIn(now, finding, aliases));
  return { left, records, findings: { ...findings, gone } };
}

/** Whether a finding could be seen: a cause is not gone because nothing was requested. */
function isRequestedIn({ requests, hosts }: ComparisonSide, { endpoint, origin }: Finding, aliases: HostAliases) {
  if (endpoint !== null) return requests.has(aliasedEndpointOf(endpointKeyOf(endpoint), aliases));
  return origin === null || hosts.has(aliasedHostOf(origin, aliases));
}

function judgedIn({ report: { exchanges, findings }, ungated }: ComparisonSide) {
  return { exchanges, findings, ungated };
}

/**
 * Compares like the window's Compare, with the settings of `now`, and tells which findings are new, gone, worse or
 * better. `redact`: without secrets in endpoints and findings.
 */
export function sourceComparisonOf(
  before: ComparisonSide,
  now: ComparisonSide,
  redact: boolean,
  aliases: HostAliases,
): ComparisonReport {
  const { left, records, findings } = comparedPair(before, now, aliases);
  const whole = comparisonOf({ left, right: now.figures }, now.settings, []);
  if (whole === null) throw new Error("a comparison without a filter has no problem");
  const { added, gone, worse, better, same } = findings;
  const shown = (finding: Finding) => (redact ? redactedFinding(finding) : finding);
  const pairOf = (known: KnownFinding) => ({ before: shown(known.before), now: shown(known.now) });
  const overall = redact ? withoutSecrets(whole.overall) : whole.overall;
  const endpoints = records.map((record) => endpointOf(record, redact));
  return {
    schema: 1,
    before: before.compared,
    now: now.compared,
    summary: summaryOf({ overall, endpoints }),
    counts: whole.counts,
    overall,
    endpoints,
    rare: rareIn(before, now, redact),
    loads: loadsIn(now.loads, loadsNamedAs(now.loads, before.loads, aliases), redact),
    findings: {
      added: added.map(shown),
      gone: gone.map(shown),
      worse: worse.map(pairOf),
      better: better.map(pairOf),
      same: same.map(pairOf),
    },
  };
}

function rareIn(before: ComparisonSide, now: ComparisonSide, redact: boolean): ComparisonReport["rare"] {
  return [...new Set([...before.requests.keys(), ...now.requests.keys()])].flatMap((endpoint) => {
    const [earlier, later] = [before.requests.get(endpoint) ?? 0, now.requests.get(endpoint) ?? 0];
    if (Math.max(earlier, later) >= MINIMUM_REQUESTS) return [];
    return [{ endpoint: redact ? redactedUrl(endpoint) : endpoint, before: earlier, now: later }];
  });
}

function loadsIn(
  now: readonly LoadFigures[],
  before: readonly LoadFigures[],
  redact: boolean,
): readonly ComparedLoads[] {
  const [earlier, later] = [before, now].map(durationsByPage) as [Durations, Durations];
  const sideOf = (durations: readonly Milliseconds[] = []) => ({ loads: durations.length, p50: medianOf(durations) });
  return timesChangesOf(earlier, later).map(({ endpoint, kind, note }) => ({
    page: redact ? redactedUrl(endpoint) : endpoint,
    verdict: kind,
    note,
    before: sideOf(earlier.get(endpoint)),
    now: sideOf(later.get(endpoint)),
  }));
}

type Durations = ReadonlyMap<string, readonly Milliseconds[]>;

function durationsByPage(loads: readonly LoadFigures[]): Durations {
  const pages = groupedBy(loads, ({ page }) => page);
  return new Map([...pages].map(([page, own]) => [page, own.map(({ duration }) => duration)]));
}

function endpointOf(record: CompareRecord, redact: boolean): ComparedEndpoint {
  const { method, origin, path, operation, verdict, note, shown, left, right, samples, uncertain } = record;
  return {
    method,
    origin,
    path: redact ? redactedUrl(path) : path,
    operation: redact && operation !== null ? redactedText(operation) : operation,
    verdict,
    note,
    shown,
    before: left,
    now: right,
    samples: { before: samples.left, now: samples.right },
    uncertain: { before: uncertain.left, now: uncertain.right },
  };
}

function withoutSecrets(overall: OverallChange | null): OverallChange | null {
  if (overall === null || overall.most === null) return overall;
  const { endpoint } = overall.most;
  return { ...overall, most: { ...overall.most, endpoint: redactedUrl(endpoint) as Endpoint } };
}
