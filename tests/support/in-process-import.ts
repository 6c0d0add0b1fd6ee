import type { ImportWorker } from "../../extensions/proxy/engine-thread/recording/har-imports.ts";
import { HarImport } from "../../extensions/proxy/import-thread/har-import.ts";
import type { FromImport, ImportStart } from "../../extensions/proxy/import-thread/import-messages.ts";

/** An import in this thread, with messages copied as between threads. */
export function inProcessImport(start: ImportStart): ImportWorker {
  const running = new HarImport(structuredClone(start));
  let onReply: (reply: FromImport) => void = () => {};
  let pending: Promise<void> = Promise.resolve();
  return {
    postMessage: (message) => {
      const { bytes, last } = structuredClone(message);
      pending = running.addPiece(bytes, last).then((reply) => onReply(structuredClone(reply)));
    },
    on: (event: string, listener: unknown) => {
      if (event === "message") onReply = listener as typeof onReply;
    },
    unref: () => {},
    terminate: () => pending,
  };
}
