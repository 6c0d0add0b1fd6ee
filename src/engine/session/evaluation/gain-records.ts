import type { Request, Traffic } from "../../insights/findings/traffic.ts";
import type { UnitGains } from "../../insights/what-if/unit-gains.ts";
import { type Endpoint, endpointAt } from "../../model/endpoint.ts";
import type { GainsFound, StepGain } from "../../model/load-gain.ts";
import type { ExchangeId, Milliseconds } from "../../model/units.ts";

/** Another time that the requests to an endpoint would take. */
export interface ChangedTime {
  /** Requests to it in one page load or walk, whose own gain is given, too; empty if `endpoint` names the endpoint. */
  readonly exchanges: readonly ExchangeId[];
  readonly endpoint: Endpoint | null;
  readonly to: Milliseconds;
}

export const NO_GAINS: GainsFound = Object.freeze({ step: null, loads: null, walks: null });

export function gainRecordsOf(
  { byId, endpoints }: Pick<Traffic, "byId" | "endpoints">,
  units: UnitGains,
  { exchanges, endpoint, to }: ChangedTime,
): GainsFound {
  const requests = exchanges.flatMap((id) => byId.get(id) ?? []);
  const [request] = requests;
  const key = request?.endpointKey ?? keyOf(endpoint, endpoints);
  if (key === null) return NO_GAINS;
  const lengthOf = ({ endpointKey }: Request) => (endpointKey === key ? to : null);
  return Object.freeze({
    step: request === undefined ? null : stepOf([request, ...requests.slice(1)], units, to),
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

function stepOf(requests: readonly [Request, ...Request[]], units: UnitGains, to: Milliseconds): StepGain | null {
  const unit = units.unitOf(requests[0].id);
  if (unit === null) return null;
  const ids = new Set(requests.map(({ id }) => id));
  return Object.freeze({
    unit: unit.kind,
    duration: unit.end - unit.start,
    took: requests.reduce((sum, { start, end }) => sum + end - start, 0),
    gain: units.gainOf(unit, ({ id }) => (ids.has(id) ? to : null)),
  });
}
