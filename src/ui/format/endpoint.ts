import type { EndpointParts } from "../../engine/model/endpoint.ts";
import { hostOf } from "../../engine/model/endpoint.ts";
import { isSafeMethod } from "./method.ts";

/** What the Endpoint column of every table says. */
export interface EndpointTexts {
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly title: string;
}

export function endpointTextsOf({ method, origin, path }: EndpointParts): EndpointTexts {
  return {
    method,
    changes: !isSafeMethod(method),
    path,
    host: hostOf(origin),
    title: `${method} ${origin}${path}`,
  };
}
