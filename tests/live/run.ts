import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { LiveCase } from "./contract.ts";
import { Draw, seedOf } from "./draw.ts";
import { type Judged, type Pair, type Verdict, verdictOf } from "./judge.ts";
import { readSession, recordSession } from "./session.ts";
import { printTable } from "./table.ts";

/*
 * Real services and clients on both sides of a real Weir: `npm run test:live -- [--seed N] [--only NAME] [--draws N]`.
 * `--keep DIR` keeps the recordings, and `--again DIR` judges kept ones with the rules of now, without new traffic.
 */

const CASES = join(import.meta.dirname, "cases");

/** The session with all causes. */
const WHOLE = "whole";

export interface RunOptions {
  readonly seed: number;
  readonly folder: string;
  /** Judge what is in the folder. */
  readonly isAgain?: boolean;
  /** Also run the sessions without each cause. */
  readonly isPaired?: boolean;
}

export function caseNames(): readonly string[] {
  return readdirSync(CASES)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => file.replace(/\.ts$/, ""))
    .sort();
}

export async function caseOf(name: string): Promise<LiveCase> {
  return ((await import(`./cases/${name}.ts`)) as { live: LiveCase }).live;
}

/** Runs one draw of a case, with its sessions without each cause, and judges it. */
export async function runCase(name: string, draw: number, options: RunOptions): Promise<Judged> {
  const live = await caseOf(name);
  const seed = seedOf(name, options.seed * 1_000 + draw);
  const random = new Draw(seed);
  const domain = `${random.words(2).join("")}.test`;
  const scheme = live.scheme ?? random.pick(["http", "https"] as const);
  const plan = live.draw(random);
  const causes = live.causes(plan);
  const admitted = live.admits?.(plan) ?? [];
  const session = async (label: string, without: readonly string[], isDirect = false) => {
    const folder = join(options.folder, `${name}-${draw}-${label}`);
    const drawn = { name, plan, seed, scheme, domain, without };
    if (options.isAgain !== true) await recordSession({ live, drawn, folder, isDirect });
    return readSession(folder, label === WHOLE);
  };
  const recorded = await session(WHOLE, []);
  const pairs = new Map<string, Pair>();
  const alone: Verdict[] = [];
  for (const cause of options.isPaired === false ? [] : causes) {
    const without = await session(`without-${cause.name}`, [cause.name]);
    if (causes.length === 1) alone.push(verdictOf([], admitted, without, new Map()));
    pairs.set(
      cause.name,
      cause.direct === true
        ? {
            withCause: await session("direct", [], true),
            without: await session(`direct-without-${cause.name}`, [cause.name], true),
          }
        : { withCause: recorded, without },
    );
  }
  return {
    ...verdictOf(causes, admitted, recorded, pairs),
    name,
    draw,
    story: live.story,
    accusedWithout: alone.flatMap(({ wrong }) => wrong),
    hasSessionWithout: alone.length > 0,
  };
}

const OPTIONS = {
  seed: { type: "string" },
  only: { type: "string", multiple: true },
  draws: { type: "string", default: "1" },
  keep: { type: "string" },
  again: { type: "string" },
  list: { type: "boolean" },
  gate: { type: "boolean" },
  json: { type: "boolean" },
} as const;

async function main(words: readonly string[]): Promise<void> {
  const { values } = parseArgs({ args: [...words], options: OPTIONS });
  const names = caseNames().filter((name) => values.only?.some((part) => name.includes(part)) ?? true);
  if (values.list === true) {
    for (const name of names) process.stdout.write(`${name}: ${(await caseOf(name)).story}\n`);
    return;
  }
  const drawn = { seed: Number(values.seed ?? Math.floor(Date.now() / 1_000) % 100_000), draws: Number(values.draws) };
  const folder = values.again ?? values.keep ?? mkdtempSync(join(tmpdir(), "weir-live-"));
  const isAgain = values.again !== undefined;
  const { seed, draws } = isAgain
    ? (JSON.parse(readFileSync(join(folder, "run.json"), "utf8")) as typeof drawn)
    : drawn;
  if (!isAgain) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "run.json"), JSON.stringify(drawn));
  }
  process.stdout.write(`seed ${seed}\n`);
  const judged: Judged[] = [];
  const failed: string[] = [];
  for (const name of names) {
    const reason = (await caseOf(name)).skip?.() ?? null;
    if (reason !== null) process.stdout.write(`SKIPPED ${name} (${reason})\n`);
    for (let draw = 1; reason === null && draw <= draws; draw += 1) {
      if (isAgain && !existsSync(join(folder, `${name}-${draw}-${WHOLE}`))) continue;
      try {
        judged.push(await runCase(name, draw, { seed, folder, isAgain }));
        process.stderr.write(`${name} ${draw}\n`);
      } catch (error) {
        failed.push(`${name} ${draw}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
  if (values.keep === undefined && !isAgain) rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  if (values.json === true) process.stdout.write(`${JSON.stringify(judged)}\n`);
  const holds = printTable(judged, failed);
  const loads = loadavg().map((load) => load.toFixed(1));
  process.stdout.write(`load ${loads.join(" ")}\n`);
  process.exitCode = failed.length > 0 || (values.gate === true && !holds) ? 1 : 0;
}

if (import.meta.main) await main(process.argv.slice(2));
