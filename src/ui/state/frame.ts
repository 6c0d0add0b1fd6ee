/**
 * Milliseconds between runs in a hidden window, since it gets no animation frames. Default; not from a specification.
 */
const LATEST_MS = 500;

/** Joins all calls until the next animation frame, or until the timer if no frame comes, into one call of `run`. */
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
