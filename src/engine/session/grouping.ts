import { groupedEndpoint, groupingOfferOf, PLACEHOLDER } from "../insights/path-template.ts";
import type { Grouping } from "../messages/grouping-messages.ts";
import { type Endpoint, pathOf } from "../model/endpoint.ts";
import { isCollecting } from "../stats/endpoint-tally.ts";
import type { Session } from "./session.ts";

/** grouping-messages.ts, Grouping. */
const MOST_TEMPLATES = 100;
const MOST_EXAMPLES = 3;

/** Our choice: rows and endpoints that are looked at in one go, 10 to 30 ms. */
const AT_ONCE = 100_000;

interface Template {
  readonly template: Endpoint;
  readonly examples: string[];
  paths: number;
  requests: number;
}

/** What grouping similar paths would fold, or has folded. Looks at each endpoint, or each row of grouped ones, once. */
export class GroupingFinder {
  #session: Session | null = null;
  /** Another object when endpoints were told anew. */
  #endpoints: object | null = null;
  #folds: Folds | null = null;

  /** Does a part of what has to be done before there is an answer; `false` while there is more. */
  advance(session: Session): boolean {
    return this.#foldsOf(session).advance(AT_ONCE);
  }

  of(session: Session): Grouping {
    const folds = this.#foldsOf(session);
    folds.advance(Number.POSITIVE_INFINITY);
    const { templates, offer } = folds.count();
    const shown = templates.filter(({ paths }) => paths > 1).sort((left, right) => right.paths - left.paths);
    return Object.freeze({
      on: session.grouped,
      offer,
      templates: shown.slice(0, MOST_TEMPLATES).map(({ template, paths, requests, examples }) => ({
        template,
        paths,
        requests,
        examples: [...examples],
      })),
      templateCount: shown.length,
      forgotten: session.forgotten,
    });
  }

  #foldsOf(session: Session): Folds {
    const { endpoints } = session.table;
    if (this.#folds === null || this.#session !== session || this.#endpoints !== endpoints) {
      this.#folds = session.grouped ? new FoldedPaths(session) : new FoldablePaths(session);
      this.#session = session;
      this.#endpoints = endpoints;
    }
    return this.#folds;
  }
}

interface Folds {
  advance(most: number): boolean;
  count(): { readonly templates: Template[]; readonly offer: Grouping["offer"] };
}

/** Of literal endpoints: which template each would be part of. */
class FoldablePaths implements Folds {
  readonly #session: Session;
  /** By the endpoint's number less one: its template's place, -1 where it is its own. */
  readonly #places: number[] = [];
  readonly #placeOf = new Map<Endpoint, number>();
  readonly #templates: { readonly template: Endpoint; readonly examples: string[] }[] = [];

  constructor(session: Session) {
    this.#session = session;
  }

  advance(most: number): boolean {
    const { table, tallies } = this.#session;
    const end = Math.min(tallies.last, this.#places.length + most);
    for (let index = this.#places.length; index < end; index += 1) {
      const endpoint = table.endpoints.textAt(index + 1);
      this.#places.push(endpoint === null ? -1 : this.#placeIn(endpoint));
    }
    return end === tallies.last;
  }

  count(): ReturnType<Folds["count"]> {
    const templates = this.#templates.map((one) => ({ ...one, paths: 0, requests: 0 }));
    const collecting = new Uint32Array(templates.length);
    for (const [index, place] of this.#places.entries()) {
      const counted = templates[place];
      if (counted === undefined || isGone(this.#session, index + 1)) continue;
      const requests = this.#session.tallies.requestsAt(index + 1);
      counted.paths += 1;
      counted.requests += requests;
      if (isCollecting(requests)) collecting[place] = (collecting[place] as number) + 1;
    }
    return { templates, offer: groupingOfferOf(collecting) };
  }

  #placeIn(endpoint: Endpoint): number {
    const template = groupedEndpoint(endpoint);
    if (template === endpoint) return -1;
    let place = this.#placeOf.get(template);
    if (place === undefined) {
      place = this.#templates.length;
      this.#placeOf.set(template, place);
      this.#templates.push({ template, examples: [] });
    }
    const { examples = [] } = this.#templates[place] ?? {};
    if (examples.length < MOST_EXAMPLES) examples.push(endpoint.slice(endpoint.indexOf(" ") + 1));
    return place;
  }
}

/** Whether the endpoint of that number is known no longer. */
function isGone({ table }: Session, number: number): boolean {
  return table.endpoints.textAt(number) === null;
}

/** Of grouped endpoints: which paths each stands for. */
class FoldedPaths implements Folds {
  readonly #session: Session;
  /** By the endpoint's number. */
  readonly #paths = new Map<number, Set<string>>();
  #next = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  advance(most: number): boolean {
    const { table } = this.#session;
    const begin = Math.max(this.#next, table.firstRow);
    this.#next = Math.min(table.nextRow, begin + most);
    for (let row = begin; row < this.#next; row += 1) this.#look(row);
    return this.#next === table.nextRow;
  }

  count(): ReturnType<Folds["count"]> {
    const { table, tallies } = this.#session;
    const templates = Array.from(this.#paths, ([number, paths]) => ({
      template: table.endpoints.textAt(number) as Endpoint,
      examples: [...paths].slice(0, MOST_EXAMPLES),
      paths: paths.size,
      requests: tallies.requestsAt(number),
    }));
    return { templates, offer: null };
  }

  #look(row: number): void {
    const { table } = this.#session;
    const target = table.ownTargets.at(row);
    if (target === null) return;
    const number = table.endpoint.at(row);
    let paths = this.#paths.get(number);
    if (paths === undefined) {
      if (!table.endpointAt(row).includes(`/${PLACEHOLDER}`)) return;
      paths = new Set();
      this.#paths.set(number, paths);
    }
    paths.add((table.texts.textAt(table.origin.at(row)) ?? "") + pathOf(target));
  }
}
