import type { Gain, LoadGain, UnitKind } from "../../model/load-gain.ts";
import type { ExchangeId } from "../../model/units.ts";
import { medianOf } from "../../stats/percentile.ts";
import type { Request } from "../findings/traffic.ts";
import { type LengthOf, Recalculation } from "./recalculation.ts";
import type { Unit } from "./timed-units.ts";

/** docs/specification.md, On the path: the share by which requests are shortened to see whether the end moves. */
const SHORTENED_BY = 0.1;

/** The units of a session, each prepared for calculations when it is first needed. */
export class UnitGains {
  readonly #units: readonly Unit[];
  readonly #recalculations = new Map<Unit, Recalculation>();
  readonly #byExchange = new Map<ExchangeId, Unit>();

  constructor(units: readonly Unit[]) {
    this.#units = units;
    for (const unit of units) for (const { id } of unit.exchanges) this.#byExchange.set(id, unit);
  }

  /** By start. */
  get units(): readonly Unit[] {
    return this.#units;
  }

  /** The unit of an exchange; `null` if it is in none. */
  unitOf(id: ExchangeId): Unit | null {
    return this.#byExchange.get(id) ?? null;
  }

  /** What one unit would gain if its requests took other times. */
  gainOf(unit: Unit, lengthOf: LengthOf): Gain {
    const recalculation = this.#recalculations.get(unit) ?? new Recalculation(unit);
    this.#recalculations.set(unit, recalculation);
    return recalculation.gain(lengthOf);
  }

  /** What the units of one kind would gain. `null` if no request of them changes. */
  gainsOf(kind: UnitKind, lengthOf: LengthOf): LoadGain | null {
    return this.#gainsOf(kind, this.#units, lengthOf);
  }

  /** What page loads, else walks, would gain if these exchanges took no time. `null` if they are in neither. */
  gainsWithout(ids: ReadonlySet<ExchangeId>): LoadGain | null {
    const units = new Set<Unit>();
    for (const id of ids) {
      const unit = this.unitOf(id);
      if (unit !== null) units.add(unit);
    }
    const isGone: LengthOf = ({ id }) => (ids.has(id) ? 0 : null);
    return this.#gainsOf("load", [...units], isGone) ?? this.#gainsOf("walk", [...units], isGone);
  }

  #gainsOf(kind: UnitKind, units: readonly Unit[], lengthOf: LengthOf): LoadGain | null {
    const isChanged = (request: Request) => lengthOf(request) !== null;
    const changed = units.filter((unit) => unit.kind === kind && unit.exchanges.some(isChanged));
    if (changed.length === 0) return null;
    const gains = changed.map((unit) => this.gainOf(unit, lengthOf));
    const shortened = changed.map((unit) =>
      this.gainOf(unit, (request) => (isChanged(request) ? (request.end - request.start) * (1 - SHORTENED_BY) : null)),
    );
    const of = (join: (gains: readonly number[]) => number): Gain => ({
      byLinks: join(gains.map(({ byLinks }) => byLinks)),
      atMost: join(gains.map(({ atMost }) => atMost)),
    });
    return Object.freeze({
      unit: kind,
      units: changed.length,
      onPath: shortened.filter(({ byLinks }) => byLinks > 0).length,
      perhaps: shortened.filter(({ byLinks, atMost }) => byLinks <= 0 && atMost > 0).length,
      median: of(medianOf),
      sum: of(sumOf),
      duration: sumOf(changed.map(({ start, end }) => end - start)),
    });
  }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
