import { type Endpoint, partsOf } from "../model/endpoint.ts";

/** What stands for a segment that names one of many. */
export const PLACEHOLDER = "{id}";

/** decisions.md, Endpoint grouping: from so many collecting endpoints of one template on grouping is offered. */
const OFFERED_FROM = 20;

/** decisions.md, Endpoint grouping: numbers, UUIDs, ULIDs (Crockford's base32, 26 digits, the first at most 7) and hex >= 16. */
const FOLDED =
  /^(?:\d+|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[0-7][\dabcdefghjkmnpqrstvwxyz]{25}|[\da-f]{16,})$/i;

/** A path with the segments folded that tell one resource from another of its kind. */
export function templateOf(path: string): string {
  return path
    .split("/")
    .map((segment) => (FOLDED.test(segment) ? PLACEHOLDER : segment))
    .join("/");
}

/** The endpoint that stands for all of its template. */
export function groupedEndpoint(endpoint: Endpoint): Endpoint {
  const { method, origin, path } = partsOf(endpoint);
  return `${method} ${origin}${templateOf(path)}` as Endpoint;
}

/** "312 paths look like 9 templates": the paths that share a template with at least 20, and how many such templates there are. */
export interface GroupingOffer {
  readonly paths: number;
  readonly templates: number;
}

/** `collecting`: of each template, how many endpoints without a row share it. `null` where there is nothing to offer. */
export function groupingOfferOf(collecting: Iterable<number>): GroupingOffer | null {
  const shared = [...collecting].filter((count) => count >= OFFERED_FROM);
  if (shared.length === 0) return null;
  return Object.freeze({ paths: shared.reduce((sum, count) => sum + count, 0), templates: shared.length });
}
