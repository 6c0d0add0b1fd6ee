import type { Browser } from "playwright-core";

/** The tasks of a page's main thread in a recorded trace: their number, and the longest in ms. */
export interface MainThread {
  readonly tasks: number;
  readonly longest: number;
  /** docs/specification.md, Window budgets: the number of tasks longer than 32 ms. */
  readonly long: number;
}

const LONG_MS = 32;

interface TraceEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args: { readonly name?: string };
}

/** Records a trace while `act` runs. */
export async function traced(browser: Browser, act: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(undefined, { categories: ["toplevel", "__metadata"] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: readonly TraceEvent[] };
  const mains = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const lengths = mains.map((main) => taskLengths(traceEvents, main));
  // The page's thread is the busiest: Chromium's spare renderers do almost nothing.
  const [busiest = []] = lengths.toSorted((a, b) => sum(b) - sum(a));
  return {
    tasks: busiest.length,
    longest: Math.max(0, ...busiest),
    long: busiest.filter((length) => length > LONG_MS).length,
  };
}

function taskLengths(events: readonly TraceEvent[], { pid, tid }: TraceEvent): readonly number[] {
  return events
    .filter(({ ph, name }) => ph === "X" && name === "ThreadControllerImpl::RunTask")
    .filter((task) => task.pid === pid && task.tid === tid)
    .map(({ dur = 0 }) => dur / 1_000);
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0);
}
