/** Milliseconds without an event before an announcement. */
const SETTLED_MS = 1_000;

/**
 * A debounced announcement. Assistive technology announces only the state after the last event, and not the states
 * before it.
 */
export interface Debounced {
  /** Call after each relevant event. */
  readonly call: () => void;
  readonly cancel: () => void;
}

export function debounce(say: () => void): Debounced {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(waiting);
  return {
    call: () => {
      end();
      waiting = setTimeout(say, SETTLED_MS);
    },
    cancel: end,
  };
}
