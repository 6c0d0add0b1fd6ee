import type { OperationEndpoint } from "../../model/finding.ts";

/** One string object per endpoint and per route, so that they are compared and hashed quickly. */
export class Names {
  readonly #endpoints = new Map<OperationEndpoint, string>();
  readonly #routes = new Map<string, Map<string, string>>();
  readonly #known = new Map<string, string>();

  endpoint(endpoint: OperationEndpoint): string {
    let key = this.#endpoints.get(endpoint);
    if (key === undefined) {
      const { method, origin, path, operation } = endpoint;
      key = `${method} ${origin}${path} ${operation ?? ""}`;
      // Equal endpoints may be several objects.
      key = this.#known.get(key) ?? key;
      this.#known.set(key, key);
      this.#endpoints.set(endpoint, key);
    }
    return key;
  }

  route(client: string, origin: string): string {
    let own = this.#routes.get(client);
    if (own === undefined) {
      own = new Map();
      this.#routes.set(client, own);
    }
    let route = own.get(origin);
    if (route === undefined) {
      route = `${client}\n${origin}`;
      own.set(origin, route);
    }
    return route;
  }
}
