import type { ExchangeId } from "../model/units.ts";

/**
 * A value for each exchange in flight. An array holds the values, and a Map only their indexes. A Map with the values
 * would keep ended exchanges in memory: when a Map grows, V8 keeps its old table until the next full collection
 * (docs/measurements.md).
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

  /** Returns `null` if the exchange has not begun or has ended. */
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

  /** The values, in no particular order. */
  *values(): Generator<Value> {
    for (const value of this.#values) if (value !== null) yield value;
  }
}
