/** Where the load generator sends requests. */
export interface Way {
  readonly kind: "proxy" | "server";
  readonly port: number;
}

/** What is asked for at the end of the way. */
export interface Target {
  readonly secure: boolean;
  readonly host: string;
  readonly port: number;
}

/** What the load generator can do; `prepare` connects and warms up, so that `run` is measured without it. */
export type Job =
  | { readonly do: "trust"; readonly certificates: readonly string[] }
  /** Closed loop, each connection one request at a time; with `rate`, open loop at so many a second. */
  | { readonly do: "prepare"; readonly way: Way; readonly target: Target; readonly connections: number }
  | { readonly do: "run"; readonly seconds: number; readonly rate: number | null }
  | { readonly do: "requests"; readonly count: number }
  | { readonly do: "release" }
  /** Each operation: a connection, its handshakes, one exchange. `hosts`: each to the next of these names, else to the target's. */
  | {
      readonly do: "connections";
      readonly way: Way;
      readonly target: Target;
      readonly seconds: number;
      readonly parallel: number;
      readonly hosts: readonly string[] | null;
    }
  | {
      readonly do: "transfer";
      readonly way: Way;
      readonly target: Target;
      readonly direction: "download" | "upload";
      readonly bytes: number;
    }
  | {
      readonly do: "messages";
      readonly way: Way;
      readonly target: Target;
      readonly connections: number;
      readonly ahead: number;
      readonly seconds: number;
    };

export interface Outcome {
  readonly operations: number;
  readonly seconds: number;
  /** Milliseconds, of each operation in no particular order; empty where they were not taken. */
  readonly times: Float64Array;
}
