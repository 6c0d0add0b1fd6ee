import { valuesIn } from "../../facts/field-values.ts";
import { isIdSegment, PLACEHOLDER, segmentsOf } from "../../path-templates.ts";
import type { Request } from "../traffic.ts";
import { type CategoryColumn, column, TIERS } from "./column.ts";

/** The most cookies of an endpoint that are compared. */
const MOST_COOKIES = 100;

/**
 * The last segment of a path may name an endpoint of its own, and endpoints differ more than values do. So a last
 * segment without an id's form must be this many times as slow.
 */
const ENDPOINT_EFFECT = 3;

/** `body:FIELD` for these fields of the body. Presence is compared only if the fields of all requests are known. */
export function bodyColumns(requests: readonly Request[], names: Iterable<string>): readonly CategoryColumn[] {
  const hasPresence = requests.every(({ facts }) => facts.bodyFields !== null);
  return Array.from(names, (name) =>
    column(`body:${name}`, TIERS.request, ({ facts }) => namedIn(facts.bodyFields, name), hasPresence),
  );
}

/** `query:NAME` for these parameters. */
export function queryColumns(names: Iterable<string>): readonly CategoryColumn[] {
  return Array.from(names, (name) =>
    column(`query:${name}`, TIERS.request, ({ facts }) => namedIn(facts.query, name), true),
  );
}

/** The values of a name, in order. */
function namedIn(pairs: Request["facts"]["bodyFields"], name: string): readonly string[] {
  if (pairs === null || pairs.length === 0) return NONE;
  const values: string[] = [];
  for (const [other, value] of pairs) if (other === name) values.push(value);
  return values;
}

const NONE: readonly string[] = Object.freeze([]);

/** `path:N` for each segment that the endpoint's template folds; N counts all segments from 1. */
export function pathColumns(requests: readonly Request[]): readonly CategoryColumn[] {
  const template = segmentsOf(requests[0]?.facts.endpoint.path ?? "");
  return template.flatMap((segment, index) => {
    if (segment !== PLACEHOLDER) return [];
    const isLast = index === template.length - 1;
    const segments = new Map<string, readonly string[]>();
    const valuesOf = ({ path }: Request): readonly string[] => {
      const known = segments.get(path);
      if (known !== undefined) return known;
      const value = segmentsOf(path)[index];
      const values = value === undefined ? [] : [value];
      segments.set(path, values);
      return values;
    };
    const leastEffectOf = (value: string) => (isLast && !isIdSegment(value) ? ENDPOINT_EFFECT : 0);
    return { ...column(`path:${index}`, TIERS.request, valuesOf, false), leastEffectOf };
  });
}

/** `cookie:NAME` by presence: the values are secret. */
export function cookieColumns(requests: readonly Request[]): readonly CategoryColumn[] {
  const known = new Map<Request["facts"]["requestFields"], ReadonlySet<string>>();
  const cookiesOf = ({ facts: { requestFields } }: Request): ReadonlySet<string> => {
    const names = known.get(requestFields) ?? cookieNamesIn(valuesIn(requestFields, "cookie").join(";"));
    known.set(requestFields, names);
    return names;
  };
  const names = new Set<string>();
  for (const request of requests) for (const name of cookiesOf(request)) if (names.size < MOST_COOKIES) names.add(name);
  return Array.from(names, (name) =>
    column(`cookie:${name}`, TIERS.header, (request) => (cookiesOf(request).has(name) ? PRESENT : ABSENT), false),
  );
}

/** Values that say whether a secret is there. */
export const PRESENT: readonly string[] = Object.freeze(["present"]);
export const ABSENT: readonly string[] = Object.freeze(["absent"]);

/** The names in a Cookie header (RFC 6265, 4.2.1). */
function cookieNamesIn(header: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const pair of header.split(";")) {
    const [name = ""] = pair.split("=", 1);
    if (name.trim() !== "") names.add(name.trim());
  }
  return names;
}
