/** Where the load generator sends requests. */
export interface Route {
  readonly kind: "proxy" | "server";
  readonly port: number;
}

/** The requested server. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/** The jobs of the load generator; `prepare` connects and warms up, so that `run` does not measure it. */
export type Job =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  /**
   * Closed loop, each connection with one request at a time; with `rate`, an open loop of that many requests per
   * second.
   */
  | { readonly do: "prepare"; readonly route: Route; readonly target: Target; readonly connections: number }
  | { readonly do: "run"; readonly seconds: number; readonly rate: number | null }
  | { readonly do: "requests"; readonly count: number }
  | { readonly do: "release" }
  /**
   * Each operation is a connection, its handshakes and one exchange. `hosts`: used one after the other instead of the
   * target's host.
   */
  | {
      readonly do: "connections";
      readonly route: Route;
      readonly target: Target;
      readonly seconds: number;
      readonly parallel: number;
      readonly hosts: readonly string[] | null;
    }
  | {
      readonly do: "transfer";
      readonly route: Route;
      readonly target: Target;
      readonly direction: "download" | "upload";
      readonly bytes: number;
    }
  | {
      readonly do: "messages";
      readonly route: Route;
      readonly target: Target;
      readonly connections: number;
      readonly ahead: number;
      readonly seconds: number;
    };

export interface Outcome {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds per operation, in no particular order; empty where they were not measured. */
  readonly times: Float64Array;
}
