import type { PageLoad } from "../../model/where.ts";
import type { UnitGains } from "../what-if/gains.ts";

/** The most requests that are calculated again for the steps of all loads. */
const MOST_WORK = 2_000_000;

/** The loads, with what each step saves if it took no time: the longest load first, until `MOST_WORK` is done. */
export function withStepGains(loads: readonly PageLoad[], units: UnitGains): readonly PageLoad[] {
  let left = MOST_WORK;
  const gained = new Map<PageLoad, PageLoad>();
  for (const load of loads.toSorted((one, other) => other.duration - one.duration)) {
    const path = load.path.map((step) => {
      const unit = units.unitOf(step.exchange);
      left -= unit?.exchanges.length ?? 0;
      if (unit === null || left < 0) return step;
      return Object.freeze({ ...step, ifGone: units.gainOf(unit, ({ id }) => (id === step.exchange ? 0 : null)) });
    });
    gained.set(load, Object.freeze({ ...load, path: Object.freeze(path) }));
  }
  return Object.freeze(loads.map((load) => gained.get(load) ?? load));
}
