import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "../scripts/build.ts";
import { isStale } from "../scripts/stale.mjs";
import { freshHost, makeAuthority } from "./authority.ts";
import { Child } from "./child.ts";
import { ask, type Field, type Part, type Table } from "./part.ts";
import { conditions } from "./parts/conditions.ts";
import { connections, freshHostCount, hosts } from "./parts/connections.ts";
import { faults } from "./parts/faults.ts";
import { footprint } from "./parts/footprint.ts";
import { http2 } from "./parts/http2.ts";
import { http2Download } from "./parts/http2-download.ts";
import { http2Open } from "./parts/http2-open.ts";
import { http2Page } from "./parts/http2-page.ts";
import { http2Times } from "./parts/http2-times.ts";
import { hub } from "./parts/hub.ts";
import { isolation } from "./parts/isolation.ts";
import { memory } from "./parts/memory.ts";
import { messages } from "./parts/messages.ts";
import { page } from "./parts/page.ts";
import { https, latency, plain, secureTarget } from "./parts/requests.ts";
import { row } from "./parts/row.ts";
import { session } from "./parts/session.ts";
import { start } from "./parts/start.ts";
import { download, upload } from "./parts/transfer.ts";
import { ui } from "./parts/ui.ts";
import { markdownOf } from "./report.ts";
import { inTurns } from "./rounds.ts";
import type { Environment } from "./subject.ts";
import { certificatesOf, startSubjects } from "./subjects.ts";

/*
 * All subjects run at the same time and are measured one at a time. Tables are printed to stdout, and all figures are
 * written to a JSON file.
 */

const PARTS: readonly Part[] = [
  https,
  plain,
  latency,
  connections,
  hosts,
  download,
  upload,
  messages,
  memory,
  session,
  isolation,
  start,
  row,
  hub,
  ui,
];

/** Parts that run only if named, because a full run with them takes far more than ten minutes. */
const FURTHER: readonly Part[] = [
  http2,
  http2Download,
  http2Open,
  http2Times,
  http2Page,
  page,
  footprint,
  faults,
  conditions,
];

const ALL = [...PARTS, ...FURTHER];

const REPORT = ".tmp/bench.json";

const USAGE = `npm run bench -- … (Linux alone: CPU is read from /proc)
  --only PART,PART      these alone; a part's name stands for all that begin with it, h2 for h2-download too:
                        ${ALL.map(({ name }) => name).join(" ")}
                        (default: all but page, footprint, faults, conditions and those of h2)
  --rounds N            how often each is measured (default: 3)
  --subjects NAME,NAME  Weir beside these alone
  --rows N              exchanges of the parts that fill a session (default: 1000000)
  --minutes N           how long the floods of "faults" last (default: 30)
  --json FILE           where all figures go (default: ${REPORT})`;

/** Seconds for which each subject is used before the first measurement. */
const WARM_UP = 1.5;

const HERE = fileURLToPath(new URL(".", import.meta.url));

process.exitCode = await bench();

async function bench(): Promise<number> {
  const options = optionsOf();
  if (typeof options === "string") {
    console.error(`${options}\n${USAGE}`);
    return 2;
  }
  const { values, parts } = options;
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (isStale()) await build();
  installPeers();
  const began = performance.now();
  const load = loadavg();
  const tables = await measured(parts, values);
  const machine = { cpu: cpus()[0]?.model, cores: cpus().length, node: process.version, load };
  const seconds = Math.round((performance.now() - began) / 1_000);
  mkdirSync(join(values.json, ".."), { recursive: true });
  const report = { at: new Date().toISOString(), machine, rounds: Number(values.rounds), seconds, tables };
  writeFileSync(values.json, `${JSON.stringify(report, null, 1)}\n`);
  const busy = load.map((value) => value.toFixed(1)).join(" ");
  console.log(
    `${machine.cores} cores, Node ${machine.node}, load before ${busy}, ${report.rounds} rounds, ${seconds} s`,
  );
  return 0;
}

