import { FoundFindings } from "../../../src/engine/session/evaluation/found-findings.ts";
import { type FilterInsights, NO_RANKED } from "../../../src/engine/session/evaluation/insights.ts";
import { hiddenHostsOf } from "../../../src/engine/session/filter/filter.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import type {
  BodyMatches,
  FromAnalysis,
  NumberedQuestion,
  ToAnalysis,
  Work,
  WorkMessage,
  WorkOrder,
} from "./analysis-messages.ts";
import { BodySearches, bodiesFor } from "./body-search.ts";
import { Exports } from "./exports.ts";
import { Searches } from "./search.ts";
import type { SessionAnalysis } from "./session-analysis.ts";

/** Does the exports and searches of UI clients, and the searches of filters, in the analysis thread. */
export class ClientWork {
  readonly #analysis: Pick<SessionAnalysis, "follow">;
  readonly #tell: (message: FromAnalysis) => void;
  readonly #exports = new Exports();
  readonly #searches = new Searches();
  readonly #bodies = new BodySearches();

  constructor(analysis: Pick<SessionAnalysis, "follow">, tell: (message: FromAnalysis) => void) {
    this.#analysis = analysis;
    this.#tell = tell;
  }

  takeMessage(message: Exclude<ToAnalysis, NumberedQuestion>): void {
    if ("acknowledged" in message) this.#exports.acknowledge(message.acknowledged);
    else if ("cancelled" in message) {
      this.#exports.cancel(message.cancelled);
      this.#searches.cancel(message.cancelled);
      this.#bodies.cancel(message.cancelled);
    } else void this.#begin(message);
  }

  async #begin({ number, work, rowCap, grouping }: WorkOrder): Promise<void> {
    const send = (message: WorkMessage | BodyMatches) => this.#tell({ work: number, message });
    let refusal: string | null = null;
    try {
      const { session, reader } = this.#analysis.follow(rowCap, grouping);
      if (work.kind === "search") this.#searches.start(number, { session, reader }, work.text, send);
      else if (work.kind === "bodies")
        void this.#bodies.start(number, { session, reader }, work.text, work.known, send);
      else {
        const { form, filter, redact, picked, settings, version, named = null } = work;
        const hiddenHosts = hiddenHostsOf(settings);
        const source = {
          session,
          reader,
          settings,
          hiddenHosts,
          version,
          named,
          baseline: new Baseline(work.baseline),
        };
        await this.#exports.start(
          number,
          { ...source, insights: { ...findingsIn(work), bodies: await bodiesFor({ session, reader }, filter) } },
          form,
          filter,
          redact,
          send,
          picked ?? null,
        );
      }
    } catch (error) {
      refusal = error instanceof Error ? error.message : String(error);
    }
    this.#tell({ work: number, refusal });
  }
}

function findingsIn({
  ranked,
}: Extract<Work, { readonly kind: "export" }>): Pick<FilterInsights, "version" | "ranked"> {
  if (ranked === null) return { version: 0, ranked: () => NO_RANKED };
  const { records, leftOut } = ranked;
  const found = { progress: 1, leftOut, found: new FoundFindings(records, leftOut) };
  return { version: 0, ranked: () => found };
}
