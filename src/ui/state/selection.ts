import type { TimeRange } from "../../engine/messages/timeline-messages.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../engine/model/units.ts";

export type ViewName = "traffic" | "performance" | "timeline" | "sessions" | "settings";
/** Each tab but the first is also the name of the table exported from it. */
export type PerformanceTab = "findings" | "latency" | "slow" | "payload" | "chains" | "trends";
export type InspectorTab = "overview" | "request" | "response" | "timing" | "messages" | "tls";

/** A finding and the exchanges that show it. */
export interface SelectedFinding {
  readonly key: string;
  /** Its title: "N+1 requests, GET /stock". */
  readonly title: string;
  readonly exchanges: ReadonlySet<ExchangeId>;
}

/** What is selected and shown. Views share this and nothing else. */
export interface Selected {
  /** Id of the session it refers to; `null` before the first recording. */
  readonly session: string | null;
  readonly view: ViewName;
  /** Text of the filter box; every list follows it. */
  readonly filter: string;
  /** Open in the inspector; `null` = the inspector is closed. */
  readonly exchange: ExchangeId | null;
  readonly inspectorTab: InspectorTab;
  /** Performance's tab, kept while another view is shown. */
  readonly performanceTab: PerformanceTab;
  /** The finding whose exchanges are highlighted; `null` = none. */
  readonly finding: SelectedFinding | null;
  /** Open in Performance's endpoint panel; `null` = closed. */
  readonly endpoint: Endpoint | null;
  /** The time range of the timeline; `null` = its default. */
  readonly between: TimeRange | null;
  /** Height of the bottom panel, px, once resized; `null` = the view's default. */
  readonly panelHeight: number | null;
  /** The arrangement of Traffic's columns (views/traffic/columns.ts); `null` = the default. */
  readonly trafficColumns: readonly string[] | null;
  /** The order of Traffic (views/traffic/sort.ts); `null` = the default. */
  readonly trafficSort: string | null;
}

const AT_START: Selected = Object.freeze({
  session: null,
  view: "traffic",
  filter: "",
  exchange: null,
  inspectorTab: "overview",
  performanceTab: "findings",
  finding: null,
  endpoint: null,
  between: null,
  panelHeight: null,
  trafficColumns: null,
  trafficSort: null,
});

/** The selection of this window. */
export class Selection {
  #selected = AT_START;
  readonly #listeners = new Set<(selected: Selected) => void>();

  get now(): Selected {
    return this.#selected;
  }

  set(change: Partial<Selected>): void {
    this.#selected = Object.freeze({ ...this.#selected, ...change });
    for (const listener of [...this.#listeners]) listener(this.#selected);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: (selected: Selected) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
