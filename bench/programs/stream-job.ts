import type { Outcome, Route, Target } from "./job.ts";

/** The jobs of the HTTP/2 load generator. */
export type StreamJob =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  | { readonly do: "open"; readonly route: Route; readonly target: Target; readonly connections: number }
  /** Closed loop over all connections: this many streams at once, each response of `size` bytes. */
  | { readonly do: "run"; readonly seconds: number; readonly streams: number; readonly size: number }
  /** Requests each of these paths once, this many streams at once, whatever the size of the responses. */
  | { readonly do: "paths"; readonly paths: readonly string[]; readonly streams: number }
  | { readonly do: "download"; readonly bytes: number }
  /** Opens this many streams whose responses begin and do not end. */
  | { readonly do: "hold"; readonly streams: number }
  | { readonly do: "close" };

export interface StreamOutcome extends Outcome {
  /** The generator's own CPU time, as a share of one core. */
  readonly busy: number;
}
