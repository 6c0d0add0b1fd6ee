import { addTo } from "../../insights/grouped.ts";
import type { PathBranch, TreeNode } from "../../messages/traffic-messages.ts";
import { hostOf, isWithin, partsOf } from "../../model/endpoint.ts";
import type { Session } from "../session.ts";

/** The most listed children of a node (`MOST_CHILDREN`), and the most characters of a listed path. */
const MOST_CHILDREN = 100;
const LONGEST_PATH = 500;

/**
 * The paths of a session's hosts as a tree of segments; each template appears once:
 *
 *   api.test ─┬─ /v1 ─┬─ /v1/users ─── /v1/users/{id}
 *             └─ /    └─ /v1/orders
 *
 * Counts only rows in the table, since a filter by a node shows no others. Valid until endpoints get other
 * numbers (`Session.regroup`, `learn`).
 */
export class PathTree {
  readonly #session: Session;
  /** The path of each endpoint (`#paths`) and its number of rows (`#counts`), by the endpoint's number. */
  readonly #paths: string[] = [""];
  readonly #counts: number[] = [0];
  /** The numbers of each host's endpoints. */
  readonly #byHost = new Map<string, number[]>();
  #firstRow = 0;
  #nextRow = 0;

  constructor(session: Session) {
    this.#session = session;
  }

  branches(open: readonly TreeNode[]): readonly PathBranch[] {
    this.#readEndpoints();
    this.#countRows();
    return Object.freeze(open.map((node) => this.#branch(node)));
  }

  #readEndpoints(): void {
    const { endpoints } = this.#session.table;
    for (let number = this.#paths.length; number < endpoints.size; number += 1) {
      const endpoint = endpoints.textAt(number);
      if (endpoint === null) continue;
      const { origin, path } = partsOf(endpoint);
      const host = hostOf(origin);
      this.#paths[number] = path;
      this.#counts[number] = 0;
      addTo(this.#byHost, host, number);
    }
  }

  #countRows(): void {
    const { table } = this.#session;
    const { firstRow, nextRow, endpoint } = table;
    if (firstRow !== this.#firstRow) {
      this.#counts.fill(0);
      this.#firstRow = firstRow;
      this.#nextRow = firstRow;
    }
    for (let row = this.#nextRow; row < nextRow; row += 1) {
      if (table.isHiddenAt(row)) continue;
      const number = endpoint.at(row);
      this.#counts[number] = (this.#counts[number] ?? 0) + 1;
    }
    this.#nextRow = nextRow;
  }

  #branch({ host, path }: TreeNode): PathBranch {
    const children = new Map<string, { exchanges: number; isLeaf: boolean }>();
    for (const number of this.#byHost.get(host) ?? []) {
      const exchanges = this.#counts[number] ?? 0;
      const whole = this.#paths[number] ?? "";
      if (exchanges === 0 || whole === path || !isWithin(whole, path)) continue;
      const end = whole.indexOf("/", path.length + 1);
      const child = end < 0 ? whole : whole.slice(0, end);
      const known = children.get(child) ?? { exchanges: 0, isLeaf: true };
      known.exchanges += exchanges;
      if (end >= 0) known.isLeaf = false;
      children.set(child, known);
    }
    const told = [...children]
      .filter(([child]) => child.length <= LONGEST_PATH)
      .sort(([a, one], [b, other]) => other.exchanges - one.exchanges || (a < b ? -1 : 1))
      .slice(0, MOST_CHILDREN)
      .map(([child, facts]) => Object.freeze({ path: child, ...facts }));
    return Object.freeze({ host, path, children: Object.freeze(told), more: children.size - told.length });
  }
}
