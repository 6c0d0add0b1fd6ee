/** What is said to one listener, once it is there; nothing is said before. */
export interface Spoken<Value> {
  readonly say: (value: Value) => void;
  readonly listen: (to: (value: Value) => void) => void;
}

export function spoken<Value>(): Spoken<Value> {
  let listener: ((value: Value) => void) | null = null;
  return {
    say: (value) => listener?.(value),
    listen: (to) => {
      listener = to;
    },
  };
}
