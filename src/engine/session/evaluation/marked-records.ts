import { type ComparedUnit, type MarkedChange, markedChangeOf } from "../../insights/experiment/marked-change.ts";
import { markedChangeTexts, timesChangeText } from "../../insights/experiment/marked-change-text.ts";
import { counted } from "../../insights/findings/text.ts";
import type { Request } from "../../insights/findings/traffic.ts";
import { addTo, groupedBy } from "../../insights/grouped.ts";
import type { Unit } from "../../insights/what-if/timed-units.ts";
import type { MarkedChangeRecord } from "../../messages/compare-messages.ts";
import type { EndpointParts } from "../../model/endpoint.ts";
import type { ChangeMarked } from "../../model/experiment.ts";
import type { Milliseconds } from "../../model/units.ts";

/** The most pages and walks that are compared, and the most changed endpoints of each. */
const MOST_CHANGES = 5;
const MOST_ENDPOINTS = 5;

/**
 * Compares the units of A and B, by page, and by the first endpoint of walks: a change may add or remove later
 * requests. `units`: by start.
 */
export function markedRecordsOf(units: readonly Unit[], marks: readonly ChangeMarked[]): readonly MarkedChangeRecord[] {
  const first = marks[0];
  if (first === undefined) return [];
  const groups = groupedBy(
    units.filter(({ end }) => end > first.at),
    (unit) => `${unit.kind} ${subjectOf(unit).endpointKey}`,
  );
  const largest = [...groups.values()].sort((one, other) => other.length - one.length).slice(0, MOST_CHANGES);
  return largest.map((group) => recordOf(group, marks));
}

/** The request after which a unit is named. */
function subjectOf({ kind, key, exchanges }: Unit): Request {
  const [first] = exchanges as readonly [Request];
  return (kind === "load" ? exchanges.find(({ endpointKey }) => endpointKey === key) : undefined) ?? first;
}

function recordOf(group: readonly Unit[], marks: readonly ChangeMarked[]): MarkedChangeRecord {
  const [one] = group as readonly [Unit];
  const whole = withoutFailed(group);
  const change = markedChangeOf(whole.map(comparedUnitOf), marks, null);
  const leftOut = change.leftOut + group.length - whole.length;
  const texts = [...markedChangeTexts(change, null, one.kind)];
  if (leftOut > 0)
    texts.push(`${counted(leftOut, one.kind)} left out: a mark came before the end, or a request failed.`);
  return Object.freeze({
    ...partsOf(subjectOf(one)),
    unit: one.kind,
    verdict: change.units.kind,
    counts: change.units.counts,
    turns: change.turns,
    texts,
    endpoints: endpointsOf(change, group),
  });
}

/**
 * Leaves out the units in which all requests to an endpoint failed that answers in others, since a service that is
 * being restarted fails fast.
 */
function withoutFailed(group: readonly Unit[]): readonly Unit[] {
  const answering = new Set<string>();
  const answeringIn = group.map(({ exchanges }) => {
    const own = exchanges.filter(({ isError }) => !isError).map(({ endpointKey }) => endpointKey);
    for (const key of own) answering.add(key);
    return new Set(own);
  });
  return group.filter(({ exchanges }, index) =>
    exchanges.every(({ endpointKey }) => answeringIn[index]?.has(endpointKey) === true || !answering.has(endpointKey)),
  );
}

function comparedUnitOf({ start, end, exchanges }: Unit): ComparedUnit {
  const latencies = new Map<string, Milliseconds[]>();
  for (const { endpointKey, latency } of exchanges) if (latency !== null) addTo(latencies, endpointKey, latency);
  return { start, end, latencies };
}

function endpointsOf({ endpoints }: MarkedChange, group: readonly Unit[]): MarkedChangeRecord["endpoints"] {
  const requests = new Map(group.flatMap(({ exchanges }) => exchanges.map((one) => [one.endpointKey, one] as const)));
  return endpoints
    .filter(({ kind }) => kind === "faster" || kind === "slower")
    .sort((one, other) => Math.abs(other.gain?.middle ?? 0) - Math.abs(one.gain?.middle ?? 0))
    .slice(0, MOST_ENDPOINTS)
    .flatMap((change) => {
      const request = requests.get(change.endpoint);
      if (request === undefined) return [];
      return { ...partsOf(request), verdict: change.kind, text: timesChangeText(change, "request") };
    });
}

function partsOf({ facts }: Request): EndpointParts {
  const { method, origin, path, operation } = facts.endpoint;
  return { method, origin, path, operation };
}
