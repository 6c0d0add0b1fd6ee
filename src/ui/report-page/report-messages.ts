import type { PageFacts } from "../../engine/interchange/report-html.ts";

/** The most bytes that the page reads, because it holds them in memory. */
export const MOST_BYTES = 300 * 1024 * 1024;

export type ToWorker =
  | { readonly type: "report"; readonly files: readonly File[]; readonly facts: PageFacts }
  /** `source`: the index in `names` of the report. */
  | { readonly type: "save-har"; readonly source: number };

export type FromWorker =
  /** `done`: 0 to 1, within the step. */
  | { readonly type: "progress"; readonly step: string; readonly done: number }
  /** `problem`: a sentence why the file, or a part of it, is not in the report. */
  | { readonly type: "refused"; readonly name: string; readonly problem: string }
  /** Also an answer if each file was refused: `names` is empty then. */
  | { readonly type: "report"; readonly html: string; readonly names: readonly string[] }
  | { readonly type: "har"; readonly file: Blob; readonly name: string };

export type Says = (message: FromWorker) => void;
