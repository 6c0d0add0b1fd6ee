import type { Authority } from "./authority.ts";
import type { Way } from "./programs/job.ts";

/** What a scenario asks of a subject; not every one can do everything. */
export type Ability = "https" | "plain" | "hosts" | "connections" | "transfer" | "websocket";

/** One of those that are compared, running. */
export interface Subject {
  readonly name: string;
  /** Whose CPU and memory count. */
  readonly pids: readonly number[];
  /** Where TLS connections to the origin's names are made. */
  readonly secure: Way;
  /** Where plain requests are sent. */
  readonly plain: Way;
  /** PEM of who signs what it answers with; empty where it answers nothing itself. */
  readonly ca: string;
  readonly cannot: readonly Ability[];
  stop(): Promise<void>;
}

/** What every subject is given. */
export interface Surroundings {
  /** An empty folder; it is removed by its owner. */
  readonly folder: string;
  readonly authority: Authority;
  /** The origin's ports. */
  readonly origin: { readonly plain: number; readonly secure: number };
  readonly freshHosts: readonly string[];
}
