import type { TimeRange } from "../../engine/messages/timeline-messages.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../engine/model/units.ts";

export type ViewName = "traffic" | "performance" | "timeline" | "sessions" | "settings";
/** Each tab except the first is also the name of the table exported from that tab. */
export type PerformanceTab = "findings" | "latency" | "slow" | "payload" | "chains" | "trends";
export type InspectorTab = "overview" | "request" | "response" | "timing" | "messages" | "tls";

/** A finding and the exchanges that show it. */
export interface SelectedFinding {
  readonly key: string;
  /** The finding's title: "N+1 requests, GET /stock". */
  readonly title: string;
  readonly exchanges: ReadonlySet<ExchangeId>;
}

/** The selection and the shown view. Views share nothing else. */
export interface Selected {
  /** Id of the session that the selection refers to; `null` before the first recording. */
  readonly session: string | null;
  readonly view: ViewName;
  /** Text of the filter box, which filters every list. */
  readonly filter: string;
  /** The exchange open in the inspector; `null`: the inspector is closed. */
  readonly exchange: ExchangeId | null;
  readonly inspectorTab: InspectorTab;
  /** The tab of Performance, kept while another view is shown. */
  readonly performanceTab: PerformanceTab;
  /** The finding whose exchanges are highlighted; `null`: none. */
  readonly finding: SelectedFinding | null;
  /** The endpoint open in Performance's panel; `null`: the panel is closed. */
  readonly endpoint: Endpoint | null;
  /** The time range of the timeline; `null`: the default range. */
  readonly between: TimeRange | null;
  /** Height of the bottom panel in px after the user resized it; `null`: the view's default. */
  readonly panelHeight: number | null;
  /** The arrangement of Traffic's columns (views/traffic/columns.ts); `null`: the default. */
  readonly trafficColumns: readonly string[] | null;
  /** The order of Traffic (views/traffic/sort.ts); `null`: the default. */
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
