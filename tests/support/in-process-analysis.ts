import type {
  AnalysisStart,
  FromAnalysis,
  NumberedQuestion,
  ToAnalysis,
} from "../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { ClientWork } from "../../extensions/proxy/analysis-thread/client-work.ts";
import { SessionAnalysis } from "../../extensions/proxy/analysis-thread/session-analysis.ts";
import type { AnalysisWorker } from "../../extensions/proxy/engine-thread/analysis-thread.ts";

/** An analysis in this thread, with messages copied as between threads. `now`: its clock. */
export function inProcessAnalysis(start: AnalysisStart, now?: () => number): AnalysisWorker {
  const arrived: NumberedQuestion[] = [];
  let onReply: (message: FromAnalysis) => void = () => {};
  let onError: (error: unknown) => void = () => {};
  let onExit = (): void => {};
  let isRunning = false;
  const tell = (message: FromAnalysis) => onReply(structuredClone(message));
  const analysis = new SessionAnalysis({
    start,
    take: () => arrived.splice(0),
    tell,
    ...(now === undefined ? {} : { now }),
  });
  const work = new ClientWork(analysis, tell);
  const run = async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await analysis.run();
    } catch (error) {
      onError(error);
      onExit();
    }
    isRunning = false;
  };
  return {
    postMessage: (message) => {
      const copy = structuredClone(message) as ToAnalysis;
      if ("part" in copy) {
        arrived.push(copy);
        setImmediate(() => void run());
      } else setImmediate(() => work.takeMessage(copy));
    },
    on: (event: string, listener: unknown) => {
      if (event === "message") onReply = listener as typeof onReply;
      if (event === "error") onError = listener as typeof onError;
      if (event === "exit") onExit = listener as typeof onExit;
    },
    unref: () => {},
    terminate: async () => {
      onReply = () => {};
      onExit();
    },
  };
}
