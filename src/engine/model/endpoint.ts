declare const brand: unique symbol;

/** Identity of an endpoint: `<METHOD> <origin><path>[ · <operation>]`. */
export type Endpoint = string & { readonly [brand]: "Endpoint" };

/** The parts of an endpoint's identity. */
export interface EndpointParts {
  readonly method: string;
  /** `scheme://host[:port]`, without the scheme's default port. */
  readonly origin: string;
  /** The path without query, as sent or as a template. */
  readonly path: string;
  /** The operation that the request names (GraphQL, JSON-RPC, SOAP); `null` if there is none. */
  readonly operation: string | null;
}

/** Separates path and operation. `endpointAt` escapes it within paths. */
const BEFORE_OPERATION = " · ";

/** The endpoint of a request to `target` (path and query, or `*`) at `origin`. */
export function endpointOf(method: string, origin: string, target: string, operation: string | null = null): Endpoint {
  return endpointAt(method, origin, pathOf(target), operation);
}

/** The endpoint of a path, which may be a template. */
export function endpointAt(method: string, origin: string, path: string, operation: string | null): Endpoint {
  const end = operation === null ? "" : `${BEFORE_OPERATION}${operation}`;
  const plain = path.includes(BEFORE_OPERATION) ? path.replaceAll(BEFORE_OPERATION, "%20·%20") : path;
  return `${method} ${origin}${plain}${end}` as Endpoint;
}

/**
 * Splits an endpoint into its parts. This is unambiguous, because a method contains no space, and an origin no slash
 * after `://`.
 */
export function partsOf(endpoint: Endpoint): EndpointParts {
  const space = endpoint.indexOf(" ");
  const host = endpoint.indexOf("://", space) + 3;
  const slash = endpoint.indexOf("/", host);
  const end = slash < 0 ? endpoint.length : slash;
  const operation = endpoint.indexOf(BEFORE_OPERATION, end);
  return Object.freeze({
    method: endpoint.slice(0, space),
    origin: endpoint.slice(space + 1, end),
    path: operation < 0 ? endpoint.slice(end) : endpoint.slice(end, operation),
    operation: operation < 0 ? null : endpoint.slice(operation + BEFORE_OPERATION.length),
  });
}

/** The operation that the endpoint names; `null` if it names none. */
export function operationIn(endpoint: Endpoint): string | null {
  const at = endpoint.indexOf(BEFORE_OPERATION);
  return at < 0 ? null : endpoint.slice(at + BEFORE_OPERATION.length);
}

/** Returns the path of a request target, without its query. The path always begins with `/`, so `*` becomes `/*`. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  return path.startsWith("/") ? path : `/${path}`;
}

/** `https://api.test:8443` → `api.test:8443`. */
export function hostOf(origin: string): string {
  const end = origin.indexOf("://");
  return end < 0 ? origin : origin.slice(end + 3);
}

/** Whether a path equals `outer` or is below it, by whole segments. Every path is below "". */
export function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || path[outer.length] === "/");
}
