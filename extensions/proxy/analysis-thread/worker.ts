import { parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { collectWhenIdle } from "../process/idle-collection.ts";
import type { AnalysisStart, FromAnalysis, NumberedQuestion, ToAnalysis } from "./analysis-messages.ts";
import { ClientWork } from "./client-work.ts";
import { SessionAnalysis } from "./session-analysis.ts";

collectWhenIdle();

const arrived: NumberedQuestion[] = [];
let isRunning = false;

const analysis = new SessionAnalysis({
  start: workerData as AnalysisStart,
  take: () => {
    // While the analysis computes, no event of the port is delivered.
    for (let one = received(); one !== null; one = received()) take(one);
    return arrived.splice(0);
  },
  tell,
});

const work = new ClientWork(analysis, tell);

parentPort?.on("message", (message: ToAnalysis) => {
  take(message);
  if (arrived.length > 0 && !isRunning) void run();
});

function take(message: ToAnalysis): void {
  if ("part" in message) arrived.push(message);
  else work.takeMessage(message);
}

function tell(message: FromAnalysis): void {
  parentPort?.postMessage(message);
}

async function run(): Promise<void> {
  isRunning = true;
  await analysis.run();
  isRunning = false;
}

function received(): ToAnalysis | null {
  if (parentPort === null) return null;
  return (receiveMessageOnPort(parentPort)?.message as ToAnalysis | undefined) ?? null;
}
