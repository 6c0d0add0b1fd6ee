import type { Request, Traffic } from "../../insights/findings/traffic.ts";
import type { UnitGains } from "../../insights/what-if/gains.ts";
import { type Endpoint, endpointAt } from "../../model/endpoint.ts";
import type { GainsFound, StepGain } from "../../model/load-gain.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";

/** Another time that the requests to an endpoint would take. */
export interface ChangedTime {
  /** One request to it, whose unit is told by itself; `null` if `endpoint` names the endpoint. */
  readonly exchange: ExchangeId | null;
  readonly endpoint: Endpoint | null;
  readonly to: Milliseconds;
}

export const NO_GAINS: GainsFound = Object.freeze({ step: null, loads: null, walks: null });

export function gainRecordsOf(
  { byId, endpoints }: Pick<Traffic, "byId" | "endpoints">,
  units: UnitGains,
  { exchange, endpoint, to }: ChangedTime,
): GainsFound {
  const request = exchange === null ? undefined : byId.get(exchange);
  const key = request?.endpointKey ?? keyOf(endpoint, endpoints);
  if (key === null) return NO_GAINS;
  const lengthOf = ({ endpointKey }: Request) => (endpointKey === key ? to : null);
  return Object.freeze({
    step: request === undefined ? null : stepOf(request, units, to),
    loads: units.gainsOf("load", lengthOf),
    walks: units.gainsOf("walk", lengthOf),
  });
}

/** `Request.endpointKey` of an endpoint; `null` if it has no requests. */
function keyOf(endpoint: Endpoint | null, endpoints: Traffic["endpoints"]): string | null {
  for (const [key, [first]] of endpoints) {
    if (first === undefined) continue;
    const { method, origin, path, operation } = first.facts.endpoint;
    if (endpointAt(method, origin, path, operation) === endpoint) return key;
  }
  return null;
}

function stepOf(request: Request, units: UnitGains, to: Milliseconds): StepGain | null {
  const unit = units.unitOf(request.id);
  if (unit === null) return null;
  return Object.freeze({
    unit: unit.kind,
    duration: unit.end - unit.start,
    took: request.end - request.start,
    gain: units.gainOf(unit, ({ id }) => (id === request.id ? to : null)),
  });
}
