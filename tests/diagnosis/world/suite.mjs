// Runs the classes: writes HAR files, has the report command read each, compares its output with the labels, and prints
// the figures.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { judgeFindings, judgeLinks } from "./judge.mjs";
import { Random } from "./random.mjs";

const { env } = process;
const APP = env.APP ?? process.cwd();
const REPORT = env.REPORT ?? "npm run -s report -- {file} --format json";
const LINKS = env.LINKS ?? "npm run -s export -- {file} --table links --format json";
const SEEDS = Number(env.SEEDS ?? 3);
const FIRST = Number(env.FIRST ?? 1);
const ONLY = new RegExp(env.ONLY ?? "");
const JOBS = Number(env.JOBS ?? 2);
/** Files per folder, and per call of a command that accepts many. */
const BATCH = 40;

/** Required results: minimum or maximum values. */
const BARS = {
  recall1: { least: 0.85, says: "causes at the top" },
  recall3: { least: 0.95, says: "causes among the first three" },
  false_per_session: { most: 0.1, says: "false findings per session with a cause" },
  healthy_with_finding: { most: 0.02, says: "share of healthy sessions with any finding" },
  edge_f1: { least: 0.9, says: "F1 of the edges of chains" },
  forbidden_proven: { most: 0, says: "edges called proven that are not" },
  failed_runs: { most: 0, says: "files without a report" },
};

/** Runs `scenarios`, `healthy` and `chains`, each for seeds 1 to SEEDS, and sets the exit code. */
export async function runSuite({ scenarios, healthy, chains }) {
  const failures = new Set();
  const reports = await runClasses([...scenarios, ...healthy], REPORT, failures);
  const links = await runClasses(chains, LINKS, failures);
  const judged = reports.map((run) => ({ ...run, ...judgeFindings(run.session, run.output?.findings ?? []) }));
  const [ill, sound] = [judged.filter(({ causes }) => causes > 0), judged.filter(({ causes }) => causes === 0)];
  const linked = links.map((run) => ({ ...run, ...judgeLinks(run.session, rowsOf(run.output)) }));
  const figures = figuresOf(ill, sound, linked);

  printTable("cause", ill, {
    top: ({ at1 }) => at1,
    "first three": ({ at3 }) => at3,
    causes: ({ causes }) => causes,
    false: ({ wrong }) => wrong.length,
  });
  printTable("healthy", sound, {
    findings: ({ wrong }) => wrong.length,
    failed: ({ output }) => Number(output === null),
  });
  printTable(
    "chain",
    linked,
    Object.fromEntries(["found", "missed", "invented", "forbidden"].map((name) => [name, (run) => run[name]])),
  );
  for (const failure of failures) console.log(`SHORT ${failure}`);
  const short = Object.entries(BARS).filter(
    ([name, { least = -Infinity, most = Infinity }]) =>
      figures[name] !== null && !(figures[name] >= least && figures[name] <= most),
  );
  for (const [name, { least, most, says }] of short)
    console.log(
      `SHORT ${name} ${figures[name]}, ${least === undefined ? `at most ${most}` : `at least ${least}`}: ${says}`,
    );
  console.log(`FIGURES ${JSON.stringify(figures)}`);
  process.exitCode = short.length === 0 ? 0 : 1;
}

function figuresOf(ill, sound, linked) {
  const sum = (runs, countOf) => runs.reduce((total, run) => total + countOf(run), 0);
  const share = (part, whole) => (whole === 0 ? null : Number((part / whole).toFixed(4)));
  const causes = sum(ill, (run) => run.causes);
  const [found, missed, invented] = ["found", "missed", "invented"].map((field) => sum(linked, (run) => run[field]));
  const isFailed = ({ output }) => output === null;
  return {
    sessions: ill.length + sound.length + linked.length,
    recall1: share(
      sum(ill, ({ at1 }) => at1),
      causes,
    ),
    recall3: share(
      sum(ill, ({ at3 }) => at3),
      causes,
    ),
    false_per_session: share(
      sum(ill, ({ wrong }) => wrong.length),
      ill.length,
    ),
    healthy_with_finding: share(sound.filter((run) => isFailed(run) || run.wrong.length > 0).length, sound.length),
    edge_precision: share(found, found + invented),
    edge_recall: share(found, found + missed),
    edge_f1: share(2 * found, 2 * found + invented + missed),
    forbidden_proven: sum(linked, ({ forbidden }) => forbidden),
    failed_runs: [...ill, ...sound, ...linked].filter(isFailed).length,
  };
}

/**
 * One run per class and seed: `{ name, seed, file, session, output }`; `output` is `null` if the command printed no
 * JSON.
 */
