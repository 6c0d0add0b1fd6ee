/** A channel to a single listener; values emitted before it is attached are dropped. */
export interface EventChannel<Value> {
  readonly emit: (value: Value) => void;
  readonly listen: (to: (value: Value) => void) => void;
}

export function createChannel<Value>(): EventChannel<Value> {
  let listener: ((value: Value) => void) | null = null;
  return {
    emit: (value) => listener?.(value),
    listen: (to) => {
      listener = to;
    },
  };
}
