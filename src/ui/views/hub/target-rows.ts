import { type Found, otherToolFor, search } from "../../../engine/hub/search.ts";
import { CATEGORIES, type Support, type Target } from "../../../engine/hub/target.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { type Part, partsOf } from "./marks.ts";

export type TargetRow = ReturnType<typeof rowOf>;

export interface TargetGroup {
  readonly category: string;
  readonly id: string;
  readonly shown: boolean;
  readonly title: readonly Part[];
  /** The number of targets: "6"; with a filter "2 of 10". */
  readonly count: string;
  readonly rows: readonly TargetRow[];
}

export interface TargetList {
  /** All groups, including hidden ones: hiding a row takes less time than drawing it again. */
  readonly groups: readonly TargetGroup[];
  /** How many targets match: "6 of 33"; "" without a filter. */
  readonly count: string;
  /** A hint for a pasted error that many clients can get, or for a tool without a target; "" for other filters. */
  readonly note: string;
  readonly slugs: readonly string[];
  /** Slug of the target that Enter opens: the one whose name matches best, else the first; "" if no target matches. */
  readonly best: string;
}

const SHORT: Readonly<Record<Support, string>> = {
  "Proven end-to-end": "Proven",
  "Proven when the tool is present": "Proven",
  "Snippet + capture check": "Snippet",
  "Guide only": "Guide",
};

/** The rows of the source list, filtered. An unchanged row is the same object as in `before`: it is not redrawn. */
export function targetListOf(targets: readonly Target[], filter: string, before: TargetList | null): TargetList {
  const filtered = filter.trim() !== "";
  const found = search(targets, filter);
  const hits = found.flatMap((group) => group.found);
  const groups = CATEGORIES.map((category, index) => {
    const group = found.find((one) => one.category === category);
    const rows = targets
      .filter((target) => target.category === category)
      .map((target, at) => {
        const row = rowOf(target, group?.found.find((one) => one.target === target) ?? null);
        return reuseIfEqual(before?.groups[index]?.rows[at] ?? row, row);
      });
    const count = filtered ? `${group?.found.length ?? 0} of ${rows.length}` : String(rows.length);
    const title = partsOf(category, group?.highlights ?? []);
    const id = `category-${category.toLowerCase().replaceAll(" ", "-")}`;
    return Object.freeze({ category, id, shown: group !== undefined, title, count, rows: Object.freeze(rows) });
  });
  return Object.freeze({
    groups: Object.freeze(groups),
    count: filtered ? `${hits.length} of ${targets.length}` : "",
    note: isGeneral(targets, hits, filtered)
      ? "Many clients can get this error. Each of these targets explains it under Troubleshooting."
      : (otherToolFor(targets, filter)?.note ?? ""),
    slugs: Object.freeze(hits.map(({ target }) => target.slug)),
    best: bestOf(hits, filter),
  });
}

/**
 * Whether the filter is a general error message: it matches every target that reads a certificate, but no target's
 * name, summary or label.
 */
function isGeneral(targets: readonly Target[], hits: readonly Found[], filtered: boolean): boolean {
  return (
    filtered &&
    hits.length > 0 &&
    targets.every((target) => target.trust?.kind === "no-certificate" || hits.some((hit) => hit.target === target)) &&
    hits.every(({ name, summary, support }) => name.length + summary.length + support.length === 0)
  );
}

function rowOf(target: Target, found: Found | null) {
  const { slug, name, summary, support } = target;
  const whole = found !== null && found.summary.length > 0;
  return Object.freeze({
    slug,
    id: `target-${slug}`,
    /** Whether the target matches the filter. */
    shown: found !== null,
    name: partsOf(name, found?.name ?? []),
    summary: whole ? partsOf(summary, found.summary) : partsOf(shortSummary(summary), []),
    /** The support label in full if the filter matches it, else nothing. */
    support: found === null || found.support.length === 0 ? [] : partsOf(support, found.support),
    /** The support label in short, beside the name. Assistive technology reads `fullSupport`. */
    shortSupport: SHORT[support],
    fullSupport: support,
    /** Whether the summary is shown in full, so that all matches in it are visible. */
    whole,
  });
}

/** The part of a summary after the colon, because only this part is specific to the target. */
function shortSummary(summary: string): string {
  const at = summary.indexOf(": ");
  return at < 0 ? summary : summary.slice(at + 2);
}

function bestOf(hits: readonly Found[], filter: string): string {
  const wanted = filter.trim().toLowerCase();
  const named = ({ target }: Found): string => target.name.toLowerCase();
  const best =
    hits.find((hit) => named(hit) === wanted) ??
    hits.find((hit) => named(hit).startsWith(wanted)) ??
    hits.find(({ name }) => name.length > 0) ??
    hits.find((hit) => wanted.split(/\W+/).includes(named(hit))) ??
    hits[0];
  return best?.target.slug ?? "";
}
