declare const brand: unique symbol;

/** Identity of an endpoint: `<METHOD> <origin><path>`. Two origins are never merged. */
export type Endpoint = string & { readonly [brand]: "Endpoint" };

/** What an endpoint's identity is made of. */
export interface EndpointParts {
  readonly method: string;
  /** `scheme://host[:port]`, the port only where it is not the scheme's own. */
  readonly origin: string;
  /** Path without query, as it was sent. */
  readonly path: string;
}

/** The endpoint of a request to `target` (path and query, or `*`) at `origin`. */
export function endpointOf(method: string, origin: string, target: string): Endpoint {
  return `${method} ${origin}${pathOf(target)}` as Endpoint;
}

/** The parts an endpoint's key was made from: neither a method nor an origin holds a space or a further slash. */
export function partsOf(endpoint: Endpoint): EndpointParts {
  const space = endpoint.indexOf(" ");
  const host = endpoint.indexOf("://", space) + 3;
  const slash = endpoint.indexOf("/", host);
  const end = slash < 0 ? endpoint.length : slash;
  return Object.freeze({
    method: endpoint.slice(0, space),
    origin: endpoint.slice(space + 1, end),
    path: endpoint.slice(end),
  });
}

/** A request target without its query. */
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

/** Whether a path is the other one, or lies below it by whole segments; all lie below the empty one. */
export function isWithin(path: string, outer: string): boolean {
  return path.startsWith(outer) && (path.length === outer.length || path[outer.length] === "/");
}
