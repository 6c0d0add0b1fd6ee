import { failure, type Problem, type Result, success } from "./result.ts";
import type { Milliseconds } from "./units.ts";

/** A slow line that Weir imitates between itself and its clients (docs/specification.md, Conditions). */
export interface Conditions {
  /** The preset's name; `null` for own figures. */
  readonly name: string | null;
  readonly roundTrip: Milliseconds;
  /** In kbit/s; 0 means unlimited. */
  readonly down: number;
  readonly up: number;
  /** Patterns of the hosts whose connections are slowed; empty means all hosts. */
  readonly hosts: readonly string[];
}

export interface Preset {
  readonly id: string;
  readonly name: string;
  readonly figures: Pick<Conditions, "roundTrip" | "down" | "up">;
  /** Who published the figures. */
  readonly source: string;
}

const LIGHTHOUSE = "Lighthouse, network throttling";
const WEBPAGETEST = "WebPageTest, connectivity.ini.sample";

/** docs/specification.md, Conditions: the presets. */
export const PRESETS: readonly Preset[] = Object.freeze([
  { id: "cable", name: "Cable", figures: { roundTrip: 28, down: 5_000, up: 1_000 }, source: WEBPAGETEST },
  { id: "dsl", name: "DSL", figures: { roundTrip: 50, down: 1_500, up: 384 }, source: WEBPAGETEST },
  { id: "slow-4g", name: "Slow 4G", figures: { roundTrip: 150, down: 1_600, up: 750 }, source: LIGHTHOUSE },
  { id: "3g", name: "3G", figures: { roundTrip: 300, down: 1_600, up: 768 }, source: WEBPAGETEST },
  { id: "slow-3g", name: "Slow 3G", figures: { roundTrip: 200, down: 780, up: 330 }, source: WEBPAGETEST },
  { id: "edge", name: "Edge", figures: { roundTrip: 840, down: 240, up: 200 }, source: WEBPAGETEST },
]);

const MOST_ROUND_TRIP: Milliseconds = 10_000;
const LEAST_RATE = 8;
const MOST_RATE = 1_000_000;
export const MOST_HOSTS = 100;

export function conditionsOf({ name, figures }: Preset): Conditions {
  return Object.freeze({ name, ...figures, hosts: Object.freeze([]) });
}

/** Parses `--slow`: the name of a preset, or own figures such as `150ms,1600/750`. */
export function conditionsIn(text: string): Result<Conditions> {
  const wanted = text.trim().toLowerCase();
  const preset = PRESETS.find(({ id, name }) => wanted === id || wanted === name.toLowerCase());
  if (preset !== undefined) return success(conditionsOf(preset));
  const [, roundTrip, down, up] = /^(\d{1,9}) ?ms, ?(\d{1,9})\/(\d{1,9})$/.exec(wanted) ?? [];
  if (roundTrip === undefined || down === undefined || up === undefined)
    return failure(
      `"${text}" is neither a preset (${PRESETS.map(({ id }) => id).join(", ")}) nor own figures such as 150ms,1600/750 (round trip in ms, kbit/s down/up).`,
    );
  return checked({ name: null, roundTrip: Number(roundTrip), down: Number(down), up: Number(up), hosts: [] });
}

export type ConditionProblems = Readonly<Record<"roundTrip" | "down" | "up" | "hosts", Problem | null>>;

/** Why figures or hosts are not allowed; `null` for each that is. */
export function conditionProblems({ roundTrip, down, up, hosts }: Conditions): ConditionProblems {
  return {
    roundTrip: roundTripProblem(roundTrip, down === 0 && up === 0),
    down: rateProblem("down", down),
    up: rateProblem("up", up),
    hosts: hostsProblem(hosts),
  };
}

/** The conditions, if all of them are allowed; else the first problem. */
export function checked(conditions: Conditions): Result<Conditions> {
  const problem = Object.values(conditionProblems(conditions)).find((each) => each !== null);
  if (problem != null) return failure(problem);
  return success(Object.freeze({ ...conditions, hosts: Object.freeze([...conditions.hosts]) }));
}

function roundTripProblem(roundTrip: Milliseconds, isUnlimited: boolean): Problem | null {
  if (!isWhole(roundTrip, 0, MOST_ROUND_TRIP))
    return `The round trip must be a whole number of ms from 0 to ${MOST_ROUND_TRIP.toLocaleString("en-US")}.`;
  const slowsNothing = roundTrip === 0 && isUnlimited;
  return slowsNothing ? "These figures slow nothing: set a round trip above 0 ms, or a rate." : null;
}

function hostsProblem(hosts: readonly string[]): Problem | null {
  if (hosts.length > MOST_HOSTS) return `At most ${MOST_HOSTS} host patterns are possible.`;
  const isHost = (host: string) => host !== "" && host.length <= 255 && !/[\s/,]/.test(host);
  return hosts.every(isHost) ? null : "A host pattern is a host name without a scheme, such as *.example.com.";
}

function rateProblem(way: "down" | "up", rate: number): Problem | null {
  if (rate === 0 || isWhole(rate, LEAST_RATE, MOST_RATE)) return null;
  return `The rate ${way} must be a whole number of kbit/s from ${LEAST_RATE} to ${MOST_RATE.toLocaleString("en-US")}, or 0 for unlimited.`;
}

function isWhole(value: number, least: number, most: number): boolean {
  return Number.isInteger(value) && value >= least && value <= most;
}

/** The conditions in words: "Slow 4G, 150 ms, 1,600/750 kbit/s". */
export function conditionsText({ name, roundTrip, down, up, hosts }: Conditions): string {
  const rate = (kbits: number) => (kbits === 0 ? "unlimited" : kbits.toLocaleString("en-US"));
  const rates = down === 0 && up === 0 ? [] : [`${rate(down)}/${rate(up)} kbit/s`];
  const scope = hosts.length === 0 ? [] : [`for ${hosts.join(", ")}`];
  return [...(name === null ? [] : [name]), `${roundTrip} ms`, ...rates, ...scope].join(", ");
}
