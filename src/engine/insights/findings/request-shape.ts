import { groupedBy } from "../grouped.ts";
import { PLACEHOLDER, segmentsOf } from "../path-templates.ts";
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

/** All shapes that enough of the requests have, the largest first. All paths have the same number of segments. */
export function candidatesIn(requests: readonly Request[]): readonly Shape[] {
  const byPath = groupedBy(requests, ({ path }) => path);
  const shapes: Shape[] = [];
  for (const [path, members] of byPath)
    if (members.length >= LEAST_REQUESTS)
      shapes.push({ path, members, literalOf: detailOf, isByWords: false, isByBody: members.some(isToldByBody) });
  if (byPath.size >= LEAST_REQUESTS)
    for (const shape of shapesByPath([...byPath].map(([path, members]) => ({ path, members })))) shapes.push(shape);
  return shapes.sort((left, right) => right.members.length - left.members.length);
}

interface Same {
  readonly path: string;
  readonly members: readonly Request[];
}

/** The shapes of paths that differ in one segment. Reads each path once, however many segments it has. */
function shapesByPath(all: readonly Same[]): readonly Shape[] {
  const [befores, afters] = [new SegmentTree(), new SegmentTree()];
  const split = all.map(({ path, members }) => {
    const segments = segmentsOf(path);
    return { members, segments, before: befores.add(segments), after: afters.add(segments.toReversed()) };
  });
  const shapes: Shape[] = [];
  const depth = split[0]?.segments.length ?? 0;
  for (let index = 1; index < depth; index += 1) {
    // The segments before and after are one number each, so that paths are compared without joining them.
    const alike = groupedBy(split, ({ before, after }) => `${before[index]} ${after[depth - 1 - index]}`);
    for (const group of alike.values()) {
      const literals = group.map(({ segments }) => segments[index] ?? "");
      if (literals.length < LEAST_REQUESTS) continue;
      const path = (group[0]?.segments ?? []).with(index, PLACEHOLDER).join("/");
      const members = group
        .flatMap((one) => one.members)
        .sort((one, other) => one.start - other.start || one.id - other.id);
      const literalOf = ({ path }: Request) => segmentsOf(path)[index] ?? "";
      const isByWords = literals.every((literal) => WORD.test(literal));
      shapes.push({ path, members, literalOf, isByWords, isByBody: false });
    }
  }
  return shapes;
}

/** Numbers sequences of segments, so that equal sequences have equal numbers. */
class SegmentTree {
  readonly #numbers = new Map<string, number>();

  /** For each index, the number of the sequence of all segments before it. */
  add(segments: readonly string[]): readonly number[] {
    let number = 0;
    return segments.map((segment) => {
      const before = number;
      const key = `${before} ${segment}`;
      number = this.#numbers.get(key) ?? this.#numbers.size + 1;
      this.#numbers.set(key, number);
      return before;
    });
  }
}

const WORD = /^[a-z]+(?:[-_.][a-z]+)*$/i;

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
