import { type EndpointParts, operationIn, partsOf } from "../../../../src/engine/model/endpoint.ts";
import { failure, type Result, success } from "../../../../src/engine/model/result.ts";
import type { Session } from "../../../../src/engine/session/session.ts";

/**
 * The endpoint that "METHOD PATH" or "METHOD URL" names, among those recorded. The problem of a failure is a sentence
 * that says what to do.
 */
export function experimentTargetOf(text: string, session: Session): Result<EndpointParts> {
  const [, method = "", place = ""] = /^([\w-]{1,64}) (\S+)$/.exec(text.trim()) ?? [];
  if (method === "") return failure(`“${text}” is no endpoint. Write its method and path, such as "GET /v1/prices".`);
  const found = session.tallies.counted().filter(({ endpoint }) => {
    const parts = partsOf(endpoint);
    const isPlace = place === parts.path || place === parts.origin + parts.path;
    return operationIn(endpoint) === null && parts.method === method && isPlace;
  });
  const [first, second] = found;
  if (first === undefined) return failure(unknownText(text, method, place, session));
  const parts = partsOf(first.endpoint);
  if (second !== undefined)
    return failure(
      `${found.length} servers have ${text}. Name one by its URL, such as "${method} ${parts.origin}${parts.path}".`,
    );
  if (first.latencies.count === 0)
    return failure(`${text} had no whole response in this session. Only whole responses can be held back.`);
  return success(parts);
}

function unknownText(text: string, method: string, place: string, session: Session): string {
  const hasOperations = session.tallies.counted().some(({ endpoint }) => {
    const parts = partsOf(endpoint);
    return parts.method === method && (place === parts.path || place === parts.origin + parts.path);
  });
  if (hasOperations)
    return `${text} carries operations (GraphQL, JSON-RPC, SOAP). Weir cannot hold back one of them yet.`;
  return `This session has no request to ${text}. Send one through Weir, then start the experiment again.`;
}
