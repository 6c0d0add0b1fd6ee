import type { Outcome, Route, Target } from "./job.ts";

/** Jobs of the HTTP/2 load generator. */
export type StreamJob =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  | { readonly do: "open"; readonly route: Route; readonly target: Target; readonly connections: number }
  /** A closed loop over all connections: `streams` at once, each with a response of `size` bytes. */
  | { readonly do: "run"; readonly seconds: number; readonly streams: number; readonly size: number }
  /** Requests each of these paths once, `streams` at once; responses may have any size. */
  | { readonly do: "paths"; readonly paths: readonly string[]; readonly streams: number }
  | { readonly do: "download"; readonly bytes: number }
  /** Opens `streams` streams, whose responses start and do not end. */
  | { readonly do: "hold"; readonly streams: number }
  | { readonly do: "close" };

export interface StreamOutcome extends Outcome {
  /** The generator's CPU time, as a share of one core. */
  readonly busy: number;
}
