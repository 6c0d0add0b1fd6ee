import type { AnalysisStart, NumberedQuestion, Reply } from "../../extensions/proxy/analysis/analysis-messages.ts";
import type { AnalysisWorker } from "../../extensions/proxy/analysis/analysis-thread.ts";
import { SessionAnalysis } from "../../extensions/proxy/analysis/session-analysis.ts";

/** An analysis in this thread, with messages copied as between threads. `now`: its clock. */
export function inProcessAnalysis(start: AnalysisStart, now?: () => number): AnalysisWorker {
  const arrived: NumberedQuestion[] = [];
  let onReply: (reply: Reply) => void = () => {};
  let onError: (error: unknown) => void = () => {};
  let onExit = (): void => {};
  let isRunning = false;
  const analysis = new SessionAnalysis({
    start,
    take: () => arrived.splice(0),
    tell: (reply) => onReply(structuredClone(reply)),
    ...(now === undefined ? {} : { now }),
  });
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
    postMessage: (question) => {
      arrived.push(structuredClone(question) as NumberedQuestion);
      setImmediate(() => void run());
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
