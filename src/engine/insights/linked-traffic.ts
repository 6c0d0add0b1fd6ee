import type { ExchangeFacts } from "./exchange-facts.ts";
import { type Traffic, trafficOf } from "./findings/traffic.ts";
import { type CriticalPaths, criticalPathsOf } from "./links/critical-paths.ts";
import type { FoundLinks } from "./links/link-finder.ts";
import { unitsOf } from "./what-if/timed-units.ts";
import { UnitGains } from "./what-if/unit-gains.ts";
import { type Load, type LoadedAt, loadsOf } from "./where/page-loads.ts";

/** What follows from facts and their links, each part computed at its first use. `facts`: in any order. */
export class LinkedTraffic {
  readonly facts: readonly ExchangeFacts[];
  readonly links: FoundLinks;
  readonly #loadedAt: LoadedAt;
  #traffic: Traffic | null = null;
  #paths: CriticalPaths | null = null;
  #loads: readonly Load[] | null = null;
  #units: UnitGains | null = null;

  constructor(facts: readonly ExchangeFacts[], links: FoundLinks, loadedAt: LoadedAt) {
    this.facts = facts;
    this.links = links;
    this.#loadedAt = loadedAt;
  }

  get traffic(): Traffic {
    this.#traffic ??= trafficOf(this.facts, this.links.links, this.links.longPolls);
    return this.#traffic;
  }

  get paths(): CriticalPaths {
    this.#paths ??= criticalPathsOf(this.facts, this.links);
    return this.#paths;
  }

  get loads(): readonly Load[] {
    this.#loads ??= loadsOf(this.traffic, this.paths, this.#loadedAt);
    return this.#loads;
  }

  get units(): UnitGains {
    this.#units ??= new UnitGains(unitsOf(this.traffic, this.loads));
    return this.#units;
  }
}
