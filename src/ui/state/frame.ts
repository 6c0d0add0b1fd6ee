/** A window that is hidden gets no animation frames; it still catches up this often. Our choice. */
const LATEST_MS = 500;

/** Wraps `run` so that any number of calls before the next animation frame (or the timer, if none comes) lead to one run. */
export function oncePerFrame(run: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    const fire = (): void => {
      if (!waiting) return;
      waiting = false;
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      run();
    };
    const frame = requestAnimationFrame(fire);
    const timer = setTimeout(fire, LATEST_MS);
  };
}
