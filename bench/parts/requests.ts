import { PLAIN_HOST, SECURE_HOST } from "../authority.ts";
import { costAfter, costBefore } from "../cost.ts";
import { quantile } from "../figures.ts";
import { ask, type Field, type Figures, type Part } from "../part.ts";
import type { Outcome, Target, Way } from "../programs/job.ts";
import { besideNginx, figure, interleaved } from "../rounds.ts";
import type { Subject } from "../subject.ts";
import { atLeast, atMost, type Verdict } from "../verdict.ts";

const CONNECTIONS = 64;
const SECONDS = 1.2;

/** What nginx added, in ms, in the run in which the limit was met (docs/measurements.md). */
const NGINX_ADDED = 0.043;

export const https: Part = {
  name: "https",
  title: "HTTPS intercepted, keep-alive, 64 connections",
  measure: async (field) => {
    const target = secureTarget(field);
    const rows = await interleaved(field, "https", (subject) => busy(field, subject, subject.secure, target));
    const nginx = figure(rows, "Weir", "req/s") / figure(rows, "nginx", "req/s");
    return {
      rows,
      verdicts: [
        ...againstPeers(rows),
        cpuVerdict(rows, 60, 45),
        besideNginx(rows, "CPU µs", 60, 21),
        atLeast("aim: ≥ 80 % of nginx", 0.8, nginx, `${(nginx * 100).toFixed(0)} %`),
      ],
    };
  },
};

export const plain: Part = {
  name: "plain",
  title: "plain HTTP, 64 connections",
  measure: async (field) => {
    const target = plainTarget(field);
    const rows = await interleaved(field, "plain", (subject) => busy(field, subject, subject.plain, target));
    return { rows, verdicts: [...againstPeers(rows), cpuVerdict(rows, 45, 32), besideNginx(rows, "CPU µs", 45, 11)] };
  },
};

export const latency: Part = {
  name: "latency",
  title: "added latency, 1 connection, HTTPS",
  measure: async (field) => {
    const target = secureTarget(field);
    const direct: Way = { kind: "server", port: target.port };
    const rows = await interleaved(field, "https", async ({ secure }) => {
      // Back to back, so that other load of the machine affects both.
      const without = await oneByOne(field, direct, target);
      const through = await oneByOne(field, secure, target);
      return {
        "added p50 ms": quantile(through, 0.5) - quantile(without, 0.5),
        "added p99 ms": quantile(through, 0.99) - quantile(without, 0.99),
        "direct p50 ms": quantile(without, 0.5),
        "direct p99 ms": quantile(without, 0.99),
      };
    });
    const [p50, p99] = [figure(rows, "Weir", "added p50 ms"), figure(rows, "Weir", "added p99 ms")];
    return {
      rows,
      verdicts: [
        atMost("p50 ≤ 0.08 ms (aim 0.04)", 0.08, p50, `${p50.toFixed(3)} ms`),
        besideNginx(rows, "added p50 ms", 0.08, NGINX_ADDED),
        atMost("p99 ≤ 1 ms", 1, p99, `${p99.toFixed(3)} ms`),
      ],
    };
  },
};

export function secureTarget({ surroundings }: Field): Target {
  return { secure: true, host: SECURE_HOST, port: surroundings.origin.secure };
}

export function plainTarget({ surroundings }: Field): Target {
  return { secure: false, host: PLAIN_HOST, port: surroundings.origin.plain };
}

async function busy(field: Field, { pids }: Subject, way: Way, target: Target): Promise<Figures> {
  await ask(field, { do: "prepare", way, target, connections: CONNECTIONS });
  const before = await costBefore(pids);
  const { operations, seconds } = await ask<Outcome>(field, { do: "run", seconds: SECONDS, rate: null });
  const after = await costAfter(pids);
  await ask(field, { do: "release" });
  return {
    "req/s": operations / seconds,
    "CPU µs": ((after.cpu - before.cpu) * 1_000) / operations,
    "of it first thread": ((after.firstThread - before.firstThread) * 1_000) / operations,
    "RSS KiB per request": (after.rss - before.rss) / 1_024 / operations,
  };
}

async function oneByOne(field: Field, way: Way, target: Target): Promise<Float64Array> {
  await ask(field, { do: "prepare", way, target, connections: 1 });
  const { times } = await ask<Outcome>(field, { do: "run", seconds: 0.5, rate: null });
  await ask(field, { do: "release" });
  return times;
}

function againstPeers(rows: Parameters<typeof figure>[0]): readonly Verdict[] {
  const weir = figure(rows, "Weir", "req/s");
  const times = (peer: string, least: number): Verdict => {
    const ratio = weir / figure(rows, peer, "req/s");
    return atLeast(`≥ ${least}x ${peer}`, least, ratio, `${ratio.toFixed(1)}x`);
  };
  return [times("mockttp", 8), times("http-mitm-proxy", 2.5)];
}

function cpuVerdict(rows: Parameters<typeof figure>[0], most: number, aim: number): Verdict {
  const cpu = figure(rows, "Weir", "CPU µs");
  return atMost(`CPU ≤ ${most} µs, all threads (aim ${aim})`, most, cpu, `${cpu.toFixed(1)} µs`);
}
