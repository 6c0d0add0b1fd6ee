import type { Authority } from "./authority.ts";
import type { Route } from "./programs/job.ts";

/** An ability that a part needs of its subjects. `cannot` lists those that a subject lacks. */
export type Ability = "https" | "plain" | "hosts" | "connections" | "transfer" | "websocket";

/** A running program to compare. */
export interface Subject {
  readonly name: string;
  /** The processes whose CPU and memory count. */
  readonly pids: readonly number[];
  /** Where to connect for TLS requests to the origin's names. */
  readonly secure: Route;
  /** Where to send requests without TLS. */
  readonly plain: Route;
  /** The root of the subject's own certificates, as PEM; empty if there is none. */
  readonly ca: string;
  readonly cannot: readonly Ability[];
  stop(): Promise<void>;
}

/** What each subject is started with. */
export interface Environment {
  /** A temporary folder, which is removed when the run ends. */
  readonly folder: string;
  readonly authority: Authority;
  /** The origin's ports. */
  readonly origin: { readonly plain: number; readonly secure: number };
  readonly freshHosts: readonly string[];
}
