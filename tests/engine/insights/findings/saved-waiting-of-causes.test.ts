import * as assert from "uvu/assert";
import { savedWaiting, savingsAgainst, shortened } from "../../../../src/engine/insights/findings/saved-waiting.ts";
import type { Request } from "../../../../src/engine/insights/findings/traffic.ts";
import { waitingOf } from "../../../../src/engine/insights/findings/waiting.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene, times } from "../../../support/scene.ts";
import { lognormal, seeded } from "../../../support/seeded.ts";

/** A request of a simulated client: how long it takes, and how much of that the cause adds. */
interface Job {
  readonly usual: number;
  readonly added: number;
}

interface Run {
  readonly client: string;
  readonly start: number;
  readonly end: number;
  readonly job: Job;
}

/** Simulates clients: when each job of a list starts and ends. `lengthOf`: with the cause or without it. */
type Clients = (jobs: readonly Job[], random: () => number, lengthOf: (job: Job) => number) => readonly Run[];

/** Workers that share one list of jobs, each taking the next one soon after its last. */
const workers =
  (count: number, client: string): Clients =>
  (jobs, random, lengthOf) => {
    const free = times(count).map(() => 0);
    return jobs.map((job) => {
      const worker = free.indexOf(Math.min(...free));
      const start = (free[worker] ?? 0) + random() * 2;
      const end = start + lengthOf(job);
      free[worker] = end;
      return { client, start, end, job };
    });
  };

/** Clients that send one request after another, with pauses. */
const several =
  (count: number): Clients =>
  (jobs, random, lengthOf) =>
    times(count).flatMap((index) => {
      let at = random() * 500;
      return jobs
        .filter((_, position) => position % count === index)
        .map((job) => {
          const start = at + random() * 80;
          at = start + lengthOf(job);
          return { client: `10.0.0.${index} app`, start, end: at, job };
        });
    });

/** A client that sends its requests at times of its own, whatever is in flight. */
const byTheClock: Clients = (jobs, random, lengthOf) => {
  let at = 0;
  return jobs.map((job) => {
    at += -Math.log(1 - random()) * 150;
    return { client: "10.0.0.1 app", start: at, end: at + lengthOf(job), job };
  });
};

/** A page: a document, then several requests at once, then a pause. */
const pages: Clients = (jobs, random, lengthOf) => {
  let at = 0;
  let done = 0;
  return jobs.map((job, index) => {
    if (index % 7 < 2) at = done + (index % 7 === 0 ? 3_000 * random() + 500 : 5 + random() * 20);
    const start = at + (index % 7);
    const end = start + lengthOf(job);
    done = Math.max(done, end);
    return { client: "10.0.0.1 app", start, end, job };
  });
};

const CLIENTS: readonly (readonly [string, Clients])[] = [
  ["one client, one request after another", several(1)],
  ["four clients", several(4)],
  ["two workers of one client", workers(2, "10.0.0.1 app")],
  ["six workers of one client", workers(6, "10.0.0.1 app")],
  ["a client with a rhythm of its own", byTheClock],
  ["a page with requests at once", pages],
];

/** What a cause really cost a drawn session: its waiting, less that of the same session without the cause. */
function drawn(simulate: Clients, seed: number) {
  const random = seeded(seed);
  const share = 0.15 + random() * 0.3;
  const added = 80 + random() * 500;
  const usual = 20 + random() * 80;
  const jobs = times(140).map(() => ({
    usual: lognormal(random, usual, 0.3),
    added: random() < share ? lognormal(random, added, 0.2) : 0,
  }));
  const withIt = simulate(jobs, seeded(seed + 1), (job) => job.usual + job.added);
  const without = simulate(jobs, seeded(seed + 1), (job) => job.usual);
  return {
    runs: withIt.toSorted((left, right) => left.start - right.start),
    real: waitingOf(withIt) - waitingOf(without),
  };
}

/** The claimed costs of drawn sessions, each divided by the real one. */
function ratiosOf(simulate: Clients, claimedOf: (runs: readonly Run[]) => number): readonly number[] {
  return times(rounds(20)).map((seed) => {
    const { runs, real } = drawn(simulate, seed + 1);
    return claimedOf(runs) / real;
  });
}

function assertNear(ratios: readonly number[], bound: number, least: number): void {
  const near = ratios.filter((ratio) => Math.abs(ratio - 1) <= bound).length;
  const text = ratios.map((ratio) => ratio.toFixed(2)).join(" ");
  assert.ok(near >= Math.floor(least * ratios.length), text);
  assert.ok(
    ratios.every((ratio) => ratio <= 1.5),
    text,
  );
}

describe("saved waiting without a cause", (test) => {
  for (const [name, simulate] of CLIENTS) {
    test(`given ${name} and what each request lost, the saving is that of the session without the cause`, () => {
      const ratios = ratiosOf(simulate, (runs) => {
        const scene = new Scene();
        for (const { client, start, end } of runs) scene.ask({ at: start, client, server: end - start - 1 });
        const traffic = scene.traffic();
        const savings = new Map(traffic.requests.map((one, index) => [one, runs[index]?.job.added ?? 0]));
        return savedWaiting(traffic, shortened(savings));
      });
      assertNear(ratios, 0.3, 0.8);
    });

    test(`given ${name} and a slow tenant, the finding's time is within 30 % of the real cost in 8 of 10 sessions`, () => {
      const ratios = ratiosOf(simulate, (runs) => {
        const scene = new Scene();
        for (const [index, { client, start, end, job }] of runs.entries()) {
          const target = `/a?tenant=${job.added > 0 ? "acme" : "zeta"}&n=${index}`;
          scene.ask({ at: start, client, target, path: "/a", server: end - start - 1 });
        }
        const finding = scene.report().findings.find(({ kind }) => kind === "slow-when");
        assert.equal(finding?.attribute, { name: "query:tenant", value: "acme" });
        return finding?.time ?? 0;
      });
      assertNear(ratios, 0.3, 0.8);
    });
  }

  test("given slow requests and others of the endpoint, each saves what its rank took longer, and never less than nothing", () => {
    const random = seeded(5);
    for (let round = 0; round < rounds(50); round += 1) {
      const scene = new Scene();
      for (const index of times(40)) scene.ask({ at: index * 9_000, server: lognormal(random, 50, 0.8) });
      const { requests } = scene.traffic();
      const lengthOf = ({ latency }: Request) => latency ?? 0;
      const [some, others] = [requests.slice(0, 15), requests.slice(15)];
      const savings = savingsAgainst(some, others, lengthOf);
      for (const [request, saving] of savings) assert.ok(saving > 0 && saving < lengthOf(request));
      assert.is(savingsAgainst(some, some, lengthOf).size, 0);
      assert.is(savingsAgainst(some, [], lengthOf).size, 0);
    }
  });
});
