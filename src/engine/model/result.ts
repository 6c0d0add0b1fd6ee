/** The value of an operation that can fail; or why there is none. */
export type Result<Value, Failed extends Failure = Failure> = Success<Value> | Failed;

interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Failure {
  readonly ok: false;
  readonly problem: Problem;
}

/** A failure in words for a user. An operation without a value returns `Problem | null`, and `null` on success. */
export type Problem = string;

export function success<Value>(value: Value): Success<Value> {
  return { ok: true, value };
}

export function failure(problem: Problem): Failure {
  return { ok: false, problem };
}

/**
 * The value. If there is none, throws the problem: to a command's handler, so that it refuses the command, or to a
 * test.
 */
export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(result.problem);
}
