import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { opensslCertificate } from "../support/openssl-certificate.ts";
import { runningWeir } from "../support/running-weir.ts";
import { TOOL_PATH } from "../support/tool.ts";
import type { Added, Asked, Facts, LiveCase, PythonPart } from "./contract.ts";

const WEIR = fileURLToPath(new URL("../../scripts/weir.mjs", import.meta.url));
const PART = fileURLToPath(new URL("part.ts", import.meta.url));
const CASES = fileURLToPath(new URL("cases/", import.meta.url));

/** The longest that a service may take to listen, and a client to be done, ms. */
const LONGEST_START = 20_000;
const LONGEST_SESSION = 90_000;

export interface SessionOptions {
  readonly live: LiveCase;
  /** `plan`, `scheme`, `domain`, `seed`, `name`, `without`: the same for a session and its pair. */
  readonly drawn: Pick<Facts, "name" | "plan" | "seed" | "scheme" | "domain" | "without">;
  readonly folder: string;
  /** The client talks to the service itself. */
  readonly isDirect: boolean;
}

/** Runs one session; its recording, and what service and client logged, stay in the folder. */
export async function recordSession({ live, drawn, folder, isDirect }: SessionOptions): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const made = opensslCertificate(folder, `*.${drawn.domain}`, {});
  const facts = { ...drawn, folder, log: join(folder, "added.jsonl"), proxy: null, ca: join(folder, "ca.pem") };
  const service = startPart(live.service, "service", { ...facts, ports: {} });
  try {
    const ports = await portsOf(service);
    const overrides = Object.entries(ports).flatMap(([host, port]) => [
      "--host-override",
      `${host}.${drawn.domain}=127.0.0.1:${port}`,
    ]);
    const weir = isDirect ? null : await runningWeir([...overrides, "--upstream-ca", facts.ca], join(folder, "data"));
    try {
      if (weir !== null) writeFileSync(join(folder, "roots.pem"), `${made.ca}\n${readFileSync(weir.ca, "utf8")}`);
      const proxy = weir === null ? null : `http://127.0.0.1:${weir.proxy.port}`;
      const ca = weir === null ? facts.ca : join(folder, "roots.pem");
      const client = startPart(live.client, "client", { ...facts, log: join(folder, "asked.jsonl"), proxy, ca, ports });
      const late = setTimeout(() => endGroup(client), LONGEST_SESSION);
      const [code] = await once(client, "close");
      clearTimeout(late);
      if (code !== 0) throw new Error(`the client of ${drawn.name} ended with ${code}`);
      if (service.exitCode !== null) throw new Error(`the service of ${drawn.name} ended with ${service.exitCode}`);
    } finally {
      await weir?.stop();
    }
  } finally {
    endGroup(service);
  }
}

function startPart(part: LiveCase["service"] | LiveCase["client"], role: string, facts: Facts): ChildProcess {
  const [program, ...words] = isPython(part)
    ? ["python3", "-B", join(CASES, part.python)]
    : [process.execPath, "--no-warnings", PART, role];
  return spawn(program ?? "", words, {
    env: { PATH: TOOL_PATH, HOME: facts.folder, PYTHONPATH: join(CASES, ".."), LIVE: JSON.stringify(facts) },
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, so that programs that the part starts end with it.
    detached: true,
  });
}

function isPython(part: LiveCase["service"] | LiveCase["client"]): part is PythonPart {
  return typeof part !== "function";
}

async function portsOf(service: ChildProcess): Promise<Record<string, number>> {
  if (service.stdout === null) throw new Error("the service has no output");
  const lines = createInterface({ input: service.stdout });
  const late = setTimeout(() => endGroup(service), LONGEST_START);
  const line = await Promise.race([once(lines, "line"), once(service, "exit").then(() => null)]);
  clearTimeout(late);
  if (line === null) throw new Error(`the service did not start: exit code ${service.exitCode}`);
  service.stdout.resume();
  return (JSON.parse(String(line[0])) as { ports: Record<string, number> }).ports;
}

function endGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

/** What a session left in its folder. */
export interface Recorded {
  readonly added: readonly Added[];
  readonly asked: readonly Asked[];
  readonly report: Report | null;
  readonly exchanges: readonly {
    readonly id: number;
    readonly client: string;
    readonly method: string;
    readonly url: string;
    readonly startTime: number;
  }[];
  readonly links: readonly Link[];
}

export interface Link {
  readonly from: number;
  readonly to: number;
  readonly kind: "proven" | "sequential";
  readonly basis: string;
  readonly evidence: { readonly source: string; readonly name: string | null; readonly value: string };
}

/** The part of docs/schema/weir.report.schema.json that is judged. */
export interface Report {
  readonly waiting: number;
  readonly findings: readonly Found[];
}

export interface Found {
  readonly kind: string;
  readonly endpoint: { readonly method: string; readonly origin: string; readonly path: string } | null;
  readonly origin: string | null;
  readonly attribute: { readonly name: string; readonly value: string } | null;
  readonly time: number | null;
  readonly confidence: string;
  readonly summary: string;
  readonly basis: string;
}

/** Has Weir's commands read the recording; each start of one takes a second, so its links are read only `withLinks`. */
export async function readSession(folder: string, withLinks: boolean): Promise<Recorded> {
  const lines = <Line>(name: string): Line[] =>
    existsSync(join(folder, name))
      ? readFileSync(join(folder, name), "utf8")
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line))
      : [];
  const logs = { added: lines<Added>("added.jsonl"), asked: lines<Asked>("asked.jsonl") };
  const data = join(folder, "data");
  if (!existsSync(data)) return { ...logs, report: null, exchanges: [], links: [] };
  const source = ["--data-dir", data, "--session", "last", "--format", "json", "--no-redact"];
  const report = (await weirJson("report", ...source)) as Report;
  if (!withLinks) return { ...logs, report, exchanges: [], links: [] };
  const exchanges = (await weirJson("export", ...source)) as Recorded["exchanges"];
  const links = (await weirJson("export", "--table", "links", ...source)) as Recorded["links"];
  return { ...logs, report, exchanges, links };
}

async function weirJson(...words: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [WEIR, ...words], { stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`weir ${words[0]} ended with ${code}`);
  return JSON.parse(Buffer.concat(chunks).toString());
}
