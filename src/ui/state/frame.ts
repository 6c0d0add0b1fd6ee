/** Milliseconds between runs in a hidden window, which gets no animation frames. Default; not from a specification. */
const LATEST_MS = 500;

/** Coalesces all calls before the next animation frame (or the timer, if none comes) into one `run`. */
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
