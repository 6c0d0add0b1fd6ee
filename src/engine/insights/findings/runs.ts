import { runIn } from "../../model/session-name.ts";
import { medianOf } from "../../stats/percentile.ts";
import { addTo } from "../grouped.ts";
import { type Draft, MOST_EXCHANGES } from "./finding-report.ts";
import { sumOf } from "./numbers.ts";
import { counted, inMs } from "./text.ts";
import type { Traffic } from "./traffic.ts";

/** The runs of an imported file, by client. First views and repeat views are separate clients. */
export interface Runs {
  readonly ofClient: (client: string) => string | null;
  /** All runs with the same view as this one. */
  readonly like: (run: string) => number;
}

/** `null` if the traffic is not that of several runs. */
export function runsOf({ requests }: Pick<Traffic, "requests">): Runs | null {
  const clients = new Set(requests.map(({ client }) => client));
  const runs = new Map([...clients].map((client) => [client, runIn(client)]));
  const names = new Set([...runs.values()].filter((run) => run !== null));
  if (names.size < 2) return null;
  const like = (run: string) => [...names].filter((name) => isRepeat(name) === isRepeat(run)).length;
  return { ofClient: (client) => runs.get(client) ?? null, like };
}

/**
 * Joins drafts that differ only in their run to one, which says in how many runs it was found. Costs and counts are
 * those of all runs together; the sentence and the evidence are those of the run with the median cost.
 */
export function joinedOverRuns(
  drafts: readonly Draft[],
  runs: Runs | null,
  { byId }: Pick<Traffic, "byId">,
): readonly Draft[] {
  if (runs === null) return drafts;
  const groups = new Map<string, InRuns[]>();
  for (const draft of drafts) {
    const clients = [...draft.covers].map((id) => byId.get(id)?.client ?? "");
    const own = new Set([...new Set(clients)].map(runs.ofClient).filter((run) => run !== null));
    const [first = ""] = own;
    const parts = [draft.kind, draft.endpoint, draft.origin, draft.attribute, own.size > 0 && isRepeat(first)];
    addTo(groups, JSON.stringify(parts), { draft, runs: own });
  }
  return [...groups.values()].flatMap((group) => joined(group, runs));
}

interface InRuns {
  readonly draft: Draft;
  readonly runs: ReadonlySet<string>;
}

function joined(group: readonly InRuns[], runs: Runs): readonly Draft[] {
  const found = new Set(group.flatMap((one) => [...one.runs]));
  const isOnce = sumOf(group, (one) => one.runs.size) === found.size;
  if (!isOnce) return group.flatMap((one) => joined([one], runs));
  const byCost = group.map(({ draft }) => draft).sort((one, other) => (one.time ?? 0) - (other.time ?? 0));
  const draft = byCost[Math.floor(byCost.length / 2)];
  const [run] = found;
  if (draft === undefined || run === undefined) return byCost;
  const all = runs.like(run);
  const views = counted(all, isRepeat(run) ? "repeat view" : "run");
  const inAll = { name: "Runs", value: `${found.size} of ${views}` };
  if (byCost.length === 1) return [{ ...draft, evidence: [...draft.evidence, inAll] }];
  const times = byCost.flatMap(({ time }) => time ?? []);
  const time = totalOf(times);
  const cost = time === null ? "" : `, ${inMs(time)} in all`;
  const perRun = times.length === 0 ? [] : [{ name: "Median of a run", value: inMs(medianOf(times)) }];
  const merged = {
    ...draft,
    client: null,
    count: sumOf(byCost, ({ count }) => count),
    time,
    bytes: totalOf(byCost.flatMap(({ bytes }) => bytes ?? [])),
    exchanges: Object.freeze(byCost.flatMap(({ exchanges }) => exchanges.slice(0, MOST_EXCHANGES / byCost.length))),
    covers: new Set(byCost.flatMap(({ covers }) => [...covers])),
    summary: `In ${found.size} of ${views}${cost}. In one of them: ${draft.summary}`,
    evidence: [...draft.evidence, inAll, ...perRun],
  };
  return [merged];
}

function totalOf(costs: readonly number[]): number | null {
  return costs.length === 0 ? null : sumOf(costs, (cost) => cost);
}

function isRepeat(run: string): boolean {
  return run.endsWith("-cached");
}