function optionsOf() {
  try {
    const { values } = parseArgs({
      options: {
        only: { type: "string" },
        rounds: { type: "string", default: "3" },
        subjects: { type: "string" },
        rows: { type: "string", default: "1000000" },
        minutes: { type: "string", default: "30" },
        json: { type: "string", default: join(HERE, "..", REPORT) },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (process.platform !== "linux" && !values.help) return "The bench runs on Linux alone.";
    const wrong = (["rounds", "rows", "minutes"] as const).find((name) => !/^[1-9]\d*$/.test(values[name]));
    if (wrong !== undefined) return `--${wrong} takes a whole number from 1 on, not "${values[wrong]}".`;
    const names = values.only?.split(",") ?? PARTS.map(({ name }) => name);
    const asks = (wanted: string, name: string): boolean => name === wanted || name.startsWith(`${wanted}-`);
    const unknown = names.find((wanted) => !ALL.some(({ name }) => asks(wanted, name)));
    if (unknown !== undefined) return `There is no part "${unknown}".`;
    return { values, parts: ALL.filter(({ name }) => names.some((wanted) => asks(wanted, name))) };
  } catch (error) {
    return (error as Error).message;
  }
}

interface Wishes {
  readonly rounds: string;
  readonly rows: string;
  readonly minutes: string;
  /** Names of subjects to compare; Weir always takes part. If absent: all subjects. */
  readonly subjects?: string | undefined;
}

async function measured(parts: readonly Part[], wishes: Wishes): Promise<Record<string, Table>> {
  const [rounds, rows, minutes] = [Number(wishes.rounds), Number(wishes.rows), Number(wishes.minutes)];
  const folder = mkdtempSync(join(tmpdir(), "weir-bench-"));
  const ends: (() => Promise<void>)[] = [];
  const endAll = async (): Promise<void> => {
    await Promise.all(ends.map((end) => end()));
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => endAll().finally(() => process.exit(1)));
  try {
    const authority = makeAuthority(folder);
    const origin = await Child.start<Environment["origin"]>([
      join(HERE, "programs/origin.ts"),
      authority.leaf,
      authority.key,
    ]);
    ends.push(() => origin.stop());
    const load = await Child.start([join(HERE, "programs/load.ts")]);
    ends.push(() => load.stop());
    const freshHosts = Array.from({ length: freshHostCount(rounds) }, (_, number) => freshHost(number));
    const environment: Environment = { folder, authority, origin: origin.ready, freshHosts };
    const subjects = await startSubjects(environment, wishes.subjects?.split(",") ?? null);
    ends.push(...subjects.map((subject) => () => subject.stop()));
    await load.ask({ do: "trust", certificates: certificatesOf(subjects, authority) });
    const field: Field = { environment, subjects, weir: subjects[0], load, rounds, rows, minutes };
    await warmUp(field);
    const tables: Record<string, Table> = {};
    for (const part of parts) {
      const began = performance.now();
      const table = await part.measure(field);
      process.stderr.write(`${part.name}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
      tables[part.name] = table;
      console.log(markdownOf(part.title, table));
    }
    return tables;
  } finally {
    await endAll();
  }
}

/** Lets every subject compile its code before the first measurement. */
async function warmUp(field: Field): Promise<void> {
  await inTurns(1, field.subjects, async ({ secure: route }) => {
    await ask(field, { do: "prepare", route, target: secureTarget(field), connections: 16 });
    await ask(field, { do: "run", seconds: WARM_UP, rate: null });
    await ask(field, { do: "release" });
    return {};
  });
}

/** The peers are not part of Weir, so they are installed only when a run needs them. */
function installPeers(): void {
  if (existsSync(join(HERE, "node_modules", "mockttp"))) return;
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  const { status } = spawnSync(npm, ["install", "--prefix", HERE, "--no-audit", "--no-fund"], { stdio: "inherit" });
  if (status !== 0) throw new Error("the peers cannot be installed");
}
