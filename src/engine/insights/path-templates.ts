import { isWithin } from "../model/endpoint.ts";
import { evictOldest } from "../model/evict-oldest.ts";
import type { PathRule } from "../model/path-rule.ts";
import type { SiblingFold } from "../model/sibling-fold.ts";
import { pathByRules } from "./path-rules.ts";
import { MOST_SEGMENTS, PLACEHOLDER, segmentsOf, templateOf } from "./path-template.ts";

/**
 * docs/specification.md, Endpoint grouping: rare names are folded into `{id}` if their parent has at least this many
 * distinct names.
 */
const FOLDED_FROM = 20;

/** docs/specification.md, Endpoint grouping: a name with this many requests is not rare. */
const OWN_REQUESTS = 5;

/**
 * The most folded names whose requests are counted. The oldest are dropped first.
 */
const MOST_COUNTED = 20_000;

/** One path of an origin and how many requests went to it. */
export interface PathCount {
  readonly origin: string;
  /** The path without query, or a template. */
  readonly path: string;
  readonly requests: number;
}

/** A folded name, and the number of its requests so far. */
interface FoldedName {
  readonly origin: string;
  readonly parent: string;
  readonly segment: string;
  requests: number;
}

/**
 * Folds path segments that name one of many resources: segments for which the user has a rule, ids by their form, and
 * rare names among many siblings.
 *
 *     /users/7   /users/9            → /users/{id}
 *     /tags/red  /tags/blue … 20+    → /tags/{id}, but /tags/popular with 5 requests stays
 */
export class PathTemplates {
  readonly #rules: readonly PathRule[];
  /** The names that stay unfolded, by origin and parent. */
  readonly #folds = new Map<string, Map<string, Set<string>>>();
  readonly #folded = new Map<string, FoldedName>();
  /** Folded names that reached `OWN_REQUESTS` since they were folded. */
  readonly #frequent = new Set<FoldedName>();

  constructor(rules: readonly PathRule[] = [], folds: Iterable<SiblingFold> = []) {
    this.#rules = rules;
    for (const { origin, parent, kept } of folds)
      for (const name of ["", ...kept]) this.#keptBelow(origin, parent).add(name);
  }

