import { Assignment } from "../../src/engine/insights/experiment/assignment.ts";
import { endedExperimentOf } from "../../src/engine/insights/experiment/ended-experiment.ts";
import { verdictOf } from "../../src/engine/insights/experiment/verdict.ts";
import { type Endpoint, partsOf } from "../../src/engine/model/endpoint.ts";
import {
  DEFAULT_LEVELS,
  type EndedExperiment,
  type ExperimentUnit,
  type ExperimentVerdict,
} from "../../src/engine/model/experiment.ts";
import { seeded } from "./seeded.ts";

/** How long a load takes in ms if the target is held for `level` ms; `index` counts the loads from 0. */
type Duration = (level: number, random: () => number, index: number) => number;

export interface SimulatedService {
  readonly name: string;
  readonly duration: Duration;
  /** The slope of the expected duration over the default levels. */
  readonly slope: number;
}

/** A normal value with the mean 0. */
export function noise(random: () => number, deviation: number): number {
  return deviation * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Loads of whole blocks in the order in which they were drawn. */
export function simulatedUnits(duration: Duration, blocks: number, random: () => number): readonly ExperimentUnit[] {
  const assignment = new Assignment(DEFAULT_LEVELS, random);
  return Array.from({ length: blocks * DEFAULT_LEVELS.length }, (_, index) => {
    const draw = assignment.next();
    return { ...draw, leftOut: null, duration: duration(draw.level, random, index), starts: new Map() };
  });
}

/** A later endpoint: by which share of the level it starts later, and in which share of the units it is requested. */
interface SimulatedLater {
  readonly follows: number;
  readonly asked: number;
  /** By default `GET https://api.test/0` and so on. */
  readonly endpoint?: string;
}

/** An experiment that has ended, and its units. */
export function simulatedExperiment(
  seed: number,
  later: readonly SimulatedLater[],
  { blocks = 10, target = "GET https://api.test/prices", client = null as string | null } = {},
): { readonly units: readonly ExperimentUnit[]; readonly ended: EndedExperiment } {
  const random = seeded(seed);
  const plain = simulatedUnits(() => 500 + noise(random, 10), blocks, random);
  const units = plain.map((unit): ExperimentUnit => {
    const starts = new Map<string, number>();
    for (const [index, { follows, asked, endpoint }] of later.entries())
      if (random() < asked)
        starts.set(endpoint ?? `GET https://api.test/${index}`, 50 + follows * unit.level + noise(random, 20));
    return { ...unit, starts };
  });
  const planned = units.length;
  const verdict = verdictOf(units, { levels: DEFAULT_LEVELS, units: planned }, true) as ExperimentVerdict;
  const facts = { levels: DEFAULT_LEVELS, client, unit: "load", planned, end: "enough", verdict } as const;
  return { units, ended: endedExperimentOf({ ...facts, target: partsOf(target as Endpoint) }, units) };
}

/** Services of which some need the target, by the causes that hide or blur it. */
export const SERVICES: readonly SimulatedService[] = [
  service("needed, noise 10 ms", (level, random) => 800 + level + noise(random, 10)),
  service("needed, noise 50 ms", (level, random) => 800 + level + noise(random, 50)),
  service("needed, noise 100 ms", (level, random) => 800 + level + noise(random, 100)),
  service("not needed, noise 50 ms", (_, random) => 800 + noise(random, 50)),
  service("needed by half, noise 10 ms", (level, random) => 800 + (random() < 0.5 ? level : 0) + noise(random, 10)),
  service("needed by half, noise 50 ms", (level, random) => 800 + (random() < 0.5 ? level : 0) + noise(random, 50)),
  service("150 ms of slack, noise 30 ms", (level, random) =>
    Math.max(500 + level + noise(random, 30), 650 + noise(random, 30)),
  ),
  service("400 ms of slack, noise 50 ms", (level, random) =>
    Math.max(500 + level + noise(random, 50), 900 + noise(random, 50)),
  ),
  service("slack of 0 to 300 ms, noise 30 ms", (level, random) =>
    Math.max(500 + level + noise(random, 30), 500 + 300 * random()),
  ),
  service(
    "the client's timer of 250 ms, noise 30 ms",
    (level, random) => Math.max(200 + level + noise(random, 30), 450) + 200 + noise(random, 30),
  ),
  service("needed, drift of 10 ms a load", (level, random, index) => 800 + level + 10 * index + noise(random, 30)),
  service(
    "needed, drift up and down",
    (level, random, index) => 800 + level + 150 * Math.sin(index / 5) + noise(random, 30),
  ),
  service(
    "needed, the cache warms up",
    (level, random, index) => 800 + level + 400 * Math.exp(-index / 3) + noise(random, 30),
  ),
  service(
    "needed, the first load is cold",
    (level, random, index) => 800 + level + (index === 0 ? 500 : 0) + noise(random, 30),
  ),
  service(
    "needed, one load of 20 takes 500 ms more",
    (level, random) => 800 + level + (random() < 0.05 ? 500 : 0) + noise(random, 30),
  ),
];

function service(name: string, duration: Duration): SimulatedService {
  let slope: number | null = null;
  return {
    name,
    duration,
    get slope() {
      slope ??= expectedSlope(duration);
      return slope;
    },
  };
}

/** By least squares over the mean of many loads at each level. */
function expectedSlope(duration: Duration): number {
  const draws = 50_000;
  const means = DEFAULT_LEVELS.map((level) => {
    // The same draws at each level, so that their noise cancels out.
    const random = seeded(1);
    let sum = 0;
    for (let draw = 0; draw < draws; draw += 1) sum += duration(level, random, 30);
    return sum / draws;
  });
  const middle = DEFAULT_LEVELS.reduce((sum, level) => sum + level, 0) / DEFAULT_LEVELS.length;
  let [shared, own] = [0, 0];
  for (const [index, level] of DEFAULT_LEVELS.entries()) {
    shared += (level - middle) * (means[index] ?? 0);
    own += (level - middle) ** 2;
  }
  return shared / own;
}
