/** Nothing happened for so long, in ms: then it is said. Our choice. */
const SETTLED_MS = 1_000;

/** What is said once what it is about has settled: who hears it is not told each step, nor what traffic changes meanwhile. */
export interface Settling {
  /** Something happened that it is about. */
  readonly again: () => void;
  readonly end: () => void;
}

export function onceSettled(say: () => void): Settling {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(waiting);
  return {
    again: () => {
      end();
      waiting = setTimeout(say, SETTLED_MS);
    },
    end,
  };
}
