import type { CriticalPath, PathEnds, PathPart } from "../../insights/links/critical-paths.ts";
import type { ValueQuery } from "../../messages/messages.ts";
import type { CriticalPathPart, CriticalPathRecord, PathRequest } from "../../messages/timeline-messages.ts";
import type { ExchangeId } from "../../model/units.ts";
import type { ChainsFound } from "../evaluation/insights.ts";
import { LONGEST_TARGET } from "../lists/chain-lists.ts";
import { exchangesAt } from "../lists/matched-rows.ts";
import type { Session } from "../session.ts";

type Query = Extract<ValueQuery, { view: "critical-path" }>;

/**
 * The critical path that the query asks for (insight-decode.ts); `null` before the search is complete, or if there is
 * none. `rows`: the rows that match the query's filter; `null`: all rows.
 */
export function criticalPathOf(
  session: Session,
  { paths, progress }: Pick<ChainsFound, "paths" | "progress">,
  query: Query,
  rows: Uint32Array | null,
): CriticalPathRecord | null {
  if (progress < 1) return null;
  const { table } = session;
  const { from, to } = query.between;
  const holds = rows === null ? (id: ExchangeId) => table.rowOf(id) !== null : exchangesAt(table, rows);
  const isMatching = ({ first, last }: PathEnds) => holds(first) && holds(last);
  const chosen = query.exchange === null ? null : session.exchange(query.exchange);
  const found = chosen === null ? null : paths.endsAround(chosen);
  const around = found !== null && found.start <= to && found.end >= from && isMatching(found) ? found : null;
  const isWithin = (ends: PathEnds) => ends.start >= from && ends.start <= to && isMatching(ends);
  const loads = paths.ends.filter((ends) => ends.isPage && isMatching(ends));
  const ofOneClient = () => (rows !== null && isOneClient(session, rows) ? paths.ends.find(isWithin) : undefined);
  const ends = around ?? loads.find(isWithin) ?? ofOneClient();
  const path = ends === undefined ? null : paths.pathOf(ends);
  return ends === undefined || path === null
    ? null
    : recordOf(session, { ends, path, loads, isChosen: around !== null });
}

function isOneClient({ table }: Session, rows: Uint32Array): boolean {
  const [first] = rows;
  if (first === undefined) return false;
  const client = table.client.at(first);
  return rows.every((row) => table.client.at(row) === client);
}

/** `loads`: the page loads that `CriticalPathRecord.load` counts, the longest path first. */
interface FoundPath {
  readonly ends: PathEnds;
  readonly path: CriticalPath;
  readonly loads: readonly PathEnds[];
  /** Whether an exchange chose the path. */
  readonly isChosen: boolean;
}

/** `null` if an exchange was evicted. */
function recordOf(session: Session, found: FoundPath): CriticalPathRecord | null {
  const { ends, path } = found;
  const { start, end } = ends;
  const { client, isPage, sooner } = path;
  const parts = path.parts.flatMap((part) => partOf(session, part) ?? []);
  const first = session.exchange(ends.first);
  if (first === null || parts.length < path.parts.length) return null;
  const request = sooner === null ? null : requestOf(session, sooner.id);
  const namedBy = sooner === null ? null : requestOf(session, sooner.namedBy);
  const isKnown = sooner !== null && request !== null && namedBy !== null;
  return Object.freeze({
    client,
    origin: first.origin,
    isPage,
    start,
    end,
    load: loadOf(found),
    parts,
    marks: isPage ? session.marksOf(ends.last) : [],
    sooner: isKnown ? Object.freeze({ request, namedBy, by: sooner.by }) : null,
  });
}

function loadOf({ ends, loads, isChosen }: FoundPath): CriticalPathRecord["load"] {
  const byStart = loads.toSorted((one, other) => one.start - other.start);
  const index = byStart.indexOf(ends);
  if (index < 0) return null;
  const [earlier, later] = [byStart[index - 1]?.first ?? null, byStart[index + 1]?.first ?? null];
  const { first: latest } = byStart.at(-1) ?? ends;
  const longestInRange = isChosen ? null : "range";
  const longestOf = ends === loads[0] ? "session" : longestInRange;
  return Object.freeze({ position: index + 1, count: loads.length, earlier, later, latest, longestOf });
}

function partOf(session: Session, part: PathPart): CriticalPathPart | null {
  if (part.kind === "gap") {
    const longest = part.longest === null ? null : requestOf(session, part.longest);
    return Object.freeze({ ...part, longest });
  }
  const { id, ...times } = part;
  const request = requestOf(session, id);
  return request === null ? null : Object.freeze({ ...times, request });
}

function requestOf(session: Session, id: ExchangeId): PathRequest | null {
  const exchange = session.exchange(id);
  if (exchange === null) return null;
  const { method, target, endpoint } = exchange;
  return Object.freeze({ id, method, target: target.slice(0, LONGEST_TARGET), endpoint });
}
