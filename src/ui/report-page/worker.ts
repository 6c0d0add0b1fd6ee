import { FileReports } from "./file-reports.ts";
import type { FromWorker, ToWorker } from "./report-messages.ts";

/** Progress is sent in steps of a hundredth. */
const STEPS = 100;

const reports = new FileReports();
let sent = "";

/** Sends a message to the page, but no progress that looks like the last. */
function say(message: FromWorker): void {
  if (message.type === "progress") {
    const seen = `${message.step} ${Math.floor(message.done * STEPS)}`;
    if (seen === sent) return;
    sent = seen;
  }
  self.postMessage(message);
}

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  const work = data.type === "report" ? reports.report(data.files, data.facts, say) : reports.saveHar(data.source, say);
  // An error that nobody catches reaches the page's `error` listener only if it is thrown outside a promise.
  work.catch((error: unknown) =>
    setTimeout(() => {
      throw error;
    }),
  );
});
