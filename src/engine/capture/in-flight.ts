import type { ExchangeId } from "../model/units.ts";

/**
 * What is known of each exchange that has begun and not ended. A Map of the objects themselves would do, but V8 leaves the
 * tables that a Map outgrows filled and linked to the ones after them: among thousands that come and go, many would outlive
 * their exchange until the next full garbage collection (docs/measurements.md). This Map holds places only.
 */
export class InFlight<Value extends object> {
  readonly #places = new Map<ExchangeId, number>();
  readonly #values: (Value | null)[] = [];
  readonly #free: number[] = [];

  constructor(known: Iterable<readonly [ExchangeId, Value]> = []) {
    for (const [id, value] of known) this.set(id, value);
  }

  get size(): number {
    return this.#places.size;
  }

  /** `null`: it has not begun, or has ended. */
  get(id: ExchangeId): Value | null {
    const place = this.#places.get(id);
    return place === undefined ? null : (this.#values[place] ?? null);
  }

  set(id: ExchangeId, value: Value): void {
    const place = this.#places.get(id) ?? this.#free.pop() ?? this.#values.length;
    this.#places.set(id, place);
    this.#values[place] = value;
  }

  delete(id: ExchangeId): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    this.#places.delete(id);
    this.#values[place] = null;
    this.#free.push(place);
  }

  /** In no particular order. */
  *values(): Generator<Value> {
    for (const value of this.#values) if (value !== null) yield value;
  }
}
