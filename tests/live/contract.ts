import type { Agent, RequestListener, Server } from "node:http";
import type { FindingKind } from "../../src/engine/model/finding.ts";
import type { Draw } from "./draw.ts";

/** A small service and its client, each a process of its own. The client's requests go through a real Weir. */
export interface LiveCase<Plan = unknown> {
  /** What really happens, in one sentence; printed beside a wrong finding. */
  readonly story: string;
  /** Why this computer cannot run the case; `null` or absent if it can. */
  readonly skip?: () => string | null;
  /** The scheme of all hosts; drawn if absent. */
  readonly scheme?: "http" | "https";
  /** What varies: names, rates, magnitudes. It must be JSON. */
  draw(draw: Draw): Plan;
  /** The planted causes, none for a healthy case. */
  causes(plan: Plan): readonly Cause[];
  /** Findings that are true although nobody planted them, such as an import that takes long because it has to. */
  admits?(plan: Plan): readonly Claim[];
  readonly service: ServicePart<Plan> | PythonPart;
  readonly client: ClientPart<Plan> | PythonPart;
}

/** What a finding must say to be accepted. */
export interface Claim {
  readonly accepts: readonly {
    readonly kind: FindingKind | (string & {});
    /** `null`: the finding must name no attribute. Absent: any. */
    readonly attribute?: string | null;
    /** The attribute's value; any if absent. */
    readonly value?: string;
    /** A segment that the path of the finding's endpoint must show as it is, not as `{id}`. */
    readonly segment?: string;
  }[];
  /**
   * The places of which a finding must name one: "GET /orders/*" (`*` stands for one segment), or a host such as "api"
   * for kinds that give an origin or a client alone.
   */
  readonly at: readonly string[];
}

/** Sessions with and without a cause make the same requests, so that their waiting can be compared. */
export interface Cause extends Claim {
  readonly name: string;
  /** The service cannot see this cost, so that the truth is only the pair of sessions with and without the cause. */
  readonly unlogged?: true;
  /** Weir itself removes this cost, so that the pair of sessions runs without Weir. */
  readonly direct?: true;
}

/** Resolves when the service listens. It is killed after the session. */
export type ServicePart<Plan> = (plan: Plan, run: ServiceRun) => Promise<unknown>;

/** Resolves when the client is done. */
export type ClientPart<Plan> = (plan: Plan, run: ClientRun) => Promise<unknown>;

/** A script beside the case, which imports `live.py`. */
export interface PythonPart {
  readonly python: string;
}

/** What each part gets, as JSON in the environment variable `LIVE`. */
export interface Facts {
  readonly name: string;
  readonly plan: unknown;
  readonly seed: number;
  readonly scheme: "http" | "https";
  /** Host "api" is `api.DOMAIN` to the client. */
  readonly domain: string;
  /** Names of the causes that are switched off. */
  readonly without: readonly string[];
  /** A folder for the part's own files, with `cert.pem` and `key.pem` for all hosts of the domain. */
  readonly folder: string;
  /** The JSON lines of `Added` (service) or `Asked` (client) are appended here. */
  readonly log: string;
  /** Client only. Weir as `http://127.0.0.1:PORT`; `null` in a session without Weir. */
  readonly proxy: string | null;
  /** Client only. PEM file of the roots to trust. */
  readonly ca: string;
  /** Client only. The port that each host listens on. */
  readonly ports: Readonly<Record<string, number>>;
}

/** A line of the service: the cause made the client wait, in epoch ms. Intervals of one client count once. */
export interface Added {
  readonly cause: string;
  readonly from: number;
  readonly to: number;
  readonly client: string;
}

/** A line of the client: one request. Times in epoch ms; `needs`: `n` of the requests whose answers it needed. */
export interface Asked {
  readonly n: number;
  readonly method: string;
  readonly url: string;
  readonly from: number;
  readonly to: number;
  /** Requests of different actors never wait for each other. */
  readonly actor: string;
  /** Whom the waiting is counted for: address and User-Agent, as Weir does. */
  readonly client: string;
  readonly needs: readonly number[];
  /** The client gave it up or it failed, so that it need not have reached Weir. */
  readonly isUnanswered?: boolean;
}

export interface ServiceRun extends Facts {
  readonly random: Draw;
  /** Whether the cause is switched on. */
  isOn(cause: string): boolean;
  /** Listens on a free port as the host "api" or so. */
  serve(host: string, handler: RequestListener): Promise<Server>;
  /** Tells that a host is served on this port by another program, such as nginx. */
  serves(host: string, port: number): void;
  /** Logs waiting that a cause added. `to`: now. `client`: needed if several clients are counted apart. */
  added(cause: string, from: number, to?: number, client?: string): void;
  /** Waits for ordinary, log-normal work; `median` in ms. */
  work(median: number, sigma?: number): Promise<void>;
}

export interface ClientRun extends Facts {
  readonly random: Draw;
  isOn(cause: string): boolean;
  /** One independent user or worker with connections of its own. */
  actor(name: string, options?: ActorOptions): Actor;
}

export interface ActorOptions {
  /** The most connections per host; by default 6. */
  readonly sockets?: number;
  readonly keepAlive?: boolean;
  readonly userAgent?: string;
  /** A loopback address that this actor sends from, by default 127.0.0.1. */
  readonly address?: string;
}

export interface Actor {
  /** For other clients than `ask`, such as one for WebSockets, over https alone; they are not logged. */
  readonly agent: Agent;
  /** Sends one request and logs it. A request that fails resolves with status 0. */
  ask(method: string, host: string, path: string, options?: AskOptions): Promise<Answer>;
}

export interface AskOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends the body at so many bytes a second. */
  readonly rate?: number;
  /** The answers without which this request could not have been made. */
  readonly needs?: readonly Answer[];
  /** Gives up after this many ms. */
  readonly timeout?: number;
  /** The user gives up, for example by typing on. */
  readonly signal?: AbortSignal;
  /** Called with each piece of the body; `false` ends the request. */
  readonly onData?: (chunk: Buffer) => boolean;
}

export interface Answer {
  readonly n: number;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Buffer;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a case knows what its own service answers.
  json(): any;
}

/** Checks the types of a case and hides its plan's type. */
export function liveCase<Plan>(live: LiveCase<Plan>): LiveCase {
  return live as LiveCase;
}

/** Epoch ms with a fraction. */
export const now = (): number => performance.timeOrigin + performance.now();

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
