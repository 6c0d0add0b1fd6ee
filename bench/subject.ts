import type { Authority } from "./authority.ts";
import type { Route } from "./programs/job.ts";

/** What a scenario needs of a subject; not every subject can do everything. */
export type Ability = "https" | "plain" | "hosts" | "connections" | "transfer" | "websocket";

/** A running program that is compared. */
export interface Subject {
  readonly name: string;
  /** The processes whose CPU and memory count. */
  readonly pids: readonly number[];
  /** Where TLS connections to the origin's names are made. */
  readonly secure: Route;
  /** Where plain requests are sent. */
  readonly plain: Route;
  /** PEM of the root of its own certificates; empty if it has none. */
  readonly ca: string;
  readonly cannot: readonly Ability[];
  stop(): Promise<void>;
}

/** What every subject is given. */
export interface Environment {
  /** A temporary folder, removed at the end of the run. */
  readonly folder: string;
  readonly authority: Authority;
  /** The origin's ports. */
  readonly origin: { readonly plain: number; readonly secure: number };
  readonly freshHosts: readonly string[];
}
