import { type EndpointParts, endpointAt, partsOf, pathOf } from "../../model/endpoint.ts";
import type { EndedExperiment } from "../../model/experiment.ts";
import type { ExchangeFacts } from "../exchange-facts.ts";
import { laterStartsIn, targetEndpointOf } from "../experiment/ended-experiment.ts";
import { isRequestOf } from "../experiment/target.ts";
import { laterStartText } from "../experiment/verdict-text.ts";
import { PLACEHOLDER } from "../path-templates.ts";
import type { KnownOrder } from "./experiment-links.ts";

/** What each experiment found. Computed once, because it may take seconds. */
const FOUND = new WeakMap<EndedExperiment, readonly KnownOrder[]>();

/** What experiments found out about the order of requests, the latest first. */
export function knownOrdersOf(experiments: readonly EndedExperiment[]): readonly KnownOrder[] {
  return experiments.flatMap((ended) => {
    const known = FOUND.get(ended) ?? ordersOf(ended);
    FOUND.set(ended, known);
    return known;
  });
}

function ordersOf(ended: EndedExperiment): readonly KnownOrder[] {
  const from = targetEndpointOf(ended.target);
  return laterStartsIn(ended).flatMap((later) => {
    if (later.kind === "unknown") return [];
    const figures = laterStartText(later, ended.unit);
    return { from, to: later.endpoint, client: ended.client, follows: later.kind === "follows", figures };
  });
}

/**
 * The endpoint, among those of experiments, that an exchange belongs to; "" if to none. Since paths may be grouped
 * otherwise by now, an exchange belongs to an endpoint whose path its own path matches.
 */
export function experimentKeys(experiments: readonly EndedExperiment[]): (facts: ExchangeFacts) => string {
  const byOrigin = new Map<string, EndpointParts[]>();
  for (const { target, later } of experiments)
    for (const parts of [target, ...later.map(partsOf)]) {
      const origin = `${parts.method} ${parts.origin}`;
      const own = byOrigin.get(origin) ?? [];
      own.push(parts);
      byOrigin.set(origin, own);
    }
  // An endpoint without a placeholder describes its requests best.
  for (const own of byOrigin.values())
    own.sort((one, other) => Number(one.path.includes(PLACEHOLDER)) - Number(other.path.includes(PLACEHOLDER)));
  const known = new Map<string, string>();
  return ({ exchange, endpoint: { operation } }) => {
    const own = byOrigin.get(`${exchange.method} ${exchange.origin}`);
    if (own === undefined) return "";
    const literal = endpointAt(exchange.method, exchange.origin, pathOf(exchange.target), operation);
    const before = known.get(literal);
    if (before !== undefined) return before;
    const found = own.find((parts) => parts.operation === operation && isRequestOf(exchange, parts));
    const key = found === undefined ? "" : targetEndpointOf(found);
    known.set(literal, key);
    return key;
  };
}
