import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { collectWhenIdle } from "../process/idle-collection.ts";
import type { AnalysisStart, FromAnalysis, NumberedQuestion, ToAnalysis } from "./analysis-messages.ts";
import { ClientWork } from "./client-work.ts";
import { SessionAnalysis } from "./session-analysis.ts";
import { type SessionPair, sessionChangesOf } from "./session-comparison.ts";

const start = workerData as AnalysisStart | SessionPair;

if ("left" in start) parentPort?.postMessage(await sessionChangesOf(start));
else answerQuestions(start);

function answerQuestions(started: AnalysisStart): void {
  collectWhenIdle();
  const arrived: NumberedQuestion[] = [];
  let isRunning = false;

  const analysis = new SessionAnalysis({
    start: started,
    take: () => {
      // While the analysis computes, no event of the port is delivered.
      for (let one = received(); one !== null; one = received()) take(one);
      return arrived.splice(0);
    },
    tell,
  });
  const work = new ClientWork(analysis, tell);

  const take = (message: ToAnalysis): void => {
    if ("part" in message) arrived.push(message);
    else work.takeMessage(message);
  };

  const run = async (): Promise<void> => {
    isRunning = true;
    await analysis.run();
    isRunning = false;
  };

  parentPort?.on("message", (message: ToAnalysis) => {
    take(message);
    if (arrived.length > 0 && !isRunning) void run();
  });
}

function tell(message: FromAnalysis): void {
  parentPort?.postMessage(message);
}

function received(): ToAnalysis | null {
  if (parentPort === null) return null;
  return (receiveMessageOnPort(parentPort)?.message as ToAnalysis | undefined) ?? null;
}
