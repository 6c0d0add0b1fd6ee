import { existsSync, rmSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Milliseconds between two checks for the files. */
const INTERVAL = 20;

// Loaded by `node --import` before the program, in both threads. Imitates two bugs: the engine's thread ends whenever
// the first file appears, and the main thread fails when the second file appears.
const order = process.env[isMainThread ? "WEIR_TEST_MAIN_FAULT" : "WEIR_TEST_ENGINE_FAULT"];
if (order !== undefined) {
  const look = () => {
    if (!existsSync(order)) return;
    rmSync(order);
    throw new Error("a fault made by a test");
  };
  setInterval(look, INTERVAL).unref();
}
