import type { Bucket } from "../../../engine/messages/latency-messages.ts";
import { type Endpoint, hostOf, partsOf } from "../../../engine/model/endpoint.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";
import type { BarChartData, Chart, LineChartData } from "../../parts/chart.ts";
import { startDrag } from "../../parts/drag.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/subscription-store.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { type FindingLink, findingLinksOf, openFinding } from "../finding-links.ts";
import type { View } from "../mounted.ts";
import { reuseRows } from "../reuse-rows.ts";
import { absenceOf } from "./absence.ts";
import { type EndpointFacts, endpointFactsOf, LINE_TEXTS } from "./endpoint-facts.ts";
import { rangeFilter, rangeName } from "./histogram.ts";

/** Initial and least height of the panel, px. Default; not from a specification. */
const HEIGHT = 220;
const LEAST = 160;
/** Least height of the table above: its header and two rows. */
const TABLE_LEAST = 84;

interface EndpointPanel {
  endpoint: Endpoint | null;
  method: string;
  changes: boolean;
  path: string;
  host: string;
  /** `null` until loaded, and while the endpoint has no row. */
  facts: EndpointFacts | null;
  /** The findings that account for some of its exchanges. */
  findings: readonly FindingLink[];
  /** Why there are none, as text; "" if they are present or pending. */
  absence: string;
  height: number;
  /** Shows latency over time as a heat map rather than as lines. */
  isHeat: boolean;
  readonly timeTitle: string;
  /** The bars that are selected, from one to another in either order; the second is the one in focus. */
  brush: { readonly from: number; readonly to: number };
  /** What is selected while it is more than one bar; "" = nothing. */
  brushText: string;
  init(): void;
  destroy(): void;
  close(): void;
  showInTraffic(): void;
  openFinding(link: FindingLink): void;
  isBrushed(index: number): boolean;
  showBar(index: number): void;
  startBrush(event: PointerEvent): void;
  brushByKey(event: KeyboardEvent): void;
  startResize(event: PointerEvent): void;
  resizeByKey(event: KeyboardEvent): void;
}

