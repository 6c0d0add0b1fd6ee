import { parentPort, workerData } from "node:worker_threads";
import { HarImport } from "./har-import.ts";
import type { ImportStart, ToImport } from "./import-messages.ts";

const running = new HarImport(workerData as ImportStart);

parentPort?.on("message", async ({ bytes, last }: ToImport) => {
  parentPort?.postMessage(await running.addPiece(bytes, last));
});
