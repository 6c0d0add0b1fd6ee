import type { ExportStarted, FromEngine } from "../../src/engine/messages/messages.ts";
import { type ExportForm, type ExportSource, exportText } from "./export-text.ts";

/** messages.ts: a message is at most 1 MB; our choice of characters that leaves room for signs of three bytes. */
const MOST_TEXT = 250_000;

const MEDIA_TYPES = {
  har: "application/json",
  json: "application/json",
  csv: "text/csv",
  md: "text/markdown",
} as const;

/** Exports that a page has asked for, each sent in pieces between other work, until it is whole or was cancelled. */
export class Exports {
  readonly #running = new Set<number>();
  #count = 0;

  /** Begins one; throws the sentence that refuses its filter. */
  start(
    source: ExportSource,
    form: ExportForm,
    filter: string,
    redact: boolean,
    send: (message: FromEngine) => void,
  ): ExportStarted {
    const text = exportText(source, form, filter, redact);
    if (typeof text === "string") throw new Error(text);
    this.#count += 1;
    const exportNumber = this.#count;
    this.#running.add(exportNumber);
    void this.#run(exportNumber, text, send);
    const name = form.table === null ? "session" : form.table;
    return { exportNumber, fileName: `weir-${name}.${form.format}`, mediaType: MEDIA_TYPES[form.format] };
  }

  cancel(exportNumber: number): void {
    this.#running.delete(exportNumber);
  }

  async #run(
    exportNumber: number,
    pieces: AsyncGenerator<{ readonly text: string; readonly progress: number }>,
    send: (message: FromEngine) => void,
  ): Promise<void> {
    const say = (text: string, progress: number, done: boolean, problem: string | null) =>
      send({ type: "export-piece", exportNumber, text, progress, done, problem });
    let gathered = "";
    try {
      for await (const { text, progress } of pieces) {
        if (!this.#running.has(exportNumber)) return say("", progress, true, "It was cancelled.");
        gathered += text;
        if (gathered.length < MOST_TEXT) continue;
        for (let from = 0; from < gathered.length; from += MOST_TEXT) {
          say(gathered.slice(from, from + MOST_TEXT), progress, false, null);
        }
        gathered = "";
        await new Promise((resolve) => setImmediate(resolve));
      }
      say(gathered, 1, true, null);
    } catch (error) {
      say("", 1, true, error instanceof Error ? error.message : String(error));
    } finally {
      this.#running.delete(exportNumber);
    }
  }
}
