import type { PathTemplates } from "../../insights/path-templates.ts";
import { type Endpoint, endpointAt, partsOf } from "../../model/endpoint.ts";
import { MOST_OPERATIONS, POOLED_OPERATION } from "../../model/operation.ts";

/** The most endpoints whose key is cached. After that, the cache is emptied. */
const MOST_CACHED = 10_000;

/**
 * The key under which an endpoint is counted: the template of its path, and its operation. If a template has too many
 * operations, all further ones share a key.
 */
export class EndpointKeys {
  /** `null` if every path is shown by itself. */
  readonly templates: PathTemplates | null;
  readonly #cache = new Map<Endpoint, Endpoint>();
  /** The operations of each key, by the key without its operation. */
  readonly #operations: Map<Endpoint, Set<string>>;

  /** `before`: the previous keys; their operations are kept. */
  constructor(templates: PathTemplates | null, before: EndpointKeys | null = null) {
    this.templates = templates;
    this.#operations = before === null ? new Map() : before.#operations;
  }

  /** Whether an endpoint has too many operations to count each of them by itself. */
  get poolsOperations(): boolean {
    return [...this.#operations.values()].some(({ size }) => size > MOST_OPERATIONS);
  }

  of(literal: Endpoint): Endpoint {
    const known = this.#cache.get(literal);
    if (known !== undefined) return known;
    const key = this.#find(literal);
    if (this.#cache.size >= MOST_CACHED) this.#cache.clear();
    this.#cache.set(literal, key);
    return key;
  }

  /** Empties the cache. Must be called after the templates changed. */
  changed(): void {
    this.#cache.clear();
  }

  #find(literal: Endpoint): Endpoint {
    const { method, origin, path, operation } = partsOf(literal);
    const template = this.templates?.templateOf(origin, path) ?? path;
    if (operation === null) return template === path ? literal : endpointAt(method, origin, template, null);
    return endpointAt(method, origin, template, this.#listed(endpointAt(method, origin, template, null), operation));
  }

  #listed(endpoint: Endpoint, operation: string): string {
    const known = this.#operations.get(endpoint) ?? new Set();
    this.#operations.set(endpoint, known);
    if (known.size < MOST_OPERATIONS || known.has(operation)) known.add(operation);
    else if (operation !== POOLED_OPERATION) known.add(POOLED_OPERATION);
    return known.has(operation) ? operation : POOLED_OPERATION;
  }
}
