import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Addresses for documentation (RFC 5737), which lead nowhere else. */
export const CLIENT = "192.0.2.1";
export const SERVER = "192.0.2.2";

/** Two network namespaces that are joined by one link; what runs in them reaches nothing else. */
export interface Namespaces {
  /** Words that run a program where the client's computer is. */
  readonly client: readonly string[];
  readonly server: readonly string[];
  /** Runs a shell's text on the client's computer; returns what it prints. Throws if it fails. */
  run(text: string): string;
  stop(): void;
}

/** Why namespaces cannot be made; `null` if they can. */
export function needsNamespaces(): string | null {
  const made = spawnSync("unshare", ["--net", "--mount", "true"]);
  return made.status === 0 ? null : "needs network namespaces";
}

/** `hosts`: the hosts file of the client's computer, written to `folder`. */
export async function networkNamespaces(folder: string, hosts: string): Promise<Namespaces> {
  const [near, far] = [await opened(), await opened()];
  const client = enter(near);
  const server = enter(far);
  const run = (text: string): string => {
    const [program = "", ...words] = [...client, "sh", "-c", text];
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
    if (status !== 0) throw new Error(`${text}: ${status} ${stderr}`);
    return stdout;
  };
  const file = join(folder, "hosts");
  writeFileSync(file, hosts);
  run(`mount --bind '${file}' /etc/hosts
    ip link add near type veth peer name far netns ${far.pid}
    ip address add ${CLIENT}/24 dev near && ip link set near up && ip link set lo up`);
  const [program = "", ...words] = [...server, "sh", "-c"];
  spawnSync(program, [...words, `ip address add ${SERVER}/24 dev far && ip link set far up && ip link set lo up`]);
  return { client, server, run, stop: () => [near, far].map((one) => one.kill("SIGKILL")) };
}

/** A process that keeps a network namespace of its own open. */
async function opened(): Promise<ChildProcess> {
  const holder = spawn("unshare", ["--net", "--mount", "sh", "-c", "echo open; exec sleep 600"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  return holder;
}

function enter({ pid }: ChildProcess): readonly string[] {
  return ["nsenter", "--target", String(pid), "--net", "--mount"];
}
