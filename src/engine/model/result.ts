/** The value of an operation, or the reason why it failed. */
export type Result<Value, Failed extends Failure = Failure> = Success<Value> | Failed;

interface Success<Value> {
  readonly ok: true;
  readonly value: Value;
}

export interface Failure {
  readonly ok: false;
  readonly problem: Problem;
}

/**
 * Why an operation failed, in words for a user. An operation without a value returns `Problem | null`: `null` means
 * success.
 */
export type Problem = string;

export function success<Value>(value: Value): Success<Value> {
  return { ok: true, value };
}

export function failure(problem: Problem): Failure {
  return { ok: false, problem };
}

/**
 * Returns the value, or throws the problem as an `Error`. In a command's handler, and in what it calls, the error
 * becomes the reply.
 */
export function unwrap<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new Error(result.problem);
}
