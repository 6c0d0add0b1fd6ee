import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { NODE_FLAGS, NODE_VARIABLES } from "../extensions/proxy/process/node-flags.ts";
import { PLAIN_HOST, SECURE_HOST } from "./authority.ts";
import { OpenPage } from "./page.ts";
import type { Route } from "./programs/job.ts";
import type { Environment, Subject } from "./subject.ts";

const BUNDLE = fileURLToPath(new URL("../build/extensions/proxy/main.mjs", import.meta.url));

/** The fields that the bench reads from the ready line. */
interface Ready {
  readonly proxy: { readonly port: number };
  readonly ui: string;
  readonly ca: string;
}

/** Weir as released, recording into a folder of its own, with a connected UI client. */
export interface RunningWeir extends Subject {
  readonly page: OpenPage;
  /** The UI's address with the ticket. */
  readonly ui: string;
}

/** `around`: words before the command; `further`: options after the usual ones. */
export async function startWeir(
  environment: Environment,
  name = "Weir",
  { around = [], further = [] }: { readonly around?: readonly string[]; readonly further?: readonly string[] } = {},
): Promise<RunningWeir> {
  const words = [...wordsFor(environment, join(environment.folder, name)), ...further];
  const { child, ready } = await startBundle(words, around);
  const route: Route = { kind: "proxy", port: ready.proxy.port };
  const page = await OpenPage.open(ready.ui);
  return {
    name,
    pids: [child.pid ?? 0],
    secure: route,
    plain: route,
    ca: readFileSync(ready.ca, "utf8"),
    cannot: [],
    page,
    ui: ready.ui,
    stop: async () => {
      page.close();
      await endBundle(child);
    },
  };
}

/** Milliseconds from the start of the process to its ready line; the certificate exists already. */
export async function startTime(environment: Environment, name: string): Promise<number> {
  const words = wordsFor(environment, join(environment.folder, name)).slice(0, 4);
  const began = performance.now();
  const { child } = await startBundle(words);
  const took = performance.now() - began;
  await endBundle(child);
  return took;
}

function wordsFor({ authority, origin, freshHosts }: Environment, dataDir: string): readonly string[] {
  const secureHosts = [SECURE_HOST, ...freshHosts];
  const overrides = [
    `${PLAIN_HOST}=127.0.0.1:${origin.plain}`,
    ...secureHosts.map((host) => `${host}=127.0.0.1:${origin.secure}`),
  ];
  return [
    ...["--port", "0", "--data-dir", dataDir],
    ...["--upstream-ca", authority.root],
    ...overrides.flatMap((override) => ["--host-override", override]),
  ];
}

async function startBundle(
  words: readonly string[],
  around: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly ready: Ready }> {
  const command = [...around, process.execPath, ...NODE_FLAGS, BUNDLE, "--standalone", "--json", ...words];
  const child = spawn(command[0] ?? "", command.slice(1), {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...NODE_VARIABLES, ...process.env },
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await Promise.race([once(lines, "line"), once(child, "exit").then(() => [null])])) as [string | null];
  if (line === null) throw new Error(`Weir did not start: exit code ${child.exitCode}`);
  return { child, ready: JSON.parse(line) as Ready };
}

async function endBundle(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
