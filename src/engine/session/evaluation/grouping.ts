import { type ParallelGroup, ParallelSweep } from "../../insights/parallel-groups.ts";
import { isTemplate, patternOf } from "../../insights/path-templates.ts";
import type { Grouping } from "../../messages/grouping-messages.ts";
import { type Endpoint, partsOf, pathOf } from "../../model/endpoint.ts";
import type { ExchangeId, Instant } from "../../model/units.ts";
import type { Session } from "../session.ts";
import { rowsByStart } from "../table/rows-by-start.ts";
import type { GroupsFound } from "./insights.ts";
import { SortedIds } from "./sorted-ids.ts";

/** The most templates listed, and the most examples of each (grouping-messages.ts, Grouping). */
const MOST_TEMPLATES = 100;
const MOST_EXAMPLES = 3;

/** Rows per slice of work; a slice takes 10 to 30 ms. */
const AT_ONCE = 100_000;

/** Finds the paths that each template stands for. Reads each row once. */
export class GroupingFinder {
  #session: Session | null = null;
  /** The table's `endpoints` object. `Session.regroup` and `Session.learn` replace the object. */
  #endpoints: object | null = null;
  /** The paths that each template stands for, by the endpoint's number. */
  readonly #paths = new Map<number, Set<string>>();
  #next = 0;

  /** Does one slice of the work; returns `false` if there is more. */
  advance(session: Session, most = AT_ONCE): boolean {
    const { table } = session;
    if (this.#session !== session || this.#endpoints !== table.endpoints) {
      this.#session = session;
      this.#endpoints = table.endpoints;
      this.#paths.clear();
      this.#next = 0;
    }
    const begin = Math.max(this.#next, table.firstRow);
    this.#next = Math.min(table.nextRow, begin + most);
    for (let row = begin; row < this.#next; row += 1) this.#look(row, session);
    return this.#next === table.nextRow;
  }

  of(session: Session): Grouping {
    this.advance(session, Number.POSITIVE_INFINITY);
    const { table, tallies } = session;
    const busiest = [...this.#paths].sort(([, left], [, right]) => right.size - left.size).slice(0, MOST_TEMPLATES);
    return Object.freeze({
      on: session.templates !== null,
      templates: busiest.map(([number, paths]) => {
        const template = table.endpoints.textAt(number) as Endpoint;
        const { origin, path } = partsOf(template);
        const examples = [...paths].slice(0, MOST_EXAMPLES);
        const requests = tallies.requestsAt(number);
        return { template, pattern: patternOf(origin, path), paths: paths.size, requests, examples };
      }),
      templateCount: session.templateCount,
      forgotten: session.forgotten,
    });
  }

  #look(row: number, { table }: Session): void {
    // A row without its own target has the endpoint's path as its target, so that path is no template.
    if (table.ownTargets.at(row) === null || table.isHiddenAt(row)) return;
    const number = table.endpoint.at(row);
    let paths = this.#paths.get(number);
    if (paths === undefined) {
      if (number === 0 || !isTemplate(table.endpointAt(row))) return;
      paths = new Set();
      this.#paths.set(number, paths);
    }
    paths.add(pathOf(table.targetAt(row)));
  }
}

/** The parallel groups of a session, as they cross from the analysis thread. */
export interface GroupRecords {
  /** By start. */
  readonly groups: readonly ParallelGroup[];
  /** The exchanges in groups, ascending, and the first exchange of the group of each. */
  readonly ids: Float64Array;
  readonly firsts: Float64Array;
}

/** Searches the session for parallel groups. */
export function groupRecordsOf({ table }: Session): GroupRecords {
  const sweep = new ParallelSweep();
  for (const row of rowsByStart(table)) {
    if (!table.countsAt(row) || table.isLastingAt(row)) continue;
    const [start, end] = [table.instants.startAt(row) as Instant, table.intervalEndAt(row) as Instant];
    sweep.add({ id: table.ids.at(row) as ExchangeId, client: table.clientAt(row), start, end });
  }
  const groups = sweep.find();
  const firsts = new Map<ExchangeId, ExchangeId>();
  for (const { exchanges } of groups) for (const id of exchanges) firsts.set(id, exchanges[0] as ExchangeId);
  const ids = Float64Array.from(firsts.keys()).sort();
  return Object.freeze({ groups, ids, firsts: ids.map((id) => firsts.get(id as ExchangeId) ?? id) });
}

export function groupsFoundOf({ groups, ids, firsts }: GroupRecords): GroupsFound {
  const known = new SortedIds(ids);
  return Object.freeze({
    groups,
    groupOf: (id: ExchangeId) => (firsts[known.indexOf(id)] ?? null) as ExchangeId | null,
  });
}
