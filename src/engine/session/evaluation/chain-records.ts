import { criticalPathsIn, type PathGraph } from "../../insights/links/critical-paths.ts";
import type { Walk, WalkPosition, WalksFound } from "../../insights/links/walks.ts";
import type { Link } from "../../model/link.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";
import type { ChainsFound, Searched } from "./insights.ts";
import { SortedIds } from "./sorted-ids.ts";

/** The chains of a session, as they cross from the analysis thread. */
export interface ChainRecords {
  readonly chainGap: Milliseconds;
  readonly walks: readonly Walk[];
  readonly graph: PathGraph;
  /** The exchanges in the listed walks, ascending, and the index of the walk of each. */
  readonly ids: Float64Array;
  readonly walk: Uint32Array;
  /** The link to each of these exchanges as JSON, one after another, and where each text ends. */
  readonly links: string;
  readonly linkEnds: Uint32Array;
}

export function chainRecordsOf(
  { walks, positions }: WalksFound,
  graph: PathGraph,
  chainGap: Milliseconds,
): ChainRecords {
  const ids = Float64Array.from(positions.keys()).sort();
  const texts = Array.from(ids, (id) => JSON.stringify(positions.get(id as ExchangeId)?.link ?? null));
  const linkEnds = new Uint32Array(ids.length);
  let end = 0;
  for (const [index, { length }] of texts.entries()) {
    end += length;
    linkEnds[index] = end;
  }
  const walk = Uint32Array.from(ids, (id) => positions.get(id as ExchangeId)?.walk ?? 0);
  return Object.freeze({ chainGap, walks, graph, ids, walk, links: texts.join(""), linkEnds });
}

export function chainsFoundOf(records: ChainRecords, searched: Searched): ChainsFound {
  const { chainGap, walks, graph, ids, walk, links, linkEnds } = records;
  const listed = new SortedIds(ids);
  const positionOf = (id: ExchangeId): WalkPosition | null => {
    const index = listed.indexOf(id);
    if (index < 0) return null;
    const text = links.slice(linkEnds[index - 1] ?? 0, linkEnds[index]);
    return {
      walk: walk[index] as number,
      get link() {
        return JSON.parse(text) as Link | null;
      },
    };
  };
  return Object.freeze({ ...searched, chainGap, walks, paths: criticalPathsIn(graph), positionOf });
}
