/** Where the load generator connects: to a proxy, or directly to the server. */
export interface Route {
  readonly kind: "proxy" | "server";
  readonly port: number;
}

/** The server that the requests are meant for. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/** Jobs of the load generator. `prepare` connects and warms up, so that `run` measures neither. */
export type Job =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  /**
   * `run` sends requests. If `rate` is `null`, each connection has one request at a time (closed loop). Else `rate`
   * requests are sent per second (open loop).
   */
  | { readonly do: "prepare"; readonly route: Route; readonly target: Target; readonly connections: number }
  | { readonly do: "run"; readonly seconds: number; readonly rate: number | null }
  | { readonly do: "requests"; readonly count: number }
  | { readonly do: "release" }
  /**
   * Each operation is a connection, its handshakes and one exchange. `hosts`: used in turn, in place of the target's
   * host.
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
  /** Milliseconds of each operation, in any order; empty if they were not measured. */
  readonly times: Float64Array;
}
