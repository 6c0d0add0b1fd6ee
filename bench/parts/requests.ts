import { PLAIN_HOST, SECURE_HOST } from "../authority.ts";
import { costAfter, costBefore } from "../cost.ts";
import { quantile } from "../figures.ts";
import { ask, type Field, type Figures, type Part, type Row } from "../part.ts";
import type { Outcome, Route, Target } from "../programs/job.ts";
import { besideNginx, figure, interleaved } from "../rounds.ts";
import type { Subject } from "../subject.ts";
import { atLeast, atMost, type Verdict } from "../verdict.ts";

const CONNECTIONS = 64;
const SECONDS = 1.2;

export const https: Part = {
  name: "https",
  title: "HTTPS intercepted, keep-alive, 64 connections",
  measure: async (field) => {
    const target = secureTarget(field);
    const rows = await interleaved(field, "https", (subject) => busy(field, subject, subject.secure, target));
    return {
      rows,
      verdicts: [ofNginx(rows, 50), times(rows, 6, "mockttp"), times(rows, 2.5, "http-mitm-proxy")],
    };
  },
};

export const plain: Part = {
  name: "plain",
  title: "plain HTTP, 64 connections",
  measure: async (field) => {
    const target = plainTarget(field);
    const rows = await interleaved(field, "plain", (subject) => busy(field, subject, subject.plain, target));
    return { rows, verdicts: [ofNginx(rows, 40), times(rows, 2.2, "http-mitm-proxy")] };
  },
};

export const latency: Part = {
  name: "latency",
  title: "added latency, 1 connection, HTTPS",
  measure: async (field) => {
    const target = secureTarget(field);
    const direct: Route = { kind: "server", port: target.port };
    const rows = await interleaved(field, "https", async ({ secure }) => {
      // The second measurement directly follows the first, so that other load on the computer affects both.
      const without = await oneByOne(field, direct, target);
      const through = await oneByOne(field, secure, target);
      return {
        "added p50 ms": quantile(through, 0.5) - quantile(without, 0.5),
        "added p99 ms": quantile(through, 0.99) - quantile(without, 0.99),
        "direct p50 ms": quantile(without, 0.5),
        "direct p99 ms": quantile(without, 0.99),
      };
    });
    const p99 = figure(rows, "Weir", "added p99 ms");
    return {
      rows,
      verdicts: [besideNginx(rows, "added p50 ms", 2), atMost("p99 ≤ 1.5 ms", 1.5, p99, `${p99.toFixed(3)} ms`)],
    };
  },
};

export function secureTarget({ environment }: Field): Target {
  return { secure: true, host: SECURE_HOST, port: environment.origin.secure };
}

export function plainTarget({ environment }: Field): Target {
  return { secure: false, host: PLAIN_HOST, port: environment.origin.plain };
}

async function busy(field: Field, { pids }: Subject, route: Route, target: Target): Promise<Figures> {
  await ask(field, { do: "prepare", route, target, connections: CONNECTIONS });
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

async function oneByOne(field: Field, route: Route, target: Target): Promise<Float64Array> {
  await ask(field, { do: "prepare", route, target, connections: 1 });
  const { times } = await ask<Outcome>(field, { do: "run", seconds: 0.5, rate: null });
  await ask(field, { do: "release" });
  return times;
}

/** Judges Weir's requests per second as a share of nginx's. nginx decrypts and forwards, but does not record. */
function ofNginx(rows: readonly Row[], least: number): Verdict {
  const percent = (figure(rows, "Weir", "req/s") / figure(rows, "nginx", "req/s")) * 100;
  return atLeast(`≥ ${least} % of nginx`, least, percent, `${percent.toFixed(0)} %`);
}

function times(rows: readonly Row[], least: number, peer: string): Verdict {
  const ratio = figure(rows, "Weir", "req/s") / figure(rows, peer, "req/s");
  return atLeast(`≥ ${least}x ${peer}`, least, ratio, `${ratio.toFixed(1)}x`);
}
