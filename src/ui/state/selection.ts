import type { TimeRange } from "../../engine/messages/timeline-messages.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../engine/model/units.ts";

export type ViewName = "traffic" | "performance" | "timeline" | "sessions" | "settings";
/** Each is also the name of the table that is exported from it. */
export type PerformanceTab = "latency" | "slow" | "payload" | "chains" | "trends";
export type InspectorTab = "overview" | "request" | "response" | "timing" | "messages" | "tls";

/** What the person is looking at. Views share it and nothing else. */
export interface Selected {
  /** Id of the session that all of it is about; `null`: nothing of it is recorded yet. */
  readonly session: string | null;
  readonly view: ViewName;
  /** Text of the filter box; every list follows it. */
  readonly filter: string;
  /** Open in the inspector; `null` = the inspector is closed. */
  readonly exchange: ExchangeId | null;
  readonly inspectorTab: InspectorTab;
  /** Of Performance, also while another view is shown: it is come back to. */
  readonly performanceTab: PerformanceTab;
  /** Open in Performance's endpoint panel; `null` = closed. */
  readonly endpoint: Endpoint | null;
  /** The stretch of time that the timeline shows; `null` = its own choice. */
  readonly between: TimeRange | null;
  /** Height of the panel at a view's bottom, in px, once the person has moved it; `null` = the view's own choice. */
  readonly panelHeight: number | null;
  /** How the columns of Traffic were arranged (views/traffic/columns.ts); `null` = nobody has. */
  readonly trafficColumns: readonly string[] | null;
  /** Its order (views/traffic/sort.ts), likewise. */
  readonly trafficSort: string | null;
}

const AT_START: Selected = Object.freeze({
  session: null,
  view: "traffic",
  filter: "",
  exchange: null,
  inspectorTab: "overview",
  performanceTab: "latency",
  endpoint: null,
  between: null,
  panelHeight: null,
  trafficColumns: null,
  trafficSort: null,
});

/** The one selection of this window. */
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
