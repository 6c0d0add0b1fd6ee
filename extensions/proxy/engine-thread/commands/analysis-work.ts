import { setImmediate } from "node:timers/promises";
import type { ExportStarted, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { SearchStarted } from "../../../../src/engine/messages/session-messages.ts";
import type { Problem } from "../../../../src/engine/model/result.ts";
import { sessionLabelOf } from "../../../../src/engine/model/session-name.ts";
import { CLOSED, type ExportSource, type SessionName } from "../../../../src/engine/report/export-source.ts";
import type { BodyMatches, ExportScope, Work, WorkMessage } from "../../analysis-thread/analysis-messages.ts";
import type { ExportForm } from "../../export/export-text.ts";
import type { SessionInsights } from "./session-insights.ts";

const MEDIA_TYPES = {
  har: "application/json",
  json: "application/json",
  csv: "text/csv",
  md: "text/markdown",
  html: "text/html",
} as const;

type ClientWork = Extract<Work, { readonly kind: "search" | "export" }>;

interface Running {
  readonly insights: Pick<SessionInsights, "tell">;
  readonly send: (message: FromEngine) => void;
}

/** The session that a UI client shows, and its analysis. */
export interface AnalysedSource extends ExportSource {
  readonly insights: SessionInsights;
}

/** Passes the exports and searches of UI clients on to the analysis of the session that they show. */
export class AnalysisWork {
  readonly #running = new Map<number, Running>();
  #count = 0;

  /** Throws the sentence that refuses the export. */
  async export(
    { insights, settings, baseline, version, named }: AnalysedSource,
    { filter, redact, picked, ...form }: ExportForm & ExportScope,
    send: (message: FromEngine) => void,
  ): Promise<ExportStarted> {
    const work = { form, filter, picked, redact, settings, baseline: baseline.sessions, version, named: named ?? null };
    const exportNumber = this.#nextNumber();
    const ranked = insights.rankedFor(filter);
    await this.#begin(exportNumber, insights, { kind: "export", ...work, ranked }, send);
    const fileName = `${fileNameOf(named ?? null, form)}.${form.format}`;
    return { exportNumber, fileName, mediaType: MEDIA_TYPES[form.format] };
  }

  /** Starts a search at once, because the thread may first have to read the session. */
  search({ insights }: AnalysedSource, text: string, send: (message: FromEngine) => void): SearchStarted {
    const searchNumber = this.#nextNumber();
    this.#begin(searchNumber, insights, { kind: "search", text }, send).catch(async (error: unknown) => {
      // The reply must be sent first: it contains the number of this search.
      await setImmediate();
      send(searchEnd(searchNumber, error instanceof Error ? error.message : String(error)));
    });
    return { searchNumber };
  }

  /** Called when the UI client has received a piece of an export. The export may then send another one. */
  acknowledge(number: number): void {
    this.#running.get(number)?.insights.tell({ acknowledged: number });
  }

  cancel(number: number): void {
    this.#running.get(number)?.insights.tell({ cancelled: number });
  }

  /** Cancels the work of a UI client that has disconnected. `send`: the function that sends to that UI client. */
  cancelFor(send: (message: FromEngine) => void): void {
    for (const [number, running] of [...this.#running]) {
      if (running.send !== send) continue;
      this.cancel(number);
      this.#running.delete(number);
    }
  }

  #nextNumber(): number {
    this.#count += 1;
    return this.#count;
  }

  /** Resolves once the work has begun. Throws the sentence that refuses it. */
  async #begin(
    number: number,
    insights: SessionInsights,
    work: ClientWork,
    send: (message: FromEngine) => void,
  ): Promise<void> {
    const pass = (message: WorkMessage | BodyMatches) => {
      if (message.type === "body-matches" || !this.#running.has(number)) return;
      if (message.done) this.#running.delete(number);
      send(message);
    };
    this.#running.set(number, { insights, send });
    const refusal = await insights.beginWork(number, work, {
      onMessage: pass,
      onEnd: (trouble) => pass(endOf(work.kind, number, trouble)),
    });
    if (refusal !== null) {
      this.#running.delete(number);
      throw new Error(refusal);
    }
    if (!this.#running.has(number)) insights.tell({ cancelled: number });
  }
}

/** The last message of work whose thread has ended. `trouble`: as in `AnalysisThread.beginWork`. */
function endOf(kind: ClientWork["kind"], number: number, trouble: string | null): WorkMessage {
  if (kind === "search")
    return searchEnd(number, trouble === null ? SESSION_CLOSED : `The search failed: ${trouble}. Search again.`);
  const problem = trouble === null ? CLOSED : `The export failed: ${trouble}. Export it again.`;
  return { type: "export-piece", exportNumber: number, text: "", progress: 1, done: true, problem };
}

function searchEnd(searchNumber: number, problem: Problem): WorkMessage {
  return { type: "search-hits", searchNumber, hits: [], progress: 1, done: true, cut: false, problem };
}

const SESSION_CLOSED = "This session was closed before it was searched. Search again.";

/** The most characters of a label in a file's name. */
const MOST_NAME = 60;

/**
 * The name of an export's file without its extension, from the table, the session's label and the session's start:
 * "weir-before-the-cache-2026-03-01-140211", "weir-latency-2026-03-01-140211", "weir-report-2026-03-01-140211".
 */
export function fileNameOf(named: SessionName | null, form: Pick<ExportForm, "table" | "format">): string {
  const table = form.format === "html" ? "report" : form.table;
  if (named === null) return `weir-${table ?? "session"}`;
  const { startedAt } = named;
  const date = new Date(startedAt);
  const two = (part: number) => String(part).padStart(2, "0");
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join("-");
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join("");
  // Keeps only letters and digits of the label, so that the name is no path, no hidden file and no reserved name.
  const label = sessionLabelOf(named)
    .slice(0, MOST_NAME)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "");
  return ["weir", table ?? "", label === "" && table === null ? "session" : label, day, time]
    .filter((part) => part !== "")
    .join("-");
}
