import { appendFileSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { actorOf } from "./actor.ts";
import type { ClientPart, ClientRun, Facts, LiveCase, ServicePart, ServiceRun } from "./contract.ts";
import { now, pause } from "./contract.ts";
import { Draw, seedOf } from "./draw.ts";

/*
 * The process of a service or a client that is written in TypeScript: `node part.ts service|client`, facts in `LIVE`.
 * A service prints one line when it listens: `{"ports": {HOST: PORT}}`.
 */

const role = process.argv[2] === "service" ? "service" : "client";
const facts = JSON.parse(process.env["LIVE"] ?? "{}") as Facts;
const { live } = (await import(`./cases/${facts.name}.ts`)) as { live: LiveCase };
const random = new Draw(seedOf(role, facts.seed));
const common = { ...facts, random, isOn: (cause: string) => !facts.without.includes(cause) };
const write = (line: object): void => appendFileSync(facts.log, `${JSON.stringify(line)}\n`);

if (role === "service") await runService(live.service as ServicePart<unknown>);
else await runClient(live.client as ClientPart<unknown>);

async function runService(service: ServicePart<unknown>): Promise<void> {
  const ports: Record<string, number> = {};
  const run: ServiceRun = {
    ...common,
    serve: async (host, handler) => {
      const server = serverOf(handler);
      server.keepAliveTimeout = 120_000;
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      ports[host] = (server.address() as AddressInfo).port;
      return server;
    },
    serves: (host, port) => {
      ports[host] = port;
    },
    added: (cause, from, to = now(), client = "") => write({ cause, from, to, client }),
    work: (median, sigma = 0.3) => pause(random.lognormal(median, sigma)),
  };
  await service(facts.plan, run);
  process.stdout.write(`${JSON.stringify({ ports })}\n`);
}

function serverOf(handler: RequestListener): Server {
  if (facts.scheme === "http") return createServer(handler);
  const read = (name: string): Buffer => readFileSync(join(facts.folder, name));
  return createSecureServer({ cert: read("cert.pem"), key: read("key.pem") }, handler);
}

async function runClient(client: ClientPart<unknown>): Promise<void> {
  let asked = 0;
  const actor: ClientRun["actor"] = (name, options = {}) => actorOf(facts, name, options, () => ++asked);
  await client(facts.plan, { ...common, actor });
  process.exit(0);
}
