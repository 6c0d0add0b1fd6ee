import type { Steps } from "../../model/steps.ts";
import { PLACEHOLDER } from "../path-template.ts";
import { groupedFrom } from "./sliced.ts";
import type { Request } from "./traffic.ts";

/** docs/specification.md, n-plus-one. */
export const LEAST_REQUESTS = 5;

/** Requests that differ in one segment of the path, in the query or in the body. */
export interface Shape {
  /**
   * The path, in which `PLACEHOLDER` replaces the differing segment. If the query or the body differs instead, the path
   * as sent.
   */
  readonly path: string;
  readonly members: readonly Request[];
  readonly literalOf: (request: Request) => string;
  /** Whether the differing segments are plain words, which may be endpoints of their own. */
  readonly isByWords: boolean;
  /**
   * Whether the requests differ only in their bodies. Ordinary writes and events differ in the same way, so `areItems`
   * requires more proof.
   */
  readonly isByBody: boolean;
}

/** All shapes that enough of the requests have, the largest first. */
export function* candidatesIn(requests: readonly Request[]): Steps<readonly Shape[]> {
  const byPath = yield* groupedFrom(requests, ({ path }) => path);
  const shapes: Shape[] = [];
  for (const [path, members] of byPath)
    if (members.length >= LEAST_REQUESTS)
      shapes.push({ path, members, literalOf: detailOf, isByWords: false, isByBody: members.some(isToldByBody) });
  const depth = requests[0]?.path.split("/").length ?? 0;
  for (let index = 1; index < depth && byPath.size >= LEAST_REQUESTS; index += 1) {
    const literalOf = ({ path }: Request) => path.split("/")[index] ?? "";
    for (const [path, members] of yield* groupedFrom(requests, (request) => folded(request.path, index))) {
      const literals = new Set(members.map(literalOf));
      if (literals.size < LEAST_REQUESTS) continue;
      const isByWords = [...literals].every((literal) => WORD.test(literal));
      shapes.push({ path, members, literalOf, isByWords, isByBody: false });
    }
  }
  return shapes.sort((left, right) => right.members.length - left.members.length);
}

const WORD = /^[a-z]+(?:[-_.][a-z]+)*$/i;

function folded(path: string, index: number): string {
  return path
    .split("/")
    .map((segment, at) => (at === index ? PLACEHOLDER : segment))
    .join("/");
}

/**
 * What distinguishes requests with the same path: the query; also the body if the request has an operation or no query.
 */
function detailOf(request: Request): string {
  const { query, endpoint, requestBody, exchange } = request.facts;
  const told = query.map((pair) => pair.join("=")).join("&");
  if (endpoint.operation === null && !isToldByBody(request)) return told;
  return `${told}\n${requestBody.hash ?? exchange.id}`;
}

/** Whether only the body can name the item. */
function isToldByBody({ facts: { query, endpoint, requestBody } }: Request): boolean {
  return endpoint.operation === null && query.length === 0 && requestBody.hash !== null;
}
