import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Authority } from "./authority.ts";
import { Child } from "./child.ts";
import { startNginx } from "./nginx.ts";
import type { Route } from "./programs/job.ts";
import type { Ability, Environment, Subject } from "./subject.ts";
import { type RunningWeir, startWeir } from "./weir.ts";

interface Peer {
  readonly name: string;
  readonly program: string;
  /** Further arguments of the program, after its folder. */
  readonly words?: readonly string[];
  /** Name of the subject's folder in the folder of the run; by default the program's name. */
  readonly folder?: string;
  readonly cannot: readonly Ability[];
}

const PEERS: readonly Peer[] = [
  { name: "mockttp", program: "mockttp.mjs", cannot: [] },
  { name: "http-mitm-proxy", program: "http-mitm-proxy.mjs", cannot: [] },
  { name: "node:http + undici", program: "pass-through.mjs", cannot: [] },
  { name: "Node tunnel", program: "tunnel.mjs", cannot: ["plain"] },
];

/** Starts Weir, then the wanted peers (`null`: all), and nginx if installed. */
export async function startSubjects(
  environment: Environment,
  wanted: readonly string[] | null,
): Promise<readonly [RunningWeir, ...Subject[]]> {
  const isWanted = (name: string): boolean => wanted === null || wanted.includes(name);
  const weir = await startWeir(environment);
  const peers = await Promise.all(
    PEERS.filter(({ name }) => isWanted(name)).map((peer) => startPeer(peer, environment)),
  );
  const nginx = isWanted("nginx") ? await startNginx(environment) : null;
  return [weir, ...peers, ...(nginx === null ? [] : [nginx])];
}

/** Starts a peer in a process of its own. */
export async function startPeer(
  { name, program, words = [], folder = program, cannot }: Peer,
  environment: Environment,
): Promise<Subject> {
  const own = join(environment.folder, folder);
  mkdirSync(own);
  const child = await Child.start<{ readonly port: number; readonly ca: string }>(
    ["--import", peerFile("names.mjs"), peerFile(program), own, ...words],
    // `quiet`, because peers log each connection that ends.
    { env: { NODE_EXTRA_CA_CERTS: environment.authority.root, NODE_ENV: "production" }, quiet: true },
  );
  const route: Route = { kind: "proxy", port: child.ready.port };
  const stop = (): Promise<void> => child.stop();
  return { name, pids: [child.pid], secure: route, plain: route, ca: child.ready.ca, cannot, stop };
}

function peerFile(name: string): string {
  return fileURLToPath(new URL(`peers/${name}`, import.meta.url));
}

/** The certificates that the load generator must trust for each subject and for the origin. */
export function certificatesOf(subjects: readonly Subject[], authority: Authority): readonly string[] {
  return [readFileSync(authority.root, "utf8"), ...subjects.map(({ ca }) => ca).filter((ca) => ca !== "")];
}
