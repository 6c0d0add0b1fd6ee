/** Milliseconds between runs in a hidden window, which gets no animation frames. */
const LATEST_MS = 500;

/**
 * Returns a function whose calls until the next animation frame cause one call of `run`. Without a frame, `run` is
 * called after `LATEST_MS`.
 */
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
