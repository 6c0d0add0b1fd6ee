import { hostOf, isWithin } from "../model/endpoint.ts";
import { evictOldest } from "../model/evict-oldest.ts";
import { ANY_SEGMENT, type PathRule, pathRulesOf, type SiblingFold } from "../model/path-rule.ts";
import type { Settings } from "../model/settings.ts";
import { medianOf } from "../stats/percentile.ts";
import { isOpaque } from "./opaque-text.ts";

/**
 * docs/specification.md, Endpoint grouping: names are folded into `{id}` if their parent has at least this many
 * distinct names.
 */
const FOLDED_FROM = 20;

/**
 * docs/specification.md, Endpoint grouping: a name stays apart with at least `APART_REQUESTS` requests, which are at
 * least `APART_FACTOR` times the median of its siblings.
 */
const APART_REQUESTS = 20;
const APART_FACTOR = 10;

/** The most folded names whose requests are counted. The oldest are dropped first. */
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
 * names among many siblings.
 *
 *     /users/7   /users/9            → /users/{id}
 *     /tags/red  /tags/blue … 20+    → /tags/{id}, but /tags/all with ten times the requests of the others stays
 */
export class PathTemplates {
  /** The user's rules. */
  readonly rules: readonly PathRule[];
  /** The names that stay unfolded, by origin and parent. */
  readonly #folds = new Map<string, Map<string, Set<string>>>();
  readonly #folded = new Map<string, FoldedName>();
  /** Folded names that turned out to stay apart since they were folded. */
  readonly #frequent = new Set<FoldedName>();

  constructor(rules: readonly PathRule[] = [], folds: Iterable<SiblingFold> = []) {
    this.rules = rules;
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
    const ruled = pathByRules(this.rules, origin, path);
    if (ruled !== null) return ruled;
    const parents = this.#folds.get(origin);
    const template = templateOf(path);
    if (parents === undefined) return template;
    const segments = segmentsOf(template);
    foldSiblings(segments, parents);
    return segments.join("/");
  }