  /** All parents below which names are folded, with the names that stay. */
  get folds(): readonly SiblingFold[] {
    return [...this.#folds].flatMap(([origin, parents]) => {
      return Array.from(parents, ([parent, kept]) => ({
        origin,
        parent,
        kept: [...kept].filter((name) => name !== ""),
      }));
    });
  }

  /** The template of a path, or the path itself if nothing is folded. */
  templateOf(origin: string, path: string): string {
    const ruled = pathByRules(this.#rules, origin, path);
    if (ruled !== null) return ruled;
    const parents = this.#folds.get(origin);
    const template = templateOf(path);
    if (parents === undefined) return template;
    const segments = segmentsOf(template);
    foldSiblings(segments, parents);
    return segments.join("/");
  }

  /**
   * Counts a request for the folded names in its path. Names that reach `OWN_REQUESTS` can become endpoints of their
   * own (`keepFrequent`).
   */
  requested(origin: string, path: string): void {
    const parents = this.#folds.get(origin);
    if (parents === undefined || pathByRules(this.#rules, origin, path) !== null) return;
    foldSiblings(segmentsOf(templateOf(path)), parents, (parent, segment) => {
      const known = this.#count(origin, parent, segment, 1);
      if (known.requests >= OWN_REQUESTS) this.#frequent.add(known);
    });
  }

  /** Whether a folded name has reached `OWN_REQUESTS`. */
  get hasFrequent(): boolean {
    return this.#frequent.size > 0;
  }

  /**
   * Stops folding the names that reached `OWN_REQUESTS`. Returns a function that tells whether a template may split as
   * a result.
   */
  keepFrequent(): (origin: string, template: string) => boolean {
    const parents = new Set<string>();
    for (const { origin, parent, segment } of this.#frequent) {
      this.#keptBelow(origin, parent).add(segment);
      parents.add(`${origin}${parent}/${PLACEHOLDER}`);
    }
    this.#frequent.clear();
    return (origin, template) => [...parents].some((parent) => isWithin(`${origin}${template}`, parent));
  }

  /**
   * Decides from a session's paths and their numbers of requests which names to fold. Returns whether any name is newly
   * folded.
   */
  learn(paths: Iterable<PathCount>): boolean {
    const origins = new Map<string, Map<string, number>>();
    for (const { origin, path, requests } of paths) {
      const counts = origins.get(origin) ?? new Map<string, number>();
      origins.set(origin, counts);
      counts.set(path, (counts.get(path) ?? 0) + requests);
    }
    let isChange = false;
    for (const [origin, counts] of origins) if (this.#learnFrom(origin, counts)) isChange = true;
    return isChange;
  }

  #learnFrom(origin: string, counts: ReadonlyMap<string, number>): boolean {
    const branches = Array.from(counts).flatMap(([path, requests]) => {
      if (pathByRules(this.#rules, origin, path) !== null) return [];
      return { requests, segments: segmentsOf(this.templateOf(origin, path)) };
    });
    let isChange = false;
    let among: readonly (readonly Branch[])[] = [branches];
    for (let depth = 0; among.length > 0 && depth < MOST_SEGMENTS; depth += 1) {
      among = among.flatMap((siblings) => {
        const children = childrenAt(siblings, depth);
        const rare = rareAmong(children);
        if (rare.size === 0) return [...children.values()];
        isChange = true;
        this.#fold(origin, siblings[0]?.segments.slice(0, depth).join("/") ?? "", children, rare);
        return merged(children, rare, depth);
      });
    }
    return isChange;
  }

  #fold(
    origin: string,
    parent: string,
    children: ReadonlyMap<string, readonly Branch[]>,
    rare: ReadonlySet<string>,
  ): void {
    const kept = this.#keptBelow(origin, parent);
    for (const name of children.keys()) if (!rare.has(name)) kept.add(name);
    kept.delete(PLACEHOLDER);
    for (const name of rare) this.#count(origin, parent, name, requestsOf(children.get(name) ?? []));
  }

  #keptBelow(origin: string, parent: string): Set<string> {
    const parents = this.#folds.get(origin) ?? new Map<string, Set<string>>();
    this.#folds.set(origin, parents);
    const kept = parents.get(parent) ?? new Set([""]);
    parents.set(parent, kept);
    return kept;
  }

  #count(origin: string, parent: string, segment: string, requests: number): FoldedName {
    const key = `${origin}${parent}/${segment}`;
    const known = this.#folded.get(key) ?? { origin, parent, segment, requests: 0 };
    known.requests += requests;
    this.#folded.set(key, known);
    evictOldest(this.#folded, MOST_COUNTED);
    return known;
  }
}

/** Replaces folded names in `segments` by `{id}`, from the first segment on. */
function foldSiblings(
  segments: string[],
  parents: ReadonlyMap<string, Set<string>>,
  onFold: (parent: string, segment: string) => void = () => {},
): void {
  let parent = "";
  for (let depth = 1; depth < Math.min(segments.length, MOST_SEGMENTS); depth += 1) {
    const segment = segments[depth] as string;
    const kept = parents.get(parent);
    if (kept !== undefined && segment !== PLACEHOLDER && !kept.has(segment)) {
      onFold(parent, segment);
      segments[depth] = PLACEHOLDER;
    }
    parent = `${parent}/${segments[depth]}`;
  }
}

interface Branch {
  readonly requests: number;
  /** The segments of the path, folded up to the current depth. */
  readonly segments: string[];
}

/** Groups branches that are equal up to `depth`, by their segment at this depth; leaves out shorter branches. */
function childrenAt(branches: readonly Branch[], depth: number): ReadonlyMap<string, Branch[]> {
  const children = new Map<string, Branch[]>();
  for (const branch of branches) {
    const segment = branch.segments[depth];
    if (segment === undefined) continue;
    const child = children.get(segment);
    if (child === undefined) children.set(segment, [branch]);
    else child.push(branch);
  }
  return children;
}

/** Replaces the rare names at `depth` by the placeholder, and joins the branches that become equal. */
function merged(
  children: ReadonlyMap<string, readonly Branch[]>,
  rare: ReadonlySet<string>,
  depth: number,
): readonly (readonly Branch[])[] {
  const folded = [...rare].flatMap((name) => children.get(name) ?? []);
  for (const { segments } of folded) segments[depth] = PLACEHOLDER;
  const others = [...children].flatMap(([name, child]) => (rare.has(name) || name === PLACEHOLDER ? [] : [child]));
  return [...others, [...folded, ...(children.get(PLACEHOLDER) ?? [])]];
}

/** The rare siblings, which are to be folded. Empty if there are few siblings, or if at most half of them are rare. */
function rareAmong(children: ReadonlyMap<string, readonly Branch[]>): ReadonlySet<string> {
  const literals = [...children.keys()].filter((name) => name !== PLACEHOLDER && name !== "");
  if (literals.length < FOLDED_FROM) return NO_NAMES;
  const rare = literals.filter((name) => requestsOf(children.get(name) ?? []) < OWN_REQUESTS);
  return 2 * rare.length > literals.length ? new Set(rare) : NO_NAMES;
}

const NO_NAMES: ReadonlySet<string> = new Set();

function requestsOf(branches: readonly Branch[]): number {
  return branches.reduce((sum, { requests }) => sum + requests, 0);
}
