import { appendFileSync, readFileSync } from "node:fs";
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from "node:http";
import { createServer as createSecureServer, Agent as SecureAgent, request as secureRequest } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type {
  Actor,
  ActorOptions,
  Answer,
  AskOptions,
  ClientPart,
  ClientRun,
  Facts,
  LiveCase,
  ServicePart,
  ServiceRun,
} from "./contract.ts";
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
  const run: ClientRun = { ...common, actor: (name, options = {}) => actorOf(name, options, () => ++asked) };
  await client(facts.plan, run);
  process.exit(0);
}

function actorOf(name: string, options: ActorOptions, next: () => number): Actor {
  const { sockets = 6, keepAlive = true, userAgent = "live-client/1.0", address = "127.0.0.1" } = options;
  const proxied = facts.proxy === null ? {} : { proxyEnv: { HTTP_PROXY: facts.proxy, HTTPS_PROXY: facts.proxy } };
  const shared = { keepAlive, maxSockets: sockets, localAddress: address, ...proxied };
  const agent =
    facts.scheme === "http" ? new Agent(shared) : new SecureAgent({ ...shared, ca: readFileSync(facts.ca) });
  return {
    agent,
    ask: async (method, host, path, asking = {}) => {
      const n = next();
      const url = `${facts.scheme}://${host}.${facts.domain}${path}`;
      const from = now();
      const answer = await answerOf(agent, method, url, host, { "User-Agent": userAgent }, asking);
      const needs = (asking.needs ?? []).map((needed) => needed.n);
      const client = `${address} ${userAgent}`;
      write({ n, method, url, from, to: now(), actor: name, client, needs, isUnanswered: answer.status === 0 });
      return { n, ...answer, json: () => JSON.parse(answer.body.toString()) };
    },
  };
}

function answerOf(
  agent: Agent | SecureAgent,
  method: string,
  url: string,
  host: string,
  usual: Readonly<Record<string, string>>,
  { headers = {}, body, rate, timeout, signal, onData }: AskOptions,
): Promise<Omit<Answer, "n" | "json">> {
  const { hostname, pathname, search, host: authority } = new URL(url);
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  // Without Weir, nothing maps the host to this computer.
  const place = facts.proxy === null ? { host: "127.0.0.1", port: facts.ports[host] ?? 0 } : { host: hostname };
  const options = { ...place, servername: hostname, method, agent, path: `${pathname}${search}` };
  const all = { Host: authority, ...usual, ...headers, ...length };
  const send = facts.scheme === "http" ? request : secureRequest;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let response: IncomingMessage | null = null;
    const end = (): void => {
      clearTimeout(timer);
      resolve({ status: response?.statusCode ?? 0, headers: response?.headers ?? {}, body: Buffer.concat(chunks) });
    };
    const sent = send({ ...options, headers: all }, (head) => {
      response = head;
      head.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        if (onData?.(chunk) === false) sent.destroy();
      });
      head.on("close", end);
    });
    const timer = timeout === undefined ? undefined : setTimeout(() => sent.destroy(), timeout);
    signal?.addEventListener("abort", () => sent.destroy());
    sent.on("error", () => {
      if (response === null) end();
    });
    if (rate === undefined) sent.end(body);
    else void sendSlowly(sent, Buffer.from(body ?? ""), rate);
  });
}

/** Sends a body as over a line of so many bytes a second, in pieces of 20 ms. */
async function sendSlowly(sent: ClientRequest, body: Buffer, rate: number): Promise<void> {
  const start = now();
  for (let at = 0; at < body.length && !sent.destroyed; ) {
    const due = Math.min(body.length, Math.ceil(((now() - start + 20) / 1_000) * rate));
    sent.write(body.subarray(at, due));
    at = due;
    await pause(20);
  }
  sent.end();
}
