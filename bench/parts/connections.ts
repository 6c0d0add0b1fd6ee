import { costAfter, costBefore } from "../cost.ts";
import { ask, type Field, type Figures, type Part } from "../part.ts";
import type { Outcome } from "../programs/job.ts";
import { besideNginx, figure, interleaved } from "../rounds.ts";
import type { Subject } from "../subject.ts";
import { atLeast } from "../verdict.ts";
import { secureTarget } from "./requests.ts";

const PARALLEL = 8;
const SECONDS = 1.2;
/** The number of new hosts that each subject is asked for in a round. */
const HOSTS = 400;

export const connections: Part = {
  name: "tls",
  title: "new TLS connection, known host",
  measure: async (field) => {
    const rows = await interleaved(field, "connections", (subject) => opened(field, subject, null));
    return { rows, verdicts: [besideNginx(rows, "CPU ms", 2.4)] };
  },
};

export const hosts: Part = {
  name: "hosts",
  title: "new host: certificate, two handshakes, one exchange",
  measure: async (field) => {
    const next = new Map<string, number>();
    const rows = await interleaved(field, "hosts", async (subject) => {
      const from = next.get(subject.name) ?? 0;
      const names = field.environment.freshHosts.slice(from, from + HOSTS);
      next.set(subject.name, from + HOSTS);
      return opened(field, subject, names);
    });
    const rate = figure(rows, "Weir", "per s");
    return { rows, verdicts: [atLeast("≥ 200 hosts/s", 200, rate, `${rate.toFixed(0)}/s`)] };
  },
};

/** The number of new hosts that all rounds need together. */
export function freshHostCount(rounds: number): number {
  return rounds * HOSTS;
}

async function opened(field: Field, subject: Subject, names: readonly string[] | null): Promise<Figures> {
  const before = await costBefore(subject.pids);
  const { operations, seconds } = await ask<Outcome>(field, {
    do: "connections",
    route: subject.secure,
    target: secureTarget(field),
    seconds: SECONDS,
    parallel: PARALLEL,
    hosts: names,
  });
  const after = await costAfter(subject.pids);
  return { "per s": operations / seconds, "CPU ms": (after.cpu - before.cpu) / operations };
}
