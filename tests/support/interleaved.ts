import type { CaptureEvent } from "../../src/engine/capture/event.ts";

/** Starts the exchanges in order, and interleaves their other events as drawn; a draw with `true` repeats the event. */
export function interleaved(
  stories: readonly (readonly CaptureEvent[])[],
  draws: readonly (readonly [number, boolean])[],
): readonly CaptureEvent[] {
  const events: CaptureEvent[] = [];
  const begun: CaptureEvent[][] = [];
  let next = 0;
  for (let turn = 0; next < stories.length || begun.length > 0; turn += 1) {
    const [draw, twice] = draws[turn % draws.length] ?? [0, false];
    if (next < stories.length && (begun.length === 0 || draw % 2 === 0)) {
      const [start, ...rest] = stories[next] ?? [];
      if (start !== undefined) events.push(start);
      begun.push(rest);
      next += 1;
      continue;
    }
    const index = draw % begun.length;
    const event = begun[index]?.shift();
    if (event === undefined) begun.splice(index, 1);
    else events.push(event, ...(twice ? [event] : []));
  }
  return events;
}
