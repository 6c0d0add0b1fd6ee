import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { type Address, type LookupEvents, NETWORK_LIMITS, type Resolver } from "../network-options.ts";
import { plainHost } from "../sockets/address.ts";
import { inSystemOrder } from "./address-order.ts";
import { dnsQuery, type Found } from "./dns-query.ts";
import { expectDescriptors, LookupError } from "./lookup-error.ts";
import { LookupHelper, type StartHelper } from "./lookup-helper.ts";
import { lookupPlan } from "./lookup-plan.ts";
import { SystemFiles, type SystemView } from "./system-files.ts";

/** docs/security.md L12: the most names that are looked up at once. */
const MOST_LOOKUPS = 1_000;

/** RFC 1035, 4.2. */
const DNS_PORT = 53;

/** Variables that change how glibc looks up names (resolv.conf(5), hostname(7)). */
const VARIABLES = ["HOSTALIASES", "LOCALDOMAIN", "RES_OPTIONS"];

interface NameResolverOptions {
  /** `null` if only the system itself looks up names. */
  readonly system: SystemView | null;
  readonly start: StartHelper;
  /** The port of the name servers. */
  readonly port?: number;
  readonly most?: number;
}

interface Running {
  readonly found: Promise<Found>;
  /** Resolves when a helper process that had to start first begins the look-up. */
  readonly begun: Promise<void>;
  readonly abort: (reason: Error) => void;
}

/**
 * Looks up each name once at a time. No look-up waits for another one: while `MOST_LOOKUPS` run, a new one ends the one
 * that has taken the longest.
 */
export class NameResolver implements Resolver {
  readonly #system: SystemView | null;
  readonly #helpers: LookupHelpers;
  readonly #port: number;
  readonly #most: number;
  /** By name, oldest first. */
  readonly #running = new Map<string, Running>();
  #count = 0;

  constructor({ system, start, port = DNS_PORT, most = MOST_LOOKUPS }: NameResolverOptions) {
    this.#system = system;
    this.#helpers = new LookupHelpers(start);
    this.#port = port;
    this.#most = most;
  }

  async lookup(name: string, events?: LookupEvents): Promise<readonly Address[]> {
    const key = /[^\x20-\x7e]/.test(name) ? domainToASCII(name) : name.toLowerCase();
    const running = this.#running.get(key) ?? this.#run(key);
    void running.begun.then(() => events?.begun());
    const { addresses, later } = await running.found;
    if (later !== null) events?.late(later);
    return addresses;
  }

  close(): void {
    for (const [name, { abort }] of this.#running) abort(new LookupError("EAI_AGAIN", name));
    this.#helpers.close();
  }

  #run(name: string): Running {
    const [oldest] = this.#running;
    if (oldest !== undefined && this.#running.size >= this.#most)
      oldest[1].abort(new LookupError("ERR_TOO_MANY_LOOKUPS", oldest[0]));
    const controller = new AbortController();
    const abort = (reason: Error): void => {
      this.#running.delete(name);
      controller.abort(reason);
    };
    const limit = setTimeout(() => abort(new LookupError("EAI_AGAIN", name)), NETWORK_LIMITS.lookup);
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const running = { found: this.#found(name, controller.signal, begin), begun, abort };
    this.#running.set(name, running);
    const end = (): void => {
      clearTimeout(limit);
      if (this.#running.get(name) === running) this.#running.delete(name);
    };
    void running.found.then(({ later }) => later).then(end, end);
    return running;
  }

  async #found(name: string, signal: AbortSignal, begun: () => void): Promise<Found> {
    const family = name.endsWith(".") ? 0 : isIP(plainHost(name));
    if (family !== 0) return alone([{ address: plainHost(name), family: family === 6 ? 6 : 4 }]);
    const plan = this.#system === null ? null : lookupPlan(name, this.#system);
    if (plan === null) return alone(await this.#helpers.lookup(name, signal, begun));
    if (plan.kind === "known") return alone(await inSystemOrder(plan.addresses));
    if (plan.kind === "none") throw new LookupError("ENOTFOUND", name);
    this.#count += 1;
    try {
      const { addresses, later } = await dnsQuery(name, plan.conf, { signal, port: this.#port, first: this.#count });
      return { addresses: await inSystemOrder(addresses), later: later?.then(inSystemOrder) ?? null };
    } catch (error) {
      signal.throwIfAborted();
      expectDescriptors();
      throw error;
    }
  }
}

/**
 * The resolver for this computer. On Linux it reads the system's files by itself; elsewhere, names are looked up by the
 * system in helper processes.
 */
export function systemResolver(start: StartHelper): NameResolver {
  const isReadable = process.platform === "linux" && VARIABLES.every((name) => process.env[name] === undefined);
  return new NameResolver({ system: isReadable ? new SystemFiles("/etc") : null, start });
}

function alone(addresses: readonly Address[]): Found {
  return { addresses, later: null };
}

export const MOST_HELPERS = 4;

/**
 * The system's own look-up (getaddrinfo) in helper processes, which are started when one is needed. Only the newest one
 * takes new look-ups, so the oldest one has the look-ups that have taken the longest.
 */
export class LookupHelpers {
  readonly #start: StartHelper;
  /** Oldest first. */
  #helpers: readonly LookupHelper[] = [];

  constructor(start: StartHelper) {
    this.#start = start;
  }

  /**
   * Rejects with a `LookupError`, or the signal's reason. If a helper process cannot be started or ends by itself,
   * looks up in this process. `begun`: as in `LookupHelper.lookup`.
   */
  async lookup(name: string, signal: AbortSignal, begun: () => void): Promise<readonly Address[]> {
    try {
      return await this.#free(name).lookup(name, signal, begun);
    } catch (error) {
      if (error instanceof LookupError || signal.aborted) throw error;
      begun();
      return await inThisProcess(name);
    }
  }

  close(): void {
    for (const helper of this.#helpers) helper.kill(new LookupError("EAI_AGAIN", ""));
  }

  /** The newest helper if it takes more look-ups, else a new one. If there are too many, the oldest one is ended. */
  #free(name: string): LookupHelper {
    const newest = this.#helpers.at(-1);
    if (newest?.takesMore === true) return newest;
    if (this.#helpers.length >= MOST_HELPERS) this.#helpers[0]?.kill(new LookupError("ERR_TOO_MANY_LOOKUPS", name));
    const helper = new LookupHelper(this.#start, (ended) => {
      this.#helpers = this.#helpers.filter((other) => other !== ended);
    });
    this.#helpers = [...this.#helpers, helper];
    return helper;
  }
}

async function inThisProcess(name: string): Promise<readonly Address[]> {
  const found = await lookup(name, { all: true, order: "verbatim" }).catch((error: unknown) => {
    expectDescriptors();
    throw error;
  });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}
