import type { Browser, Page } from "playwright-core";

/** What the page's main thread did: the tasks of one recorded trace, in ms. */
export interface MainThread {
  readonly tasks: number;
  readonly longest: number;
  /** ui.md: tasks over 32 ms. */
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
export async function traced(browser: Browser, page: Page, act: () => Promise<void>): Promise<MainThread> {
  await browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: readonly TraceEvent[] };
  const mains = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const tasks = traceEvents.filter(
    ({ name, pid, tid, ph }) =>
      ph === "X" &&
      name === "ThreadControllerImpl::RunTask" &&
      mains.some((main) => main.pid === pid && main.tid === tid),
  );
  const lengths = tasks.map(({ dur = 0 }) => dur / 1_000);
  return {
    tasks: lengths.length,
    longest: Math.max(0, ...lengths),
    long: lengths.filter((length) => length > LONG_MS).length,
  };
}
