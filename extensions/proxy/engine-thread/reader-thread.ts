import { Worker } from "node:worker_threads";
import { READER_LIMITS } from "../threads.ts";

/** The members of a Node.js worker that its owner uses. */
export interface ReaderThread<Sent, Received> {
  postMessage(message: Sent): void;
  on(event: "message", listener: (message: Received) => void): unknown;
  on(event: "error", listener: (error: unknown) => void): unknown;
  on(event: "exit", listener: () => void): unknown;
  unref(): void;
  terminate(): Promise<unknown>;
}

/** Starts a thread that reads a session or a file: in a clone from its source, else from its bundle. */
export function readerThread(name: "analysis" | "import", workerData: unknown): Worker {
  const file = import.meta.url.endsWith(".ts") ? `../${name}-thread/worker.ts` : `./${name}-worker.mjs`;
  return new Worker(new URL(file, import.meta.url), { workerData, resourceLimits: READER_LIMITS });
}

/** Calls `listener` once the thread has ended, with the reason as a phrase. */
export function onThreadEnd<Sent, Received>(
  thread: ReaderThread<Sent, Received>,
  listener: (trouble: string) => void,
): void {
  let trouble = "its thread ended by itself";
  thread.on("error", (error) => {
    trouble = error instanceof Error ? error.message : String(error);
  });
  thread.on("exit", () => listener(trouble));
}