/** One endpoint's latencies: distribution, course over the session, and the phases of the mean. */
export function endpointPanel({ windows, selection }: ViewDependencies): View<EndpointPanel> {
  let detail: ValueSubscription<"endpoint"> | null = null;
  let trend: ListSubscription<"trends"> | null = null;
  let bars: Chart<BarChartData> | null = null;
  let lines: Chart<LineChartData> | null = null;
  let unwatch = (): void => {};
  let destroyed = false;
  let resize: ResizeOptions;

  type Panel = Pick<EndpointPanel, "endpoint" | "brush" | "brushText">;

  /** The selected bars as one range. */
  function selected({ from, to }: EndpointPanel["brush"]): Bucket {
    const bars = detail?.value?.histogram.slice(Math.min(from, to), Math.max(from, to) + 1) ?? [];
    const count = bars.reduce((sum, bar) => sum + bar.count, 0);
    return { lo: bars[0]?.lo ?? 0, hi: bars.at(-1)?.hi ?? null, count };
  }

  function select(panel: Panel, from: number, to: number): void {
    panel.brush = Object.freeze({ from, to });
    const range = selected(panel.brush);
    panel.brushText = from === to ? "" : `${rangeName(range)}: ${countPhrase(range.count, "request", "requests")}`;
  }

  function showSelected(panel: Panel): void {
    if (panel.endpoint === null) return;
    const filter = `${rangeFilter(selected(panel.brush))} ${filterOf(panel.endpoint)}`;
    select(panel, panel.brush.to, panel.brush.to);
    selection.set({ view: "traffic", filter, exchange: null });
  }

  return {
    endpoint: null,
    method: "",
    changes: false,
    path: "",
    host: "",
    facts: null,
    findings: Object.freeze([]),
    absence: "",
    height: HEIGHT,
    isHeat: false,
    get timeTitle() {
      if (this.facts === null) return "";
      return this.isHeat ? this.facts.heatTitle : this.facts.lineTitle;
    },
    brush: NO_BRUSH,
    brushText: "",

    init() {
      const draw = (): void => {
        const { value, problem } = detail ?? {};
        this.absence = absenceOf(value, problem);
        this.facts = value == null ? null : endpointFactsOf(value, trend?.rows()[0] ?? null);
        this.findings = reuseRows(this.findings, findingLinksOf(value?.findings ?? []));
        if (this.facts === null) return;
        bars?.show(this.facts.bars);
        lines?.show(this.facts.lines);
      };
      const follow = (endpoint: Endpoint | null): void => {
        if (endpoint === null || endpoint === this.endpoint) return;
        const { method, origin, path } = partsOf(endpoint);
        const changes = !isSafeMethod(method);
        Object.assign(this, {
          endpoint,
          method,
          changes,
          path,
          host: hostOf(origin),
          facts: null,
          absence: "",
          brush: NO_BRUSH,
          brushText: "",
        });
        detail?.close();
        trend?.close();
        detail = windows.value({ view: "endpoint", endpoint }, draw);
        trend = windows.list(trendOf(endpoint), draw);
      };
      follow(selection.now.endpoint);
      unwatch = selection.watch(({ endpoint }) => follow(endpoint));
      resize = {
        edge: "top",
        size: () => this.height,
        bounds: () => ({ least: LEAST, most: this.height + roomIn(this.$refs["list"]) }),
        resized: (height) => {
          this.height = height;
        },
      };
      void import("../../parts/chart.ts").then(({ barChart, lineChart }) => {
        const { bars: barBox, lines: lineBox } = this.$refs;
        if (destroyed || barBox === undefined || lineBox === undefined) return;
        bars = barChart(barBox);
        lines = lineChart(lineBox, LINE_TEXTS);
        draw();
      });
    },

    destroy() {
      destroyed = true;
      unwatch();
      detail?.close();
      trend?.close();
      bars?.destroy();
      lines?.destroy();
    },

    close() {
      selection.set({ endpoint: null });
      this.$refs["list"]?.focus();
    },

    showInTraffic() {
      if (this.endpoint !== null) selection.set({ view: "traffic", filter: filterOf(this.endpoint), exchange: null });
    },

    openFinding(link) {
      openFinding(selection, link);
    },

    isBrushed(index) {
      const { from, to } = this.brush;
      return from !== to && index >= Math.min(from, to) && index <= Math.max(from, to);
    },

    /** For assistive technology; a pointer is followed by `startBrush`. */
    showBar(index) {
      select(this, index, index);
      showSelected(this);
    },

    startBrush(event) {
      const count = this.facts?.buckets.length ?? 0;
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const at = (x: number): number => Math.min(count - 1, Math.max(0, Math.floor((x / width) * count)));
      const from = at(event.clientX - left);
      if (count === 0 || event.button !== 0) return;
      event.preventDefault();
      select(this, from, from);
      startDrag(
        event,
        (x) => select(this, from, at(x)),
        () => showSelected(this),
      );
    },

    /** Arrows choose a bar, with Shift a stretch; Enter or Space shows its requests. */
    brushByKey(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step !== undefined) {
        const last = (this.facts?.buckets.length ?? 0) - 1;
        const to = Math.min(last, Math.max(0, this.brush.to + step));
        select(this, event.shiftKey ? this.brush.from : to, to);
        (event.currentTarget as HTMLElement).querySelectorAll("button")[to]?.focus();
      } else if (event.key === "Enter" || event.key === " ") showSelected(this);
      else return;
      event.preventDefault();
    },

    startResize(event) {
      startResize(event, resize);
    },

    resizeByKey(event) {
      resizeByKey(event, resize);
    },
  };
}

const NO_BRUSH = Object.freeze({ from: 0, to: 0 });

/** The query for the trend of its p95: one row, or none. */
function trendOf(endpoint: Endpoint): QueryOf<"trends"> & { readonly view: "trends" } {
  return {
    view: "trends",
    filter: filterOf(endpoint),
    metric: "latency",
    direction: "all",
    sort: { column: "endpoint", descending: false },
    range: { from: 0, count: 1 },
  };
}

/** The filter term that matches an endpoint's requests. */
function filterOf(endpoint: Endpoint): string {
  return `endpoint:"${endpoint}"`;
}

/** The height that the panel may take from the table above. */
function roomIn(table: HTMLElement | undefined): number {
  return Math.max(0, (table?.clientHeight ?? 0) - TABLE_LEAST);
}
