import { appendFileSync, readFileSync } from "node:fs";
import { Agent, type ClientRequest, type IncomingMessage, request } from "node:http";
import { type AgentOptions, type RequestOptions, Agent as SecureAgent, request as secureRequest } from "node:https";
import type { LookupFunction } from "node:net";
import type { Duplex } from "node:stream";
import { connect as connectSecurely } from "node:tls";
import type { Actor, ActorOptions, Answer, AskOptions, Facts } from "./contract.ts";
import { now, pause } from "./contract.ts";

interface Address {
  readonly host: string;
  readonly port: number;
}

/** One client. `next`: the number of its next request. */
export function actorOf(facts: Facts, name: string, options: ActorOptions, next: () => number): Actor {
  const { sockets = 6, keepAlive = true, userAgent = "live-client/1.0", address = "127.0.0.1" } = options;
  const proxy = facts.proxy === null ? null : { host: "127.0.0.1", port: Number(new URL(facts.proxy).port) };
  const shared = { keepAlive, maxSockets: sockets, localAddress: address };
  const agent =
    facts.scheme === "http" ? new Agent(shared) : new TunnelAgent({ ...shared, ca: readFileSync(facts.ca) }, proxy);
  return {
    agent,
    ask: async (method, host, path, asking = {}) => {
      const n = next();
      const url = `${facts.scheme}://${host}.${facts.domain}${path}`;
      const from = now();
      const answer = await answerOf(
        { agent, port: facts.ports[host], proxy: facts.scheme === "http" ? proxy : null },
        method,
        url,
        { ...asking, headers: { "User-Agent": userAgent, ...asking.headers } },
      );
      const needs = (asking.needs ?? []).map((needed) => needed.n);
      const client = `${address} ${userAgent}`;
      const line = { n, method, url, from, to: now(), actor: name, client, needs, isUnanswered: answer.status === 0 };
      appendFileSync(facts.log, `${JSON.stringify(line)}\n`);
      return { n, ...answer, json: () => JSON.parse(answer.body.toString()) };
    },
  };
}

/** All hosts are this computer; only Weir can be told that in another way. */
const lookup: LookupFunction = (_, { all }, done) =>
  all === true ? done(null, [{ address: "127.0.0.1", family: 4 }]) : done(null, "127.0.0.1", 4);

/** Connects through Weir with CONNECT. Node's own `proxyEnv` drops `localAddress`. */
class TunnelAgent extends SecureAgent {
  readonly #proxy: Address | null;

  constructor(options: AgentOptions, proxy: Address | null) {
    super(options);
    this.#proxy = proxy;
  }

  override createConnection(
    options: RequestOptions,
    done: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    if (this.#proxy === null) return super.createConnection(options, done);
    const { servername = "", ca, localAddress } = options;
    const path = `${servername}:443`;
    const connect = request({
      ...this.#proxy,
      method: "CONNECT",
      path,
      headers: { Host: path },
      agent: false,
      localAddress,
    });
    connect.once("error", (error) => done(error, connect.socket as Duplex));
    connect.once("connect", (_, socket) => done(null, connectSecurely({ socket, servername, ca })));
    connect.end();
    return undefined;
  }
}

interface Route {
  readonly agent: Agent;
  readonly port: number | undefined;
  /** Where a plain request with the whole URL goes. */
  readonly proxy: Address | null;
}

function answerOf(
  { agent, port, proxy }: Route,
  method: string,
  url: string,
  { headers = {}, body, rate, timeout, signal, onData }: AskOptions,
): Promise<Omit<Answer, "n" | "json">> {
  const { protocol, hostname, pathname, search, host: authority } = new URL(url);
  const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
  const place = proxy ?? { host: hostname, lookup, port };
  const path = proxy === null ? `${pathname}${search}` : url;
  const options = { ...place, servername: hostname, method, agent, path };
  const all = { Host: authority, ...headers, ...length };
  const send = protocol === "http:" ? request : secureRequest;
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
