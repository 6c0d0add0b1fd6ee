import type { OperationEndpoint } from "../../model/finding.ts";
import type { LoadGain } from "../../model/load-gain.ts";
import { failure, type Result, success } from "../../model/result.ts";
import type { Milliseconds } from "../../model/units.ts";
import type { Request, Traffic } from "../findings/traffic.ts";
import type { UnitGains } from "./unit-gains.ts";

/** Another time that all requests to an endpoint would take. */
export interface EndpointChange {
  /** The endpoint as given, such as "GET /v1/prices". */
  readonly endpoint: string;
  readonly to: Milliseconds;
}

/** What the session's page loads and walks would gain by changes together. */
export interface WhatIf {
  readonly changes: readonly (EndpointChange & {
    /** The number of requests to the endpoint. */
    readonly requests: number;
  })[];
  /** `null`: no page load has such a request. */
  readonly loads: LoadGain | null;
  /** `null`: no walk that occurred three times has such a request. */
  readonly walks: LoadGain | null;
}

/** The longest time that a change can give: an hour. */
const MOST: Milliseconds = 3_600_000;

/** Reads "GET /v1/prices=50": a method, a path or URL, and a time in ms. */
export function endpointChangeFrom(text: string): Result<EndpointChange> {
  const at = text.lastIndexOf("=");
  const [endpoint, time] = [text.slice(0, Math.max(0, at)).trim(), text.slice(at + 1).trim()];
  if (!/^\S+ /.test(endpoint) || !/^\d+(?:\.\d+)?$/.test(time))
    return failure(`--what-if takes an endpoint and a time in ms, such as "GET /v1/prices=50", not "${text}".`);
  if (Number(time) > MOST) return failure(`--what-if takes a time up to ${MOST} ms, not ${time}.`);
  return success({ endpoint, to: Number(time) });
}

/** The gains by changes together. */
export function whatIfOf(
  changes: readonly EndpointChange[],
  { requests }: Pick<Traffic, "requests">,
  units: UnitGains,
): WhatIf {
  const counts = new Map<EndpointChange, number>();
  const chosen = new Map<Request["id"], EndpointChange>();
  for (const request of requests)
    for (const change of changes) {
      if (!namesOf(request).includes(change.endpoint)) continue;
      counts.set(change, (counts.get(change) ?? 0) + 1);
      chosen.set(request.id, change);
    }
  const lengthOf = ({ id }: Request) => chosen.get(id)?.to ?? null;
  return Object.freeze({
    changes: changes.map((change) => ({ ...change, requests: counts.get(change) ?? 0 })),
    loads: units.gainsOf("load", lengthOf),
    walks: units.gainsOf("walk", lengthOf),
  });
}

/** How a change may name the request: by path or URL, as sent or as a template, with the operation if there is one. */
function namesOf({ facts: { endpoint, exchange }, path }: Request): readonly string[] {
  const { method, origin, operation } = endpoint;
  const named = ({ path: own }: Pick<OperationEndpoint, "path">) => {
    const names = [`${method} ${own}`, `${method} ${origin}${own}`];
    return operation === null ? names : [...names, ...names.map((name) => `${name} · ${operation}`)];
  };
  return [...named(endpoint), ...named({ path }), `${method} ${origin}${exchange.target}`];
}
