import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import type { AnalysisStart, NumberedQuestion } from "./analysis/analysis-messages.ts";
import { SessionAnalysis } from "./analysis/session-analysis.ts";
import { collectWhenIdle } from "./process/idle-collection.ts";

collectWhenIdle();

const arrived: NumberedQuestion[] = [];
let isRunning = false;

const analysis = new SessionAnalysis({
  start: workerData as AnalysisStart,
  take: () => {
    // While the analysis computes, no event of the port is delivered.
    for (let one = received(); one !== null; one = received()) arrived.push(one);
    return arrived.splice(0);
  },
  tell: (reply) => parentPort?.postMessage(reply),
});

parentPort?.on("message", (question: NumberedQuestion) => {
  arrived.push(question);
  if (!isRunning) void run();
});

async function run(): Promise<void> {
  isRunning = true;
  await analysis.run();
  isRunning = false;
}

function received(): NumberedQuestion | null {
  if (parentPort === null) return null;
  return (receiveMessageOnPort(parentPort)?.message as NumberedQuestion | undefined) ?? null;
}