async function runClasses(classes, command, failures) {
  const seeds = Array.from({ length: SEEDS }, (_, index) => index + FIRST);
  const waiting = classes
    .filter(({ name }) => ONLY.test(name))
    .flatMap(({ name, make }) => seeds.map((seed) => ({ name, seed, make })));
  const runs = [];
  while (waiting.length > 0) runs.push(...(await runBatch(waiting.splice(0, BATCH), command, failures)));
  return runs;
}

async function runBatch(batch, command, failures) {
  const folder = mkdtempSync(join(env.KEEP ?? tmpdir(), "diagnosis-"));
  const runs = [];
  for (const { name, seed, make } of batch) {
    const { har, ...session } = await make(new Random(`${name} ${seed}`));
    const file = join(folder, `${String(runs.length + 1).padStart(3, "0")}.har`); // a name without a hint
    writeFileSync(file, JSON.stringify(har));
    runs.push({ name, seed, file, session, output: null });
  }
  if (env.SIDE) writeLabels(folder, runs);
  const waiting = [...runs];
  if (command.includes("{file}"))
    await Promise.all(Array.from({ length: JOBS }, () => reportOneByOne(waiting, command, failures)));
  else await reportAll(folder, runs, command, failures);
  if (env.KEEP === undefined) rmSync(folder, { recursive: true });
  return runs;
}

/** For a self-check: writes the labels next to the files, where a cheating reporter could read them. */
function writeLabels(folder, runs) {
  mkdirSync(join(folder, "labels"));
  const plain = (_, value) => (value instanceof RegExp ? value.source : value);
  for (const { file, session } of runs)
    writeFileSync(join(folder, "labels", `${basename(file)}.json`), JSON.stringify(session, plain));
}

async function reportOneByOne(waiting, command, failures) {
  for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
    const { values, failure } = await jsonOf(command.replaceAll("{file}", quoted(run.file)));
    if (failure) failures.add(failure);
    else run.output = values[0];
  }
}

/**
 * Reports all files with one command, which prints a list of reports or one per line. Each names its file in `source`,
 * or they are in the files' order.
 */
async function reportAll(folder, runs, command, failures) {
  const files = runs.map(({ file }) => quoted(file)).join(" ");
  const { values, failure } = await jsonOf(command.replaceAll("{files}", files).replaceAll("{dir}", quoted(folder)));
  if (failure) return void failures.add(failure);
  const reports = values.length === 1 && Array.isArray(values[0]) ? values[0] : values;
  for (const [index, run] of runs.entries())
    run.output =
      reports.find(({ source }) => source && basename(source) === basename(run.file)) ?? reports[index] ?? null;
  if (runs.some(({ output }) => output === null)) failures.add("the command reported fewer files than it was given");
}

/** A command's output: one JSON value, or one per line. A failure is one sentence that applies to all files. */
function jsonOf(command) {
  return new Promise((resolve) => {
    const child = spawn("sh", ["-c", command], { cwd: APP, stdio: ["ignore", "pipe", "pipe"], timeout: 600_000 });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.on("close", (code) => {
      const values = valuesIn(out);
      const why = err
        .trim()
        .split("\n")
        .at(-1)
        .replaceAll(/\S*diagnosis-\S*/g, "FILE")
        .slice(0, 200);
      resolve(values.length > 0 ? { values } : { failure: `the command gave no JSON (exit code ${code}): ${why}` });
    });
  });
}

function valuesIn(text) {
  for (const parse of [
    () => [JSON.parse(text)],
    () =>
      text
        .split("\n")
        .filter((line) => /^[[{]/.test(line))
        .map((line) => JSON.parse(line)),
  ])
    try {
      return parse();
    } catch {}
  return [];
}

const quoted = (file) => `'${file.replaceAll("'", "'\\''")}'`;
const rowsOf = (output) => (Array.isArray(output) ? output : (output?.rows ?? []));
const nameOf = ({ kind, endpoint, origin, client, attribute }) =>
  [kind, endpoint ? `${endpoint.method} ${endpoint.path}` : (origin ?? client), attribute?.name]
    .filter(Boolean)
    .join(" ");

/** A line per class with the sums over its seeds, and the first wrong report. */
function printTable(title, runs, columns) {
  if (runs.length === 0) return;
  const print = (name, cells) => console.log(name.padEnd(44) + cells.map((cell) => String(cell).padStart(12)).join(""));
  print(title, Object.keys(columns));
  for (const name of new Set(runs.map((run) => run.name))) {
    const own = runs.filter((run) => run.name === name);
    print(
      name,
      Object.values(columns).map((countOf) => own.reduce((sum, run) => sum + countOf(run), 0)),
    );
    const bad = own.find(({ causes, at3, wrong }) => at3 < causes || wrong?.length > 0);
    if (bad)
      console.log(
        `  seed ${bad.seed} gave: ${(bad.output?.findings ?? []).slice(0, 4).map(nameOf).join("; ") || "nothing"}`,
      );
  }
  console.log("");
}
