import CachePolicy from "http-cache-semantics";
import type { HeaderField } from "../../model/head.ts";
import { responseField } from "./request.ts";
import type { Request } from "./traffic.ts";

/**
 * What a private cache could have done with the earlier response when the request came again (RFC 9111). `fresh`: use
 * the response; `validator`: revalidate it; `forbidden`: nothing, because of no-store; `headers`: nothing, because no
 * header permits reuse.
 */
export type CacheVerdict = "fresh" | "validator" | "forbidden" | "headers";

export function cacheVerdictOf(before: Request, again: Request): CacheVerdict {
  const policy = new PrivateCache(requestOf(before), responseOf(before), { shared: false, cacheHeuristic: 0 });
  if (!policy.storable())
    return /no-store/i.test(responseField(before, "cache-control") ?? "") ? "forbidden" : "headers";
  policy.elapsed = again.start - before.end;
  if (policy.satisfiesWithoutRevalidation(requestOf(again))) return "fresh";
  const hasValidator = responseField(before, "etag") !== null || responseField(before, "last-modified") !== null;
  return hasValidator ? "validator" : "headers";
}

/** A cache policy that uses `elapsed`, the session's time since the response, instead of the machine's clock. */
class PrivateCache extends CachePolicy {
  elapsed = 0;

  /** Called by the base class's constructor too, before `elapsed` is set. */
  now(): number {
    return this.elapsed ?? 0;
  }
}

function requestOf({ facts }: Request): CachePolicy.HttpRequest {
  const { method, target } = facts.exchange;
  return { method, url: target, headers: headersOf(facts.requestFields) };
}

function responseOf({ facts, status }: Request): CachePolicy.HttpResponse {
  const { expires, ...headers } = headersOf(facts.responseFields);
  // Drops Expires if there is no Date: the lifetime is the difference of the two.
  const isDated = expires !== undefined && headers["date"] !== undefined;
  return { status: status ?? 0, headers: isDated ? { ...headers, expires } : headers };
}

function headersOf(fields: readonly HeaderField[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { name, value } of fields)
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  return headers;
}
