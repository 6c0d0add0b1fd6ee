import { runNameOf } from "../model/run-name.ts";
import { JsonValue } from "./json-value.ts";

/** The most pages whose runs are kept; further ones belong to no run. */
const MOST_PAGES = 10_000;

/**
 * The runs of a file with several page loads, each of them in a browser of its own. WebPageTest writes `_run` and
 * `_cached`, or titles such as "Run 1, First View for …"; Browsertime and sitespeed.io end a title with "run 1".
 */
export class HarRuns {
  readonly #ofPages = new Map<string, string>();

  /** Adds a page of `log.pages`. */
  addPage(page: unknown): void {
    const value = new JsonValue(page);
    const id = value.at("id").text;
    const run = writtenRunOf(value) ?? titledRunOf(value.at("title").text ?? "");
    if (id !== null && run !== null && this.#ofPages.size < MOST_PAGES) this.#ofPages.set(id, run);
  }

  /** The run of an entry, such as "run-2" or "run-2-cached"; `null` if the file names none. */
  runOf(entry: unknown): string | null {
    const value = new JsonValue(entry);
    return writtenRunOf(value) ?? this.#ofPages.get(value.at("pageref").text ?? "") ?? null;
  }
}

function writtenRunOf(value: JsonValue): string | null {
  const run = value.at("_run").numeric;
  if (run === null || !Number.isSafeInteger(run) || run < 0) return null;
  return runNameOf(run, value.at("_cached").numeric === 1 || value.at("_cached").boolean === true);
}

function titledRunOf(title: string): string | null {
  const run = /^run (\d{1,6})(?=,|$)/i.exec(title)?.[1] ?? /\srun (\d{1,6})$/i.exec(title)?.[1];
  return run === undefined ? null : runNameOf(Number(run), /^run \d{1,6}, repeat view\b/i.test(title));
}
