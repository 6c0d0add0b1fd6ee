import type { Side } from "../../capture/event.ts";
import { queryPairsOf } from "../../insights/facts/query-pairs.ts";
import { type OccurringKey, type OccurringValues, ROW_KEYS } from "../../messages/traffic-messages.ts";
import { Cached } from "../evaluation/cached.ts";
import { HEADS_AT_ONCE } from "../filter/header-reading.ts";
import {
  occurringFindingsOf,
  occurringPartsOf,
  occurringTextsOf,
  occurringValuesOf,
  topOf,
} from "../lists/occurring-values.ts";
import type { Session } from "../session.ts";
import { type HeaderColumn, HeaderNames } from "../table/header-columns.ts";
import { TargetParts } from "../table/long-targets.ts";
import type { Context } from "./context.ts";

/** Targets parsed per slice of work. A slice takes a few milliseconds. */
const TARGETS_AT_ONCE = 2_048;

type Sources = Pick<Context, "session" | "archive" | "insights">;

/** Lists the values that can complete a term of the filter. Reads stored heads and parses targets in slices of work. */
export class Completions {
  readonly #names = { request: new Cached<HeaderNames>(), response: new Cached<HeaderNames>() };
  /** The header whose values are read now. */
  readonly #header = new Cached<HeaderColumn>();
  /**
   * The query parameter whose values are completed now. With an empty name, the names of all parameters are completed.
   */
  readonly #query = new Cached<TargetParts>();

  /** Does one slice of the work; returns `false` if there is more. */
  prepare(key: OccurringKey, { session, archive }: Sources, most = HEADS_AT_ONCE): boolean {
    const parts = this.#partsOf(session, key);
    if (parts !== null) return parts.read(most === Number.POSITIVE_INFINITY ? most : TARGETS_AT_ONCE);
    const header = headerOf(key);
    if (header === null) return true;
    const { side, name } = header;
    if (name === "") return this.#namesOf(session, side).read(archive.headReader(), most);
    const column = this.#header.of([session, key], () => session.table.headers.of(side, name));
    column.read(archive.headReader(), most);
    return column.isComplete;
  }

  of(key: OccurringKey, sources: Sources): OccurringValues {
    const { session, insights } = sources;
    this.prepare(key, sources, Number.POSITIVE_INFINITY);
    const parts = this.#partsOf(session, key);
    if (parts !== null) return occurringPartsOf(session.table, parts);
    const header = headerOf(key);
    if (header?.name === "") return topOf(this.#namesOf(session, header.side).counts);
    if (header !== null)
      return occurringTextsOf(session.table, session.table.headers.of(header.side, header.name).values);
    if (key === "finding") return occurringFindingsOf(insights.ranked().found);
    const known = ROW_KEYS.find((one) => one === key);
    return known === undefined ? [] : occurringValuesOf(session, known);
  }

  /** The parts of targets for a key `q.NAME`; `null` for other keys. */
  #partsOf(session: Session, key: OccurringKey): TargetParts | null {
    const [, name] = /^q\.(.*)$/.exec(key) ?? [];
    if (name === undefined) return null;
    return this.#query.of([session, key], () => new TargetParts(session.table.ownTargets, partsOfQuery(name)));
  }

  #namesOf(session: Session, side: Side): HeaderNames {
    return this.#names[side].of([session], () => new HeaderNames(session.table, side));
  }
}

/** Returns a function that lists a target's values of this parameter; for the name "", the names of all parameters. */
function partsOfQuery(name: string): (target: string) => Iterable<string> {
  return (target) =>
    queryPairsOf(target).flatMap(([each, value]) => {
      if (name === "") return each;
      return each === name ? value : [];
    });
}

/** The header whose values complete a key. The name is "" if header names complete the key. `null` for other keys. */
function headerOf(key: OccurringKey): { readonly side: Side; readonly name: string } | null {
  const [, prefix, name = ""] = /^(req|resp)\.(.*)$/.exec(key.toLowerCase()) ?? [];
  return prefix === undefined ? null : { side: prefix === "req" ? "request" : "response", name };
}
