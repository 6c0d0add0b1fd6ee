import type { OperationEndpoint } from "../../model/finding.ts";

/** Gives equal keys of endpoints and routes the same string object, so that comparing and hashing them is quick. */
export class Names {
  readonly #endpoints = new Map<OperationEndpoint, string>();
  readonly #routes = new Map<string, Map<string, string>>();
  readonly #known = new Map<string, string>();

  endpoint(endpoint: OperationEndpoint): string {
    let key = this.#endpoints.get(endpoint);
    if (key === undefined) {
      const { method, origin, path, operation } = endpoint;
      key = `${method} ${origin}${path} ${operation ?? ""}`;
      // An endpoint may occur as several equal objects; all of them get the same key.
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
