import type { Steps } from "../../../model/steps.ts";
import { PLACEHOLDER } from "../../path-template.ts";
import { groupedFrom } from "../sliced.ts";
import type { Request } from "../traffic.ts";

/** docs/specification.md, n-plus-one. */
export const LEAST_REQUESTS = 5;

/** Requests of one shape. */
export interface Shape {
  /** The path, with the segment folded in which the requests differ; as sent where the query or the body differs. */
  readonly path: string;
  readonly members: readonly Request[];
  readonly literalOf: (request: Request) => string;
  /** Whether the requests differ in plain words only, which may be endpoints of their own. */
  readonly isByWords: boolean;
}

/** All shapes that enough of these requests share, the largest first. */
export function* candidatesIn(requests: readonly Request[]): Steps<readonly Shape[]> {
  const byPath = yield* groupedFrom(requests, ({ path }) => path);
  const shapes: Shape[] = [];
  for (const [path, members] of byPath)
    if (members.length >= LEAST_REQUESTS) shapes.push({ path, members, literalOf: detailOf, isByWords: false });
  const depth = requests[0]?.path.split("/").length ?? 0;
  for (let index = 1; index < depth && byPath.size >= LEAST_REQUESTS; index += 1) {
    const literalOf = ({ path }: Request) => path.split("/")[index] ?? "";
    for (const [path, members] of yield* groupedFrom(requests, (request) => folded(request.path, index))) {
      const literals = new Set(members.map(literalOf));
      if (literals.size < LEAST_REQUESTS) continue;
      shapes.push({ path, members, literalOf, isByWords: [...literals].every((literal) => WORD.test(literal)) });
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

/** The query and body, in which requests to one path differ. */
function detailOf({ facts }: Request): string {
  const query = facts.query.map((pair) => pair.join("=")).join("&");
  return facts.endpoint.operation === null ? query : `${query}\n${facts.requestBody.hash ?? facts.exchange.id}`;
}
