import type { Sort } from "../../engine/messages/list-messages.ts";
import type { TimeRange } from "../../engine/messages/timeline-messages.ts";
import type { PickedStretch, TrafficColumn } from "../../engine/messages/traffic-messages.ts";
import type { Endpoint } from "../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../engine/model/units.ts";

export const VIEW_NAMES = ["traffic", "performance", "timeline", "sessions", "settings"] as const;
export type ViewName = (typeof VIEW_NAMES)[number];
/** Each tab except the first is also the name of the table exported from that tab. */
export const PERFORMANCE_TABS = ["findings", "latency", "slow", "payload", "chains", "trends"] as const;
export type PerformanceTab = (typeof PERFORMANCE_TABS)[number];
export const INSPECTOR_TABS = ["overview", "request", "response", "timing", "messages", "tls"] as const;
export type InspectorTab = (typeof INSPECTOR_TABS)[number];

/** `Selected.opened` while Sessions compares: "compare" for the latest two sessions, "compare:ID,ID" for these two. */
export const COMPARE = "compare";

/** A finding and the exchanges that show it. */
export interface SelectedFinding {
  readonly key: string;
  /** The finding's title: "N+1 requests, GET /stock". */
  readonly title: string;
  readonly exchanges: ReadonlySet<ExchangeId>;
}

/** Selected rows of a traffic list, and the list's query. */
export interface PickedRows {
  readonly filter: string;
  readonly sort: Sort<TrafficColumn>;
  readonly stretches: readonly PickedStretch[];
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
  /** The active row of Traffic, with or without the inspector; `null`: none, or another view is shown. */
  readonly active: ExchangeId | null;
  readonly inspectorTab: InspectorTab;
  /** The tab of Performance, kept while another view is shown. */
  readonly performanceTab: PerformanceTab;
  /** The rows selected in Traffic, as ranges of its list; `null`: fewer than two. */
  readonly picked: PickedRows | null;
  /** The finding whose exchanges are highlighted; `null`: none. */
  readonly finding: SelectedFinding | null;
  /** The endpoint open in Performance's panel; `null`: the panel is closed. */
  readonly endpoint: Endpoint | null;
  /** The time range of the timeline; `null`: the default range. */
  readonly between: TimeRange | null;
  /** The text of the search, which bodies mark while its drawer is open; "" if it is closed. */
  readonly searched: string;
  /** Height of the bottom panel in px after the user resized it; `null`: the view's default. */
  readonly panelHeight: number | null;
  /** Whether the inspector is beside the list where the window has the width; `null`: the default, beside. */
  readonly inspectorBeside: boolean | null;
  /** Width of Timeline's column of requests in px after the user resized it; `null`: the default. */
  readonly timelineLabels: number | null;
  /** The arrangement of Traffic's columns (views/traffic/columns.ts); `null`: the default. */
  readonly trafficColumns: readonly string[] | null;
  /** The order of Traffic (views/traffic/sort.ts); `null`: the default. */
  readonly trafficSort: string | null;
  /** The order of Performance's table (views/column-headers.ts); `null`: the tab's default. */
  readonly tableSort: string | null;
  /** What the view or tab has open besides, in its own words; `null`: nothing. */
  readonly opened: string | null;
}

const AT_START: Selected = Object.freeze({
  session: null,
  view: "traffic",
  filter: "",
  exchange: null,
  active: null,
  inspectorTab: "overview",
  performanceTab: "findings",
  picked: null,
  finding: null,
  endpoint: null,
  between: null,
  searched: "",
  panelHeight: null,
  inspectorBeside: null,
  timelineLabels: null,
  trafficColumns: null,
  trafficSort: null,
  tableSort: null,
  opened: null,
});

export class Selection {
  #selected = AT_START;
  readonly #listeners = new Set<(selected: Selected) => void>();

  get now(): Selected {
    return this.#selected;
  }

  /** `tableSort` and `opened` belong to a view and tab: another one begins with `null`. */
  set(change: Partial<Selected>): void {
    const { view, performanceTab } = { ...this.#selected, ...change };
    const isOther = view !== this.#selected.view || performanceTab !== this.#selected.performanceTab;
    const own = isOther ? { tableSort: null, opened: null } : {};
    this.#selected = Object.freeze({ ...this.#selected, ...own, ...change });
    for (const listener of [...this.#listeners]) listener(this.#selected);
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: (selected: Selected) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
