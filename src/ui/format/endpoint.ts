import { type EndpointParts, hostOf } from "../../engine/model/endpoint.ts";
import { isSafeMethod } from "./method.ts";

/** The texts of the column Endpoint, the same in every table. */
export interface EndpointTexts {
  readonly method: string;
  readonly changes: boolean;
  readonly path: string;
  readonly host: string;
  readonly title: string;
}

export function endpointTextsOf({ method, origin, path, operation }: EndpointParts): EndpointTexts {
  const shown = withOperation(path, operation);
  return {
    method,
    changes: !isSafeMethod(method),
    path: shown,
    host: hostOf(origin),
    title: `${method} ${origin}${shown}`,
  };
}

/** A path or target, with the operation if there is one: "/graphql · GetUser". */
export function withOperation(path: string, operation: string | null): string {
  return operation === null ? path : `${path} · ${operation}`;
}
