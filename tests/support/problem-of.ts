import type { Result } from "../../src/engine/model/result.ts";

/** The problem of a failure; "" of a success. */
export function problemOf(result: Result<unknown>): string {
  return result.ok ? "" : result.problem;
}