  /**
   * Counts a request for the folded names in its path. Names that are requested far more often than their siblings can
   * become endpoints of their own (`keepFrequent`).
   */
  requested(origin: string, path: string): void {
    const parents = this.#folds.get(origin);
    if (parents === undefined || pathByRules(this.rules, origin, path) !== null) return;
    foldSiblings(segmentsOf(templateOf(path)), parents, (parent, segment) => {
      const known = this.#count(origin, parent, segment, 1);
      if (this.#staysApart(known)) this.#frequent.add(known);
    });
  }

  /** Whether a folded name turned out to stay apart. */
  get hasFrequent(): boolean {
    return this.#frequent.size > 0;
  }

  /**
   * Stops folding the names that turned out to stay apart. Returns a function that tells whether a template may split
   * as a result.
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
      if (pathByRules(this.rules, origin, path) !== null) return [];
      return { requests, segments: segmentsOf(this.templateOf(origin, path)) };
    });
    let isChange = false;
    let among: readonly (readonly Branch[])[] = [branches];
    for (let depth = 0; among.length > 0 && depth < MOST_SEGMENTS; depth += 1) {
      among = among.flatMap((siblings) => {
        const children = childrenAt(siblings, depth);
        const folded = foldedAmong(children);
        if (folded.size === 0) return [...children.values()];
        isChange = true;
        this.#fold(origin, siblings[0]?.segments.slice(0, depth).join("/") ?? "", children, folded);
        return merged(children, folded, depth);
      });
    }
    return isChange;
  }

  #fold(
    origin: string,
    parent: string,
    children: ReadonlyMap<string, readonly Branch[]>,
    folded: ReadonlySet<string>,
  ): void {
    const kept = this.#keptBelow(origin, parent);
    for (const name of children.keys()) if (!folded.has(name)) kept.add(name);
    kept.delete(PLACEHOLDER);
    for (const name of folded) this.#count(origin, parent, name, requestsOf(children.get(name) ?? []));
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

  /** Whether a folded name stays apart. Its siblings are compared only when its requests have doubled. */
  #staysApart({ origin, parent, requests }: FoldedName): boolean {
    const doublings = Math.log2(requests / APART_REQUESTS);
    if (doublings < 0 || !Number.isInteger(doublings)) return false;
    const siblings: number[] = [];
    for (const other of this.#folded.values())
      if (other.origin === origin && other.parent === parent) siblings.push(other.requests);
    return siblings.length >= FOLDED_FROM && isApart(requests, siblings);
  }
}

/** Whether a name with this many requests stays apart. `siblings`: the requests of all names below its parent. */
function isApart(requests: number, siblings: readonly number[]): boolean {
  return requests >= APART_REQUESTS && requests >= APART_FACTOR * medianOf(siblings);
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

/** Replaces the folded names at `depth` by the placeholder, and joins the branches that become equal. */
function merged(
  children: ReadonlyMap<string, readonly Branch[]>,
  folded: ReadonlySet<string>,
  depth: number,
): readonly (readonly Branch[])[] {
  const alike = [...folded].flatMap((name) => children.get(name) ?? []);
  for (const { segments } of alike) segments[depth] = PLACEHOLDER;
  const others = [...children].flatMap(([name, child]) => (folded.has(name) || name === PLACEHOLDER ? [] : [child]));
  return [...others, [...alike, ...(children.get(PLACEHOLDER) ?? [])]];
}

/** The siblings that are to be folded. Empty if there are few siblings. */
function foldedAmong(children: ReadonlyMap<string, readonly Branch[]>): ReadonlySet<string> {
  const literals = [...children.keys()].filter((name) => name !== PLACEHOLDER && name !== "");
  if (literals.length < FOLDED_FROM) return NO_NAMES;
  const requests = literals.map((name) => requestsOf(children.get(name) ?? []));
  return new Set(literals.filter((_, index) => !isApart(requests[index] as number, requests)));
}

const NO_NAMES: ReadonlySet<string> = new Set();

function requestsOf(branches: readonly Branch[]): number {
  return branches.reduce((sum, { requests }) => sum + requests, 0);
}

/** The templates that group a session's similar paths; `null` if the settings group none. */
export function pathTemplatesOf(settings: Settings, folds: Iterable<SiblingFold> = []): PathTemplates | null {
  return settings.groupSimilarPaths ? new PathTemplates(pathRulesOf(settings.pathRules), folds) : null;
}

/** The pattern of a rule that matches this path or template on the origin's host. */
export function patternOf(origin: string, path: string): string {
  return `${hostOf(origin)}${path.replaceAll(`/${PLACEHOLDER}`, `/${ANY_SEGMENT}`)}`;
}

/** The template that the first matching rule gives a path; `null` if none matches. */
export function pathByRules(rules: readonly PathRule[], origin: string, path: string): string | null {
  if (rules.length === 0) return null;
  const host = hostOf(origin).toLowerCase();
  const segments = path.split("/").slice(1);
  const rule = rules.find((one) => (one.host === null || one.host === host) && isMatch(one.segments, segments));
  if (rule === undefined) return null;
  if (rule.apart) return path;
  return `/${rule.segments.map((segment) => (segment === ANY_SEGMENT ? PLACEHOLDER : segment)).join("/")}`;
}

function isMatch(pattern: readonly string[], segments: readonly string[]): boolean {
  if (pattern.length !== segments.length) return false;
  return pattern.every((wanted, index) => {
    const segment = segments[index] as string;
    return wanted === ANY_SEGMENT ? segment !== "" : wanted === segment;
  });
}

/** The placeholder for a segment that identifies one of many resources. */
export const PLACEHOLDER = "{id}";

/** docs/specification.md, Endpoint grouping: ids recognizable by their form alone. */
const FORMS: readonly RegExp[] = [
  /^\d+(?:\.[a-z]\w{0,9})?$/i, // 42, 42.json
  /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i,
  /^[0-7][\dabcdefghjkmnpqrstvwxyz]{25}$/i, // ULID, Crockford's base32
  /^(?=[a-f]*\d)[\da-f]{8,}$/i,
  /^\d{4}-\d\d(?:-\d\d)?(?:T[\d:.]+Z?)?$/,
  /^[^@\s/]+@[^@\s/]+\.[a-z]{2,}$/i,
  /^[a-z]{1,10}[-_]?\d{3,}$/i, // P10037, sku-4411
];

/**
 * Matches an id with a short prefix: letters, an underscore, then at least six characters with a digit among them, such
 * as `cus_9s6XKzkNRiz8i3`.
 */
const PREFIXED = /^[a-z]{1,10}_(?=[a-z]*\d)[\da-z]{6,}$/i;

/** The length from which a segment may be a base62 or base64url id. A nanoid has 21 characters. */
const OPAQUE_FROM = 16;

/** A quick test before the exact ones: ids contain a digit, an at sign or an escape, or are long. */
const MAY_HOLD_ID = /[\d@%]|[^/]{16}/;

/** Whether a segment looks like an id, whatever its siblings are. */
export function isIdSegment(segment: string): boolean {
  if (!MAY_HOLD_ID.test(segment)) return false;
  const text = segment.includes("%") ? unescaped(segment) : segment;
  if (FORMS.some((form) => form.test(text)) || PREFIXED.test(text)) return true;
  return text.length >= OPAQUE_FROM && /^[\w-]+$/.test(text) && isOpaque(text);
}

/** docs/specification.md, Endpoint grouping: how many segments of a path are looked at. */
export const MOST_SEGMENTS = 64;

/** The parts between the slashes of a path. Joined by slashes they are the path: the last one has all that follows. */
export function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  let from = 0;
  for (let end = path.indexOf("/"); end >= 0 && segments.length < MOST_SEGMENTS; end = path.indexOf("/", from)) {
    segments.push(path.slice(from, end));
    from = end + 1;
  }
  segments.push(path.slice(from));
  return segments;
}

/** The path, with `PLACEHOLDER` in place of each segment that looks like an id. */
export function templateOf(path: string): string {
  if (!MAY_HOLD_ID.test(path)) return path;
  return segmentsOf(path)
    .map((segment) => (isIdSegment(segment) ? PLACEHOLDER : segment))
    .join("/");
}

/** Whether a path, or an endpoint's name, contains a placeholder. */
export function isTemplate(path: string): boolean {
  return path.includes(`/${PLACEHOLDER}`);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
