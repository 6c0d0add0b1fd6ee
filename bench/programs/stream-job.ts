import type { Outcome, Target, Way } from "./job.ts";

/** What the load generator of HTTP/2 can do. */
export type StreamJob =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  | { readonly do: "open"; readonly way: Way; readonly target: Target; readonly connections: number }
  /** Closed loop over all connections: so many streams at once, each answer of `size` bytes. */
  | { readonly do: "run"; readonly seconds: number; readonly streams: number; readonly size: number }
  /** The same with these paths, each once, whatever the answers' sizes. */
  | { readonly do: "paths"; readonly paths: readonly string[]; readonly streams: number }
  | { readonly do: "download"; readonly bytes: number }
  /** Opens so many streams whose answers begin and do not end. */
  | { readonly do: "hold"; readonly streams: number }
  | { readonly do: "close" };

export interface StreamOutcome extends Outcome {
  /** What the generator itself used, as a share of one core. */
  readonly busy: number;
}
