import { withoutText } from "../../../engine/insights/what-if/gain-text.ts";
import type { Bucket } from "../../../engine/messages/latency-messages.ts";
import { type Endpoint, hostOf, partsOf } from "../../../engine/model/endpoint.ts";
import type { GainsFound } from "../../../engine/model/load-gain.ts";
import { countPhrase } from "../../format/count.ts";
import { isSafeMethod } from "../../format/method.ts";
import { startDrag, trackPointer } from "../../parts/drag.ts";
import type { LineChart } from "../../parts/line-chart.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/subscription-store.ts";
import { endpointSubject, positionBelow } from "../context-menu.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { type ExperimentButton, experimentButtonOf, experimentVerdictOf } from "../experiment-wish.ts";
import { type FindingLink, findingLinksOf, openFinding } from "../finding-links.ts";
import { PANEL_HEIGHT } from "../panel-height.ts";
import { reuseIfEqual, reuseRows } from "../reuse-rows.ts";
import { view } from "../view.ts";
import { absenceOf, type EndpointFacts, endpointFactsOf, LINE_TEXTS } from "./endpoint-facts.ts";
import { cellsBetween, type HeatMap, heatDragStyle, heatMapOf, NO_DRAG } from "./heat-map.ts";
import { rangeFilter, rangeName } from "./histogram.ts";

const NO_MODEL = Object.freeze({ model: "", charts: Object.freeze([]) });

/** The latencies of an endpoint: their distribution, their course over the session, and the phases of their mean. */
export function endpointPanel({ windows, selection, openExperiment, openMenu, openDifference }: ViewDependencies) {
  let detail: ValueSubscription<"endpoint"> | null = null;
  let trend: ListSubscription<"trends"> | null = null;
  let gains: ValueSubscription<"what-if"> | null = null;
  let status: ValueSubscription<"status">;
  let lines: LineChart | null = null;
  let unwatch = (): void => {};
  let destroyed = false;

  const histogram = (): readonly Bucket[] => detail?.value?.histogram ?? [];

  return view({
    endpoint: null as Endpoint | null,
    method: "",
    changes: false,
    path: "",
    host: "",
    /** `null` until loaded, or if the endpoint has fewer than 5 requests. */
    facts: null as EndpointFacts | null,
    /** The findings that include exchanges of the endpoint. */
    findings: Object.freeze([]) as readonly FindingLink[],
    /** In how many page loads and walks the endpoint is on the path, and what they would save without it. */
    onPath: Object.freeze([]) as readonly string[],
    experimentButton: null as ExperimentButton | null,
    /** What the latest experiment on the endpoint found; "" if there was none. */
    verdict: "",
    /** Why there are no facts, as text; "" if they are present or awaited. */
    absence: "",
    ...PANEL_HEIGHT,
    /** The language model whose distributions are shown; "" for the first one. */
    model: "",
    get shownModel(): Pick<EndpointFacts["models"][number], "model" | "charts"> {
      const models = this.facts?.models ?? [];
      return models.find(({ model }) => model === this.model) ?? models[0] ?? NO_MODEL;
    },
    /** Whether latency over time is shown as a heat map instead of lines. */
    isHeat: false,
    get timeTitle(): string {
      if (this.facts === null) return "";
      return this.isHeat ? this.facts.heatTitle : this.facts.lineTitle;
    },
    get heat(): HeatMap | null {
      const value = detail?.value;
      return this.isHeat && this.facts !== null && value != null ? heatMapOf(value) : null;
    },
    /** Where the pointer is dragged over the heat map, for :style. */
    heatDrag: NO_DRAG,
    brush: NO_BRUSH,
    get brushText(): string {
      return brushText(this.brush);
    },

    init(): void {
      const draw = (): void => {
        const { value, problem } = detail ?? {};
        this.absence = absenceOf(value, problem);
        this.facts = value == null ? null : endpointFactsOf(value, trend?.rows()[0] ?? null);
        this.findings = reuseRows(this.findings, findingLinksOf(value?.findings ?? []));
        this.onPath = reuseIfEqual(this.onPath, pathTextsOf(gains?.value ?? null));
        if (this.facts === null) return;
        lines?.show(this.facts.lines);
      };
      const follow = (endpoint: Endpoint | null): void => {
        if (endpoint === null || endpoint === this.endpoint) return;
        const parts = partsOf(endpoint);
        const { method, origin, path } = parts;
        const changes = !isSafeMethod(method);
        Object.assign(this, {
          endpoint,
          method,
          changes,
          path,
          host: hostOf(origin),
          experimentButton: experimentButtonOf(parts, null),
          facts: null,
          absence: "",
          model: "",
          brush: NO_BRUSH,
        });
        detail?.close();
        trend?.close();
        detail = windows.value({ view: "endpoint", endpoint }, draw);
        trend = windows.list(trendOf(endpoint), draw);
        gains?.close();
        gains = windows.value({ view: "what-if", exchanges: [], endpoint, to: 0 }, draw);
      };
      const tell = (): void => {
        this.verdict = experimentVerdictOf(this.endpoint, status.value?.experiment ?? null);
      };
      status = windows.value({ view: "status" }, tell);
      follow(selection.now.endpoint);
      tell();
      unwatch = selection.watch(({ endpoint }) => {
        follow(endpoint);
        tell();
      });
      void import("../../parts/line-chart.ts").then(({ lineChart }) => {
        const { lines: box } = this.$refs;
        if (destroyed || box === undefined) return;
        lines = lineChart(box, LINE_TEXTS);
        draw();
      });
    },

    destroy(): void {
      destroyed = true;
      unwatch();
      detail?.close();
      trend?.close();
      gains?.close();
      status.close();
      lines?.destroy();
    },

    close(): void {
      selection.set({ endpoint: null });
      this.$refs["list"]?.focus();
    },

    showInTraffic(): void {
      if (this.endpoint !== null) selection.set({ view: "traffic", filter: filterOf(this.endpoint), exchange: null });
    },

    openMenu(button: HTMLElement): void {
      if (this.endpoint !== null) openMenu({ ...endpointSubject(this.endpoint), ...positionBelow(button) });
    },

    experiment(): void {
      const wish = this.experimentButton?.wish ?? null;
      if (wish !== null) openExperiment(wish);
    },

    openFinding(link: FindingLink): void {
      openFinding(selection, link);
    },

    isBrushed(index: number): boolean {
      return isBrushed(this.brush, index);
    },

    showBrushed(): void {
      const { to } = this.brush;
      const range = this.brush.range ?? brushOver(histogram(), to, to).range;
      this.brush = brushOver(histogram(), to, to);
      if (this.endpoint === null || range === null) return;
      selection.set({ view: "traffic", filter: `${rangeFilter(range)} ${filterOf(this.endpoint)}`, exchange: null });
    },

    /** Shows the requests of a bar that assistive technology pressed; a pointer uses `startBrush`. */
    showBar(index: number): void {
      this.brush = brushOver(histogram(), index, index);
      this.showBrushed();
    },

    startBrush(event: PointerEvent): void {
      const { left, width } = (event.currentTarget as HTMLElement).getBoundingClientRect();
      const bars = histogram().length;
      if (bars === 0 || event.button !== 0) return;
      event.preventDefault();
      const from = barAt(event.clientX - left, width, bars);
      const over = (x: number): void => {
        this.brush = brushOver(histogram(), from, barAt(x, width, bars));
      };
      over(event.clientX - left);
      // A range stays chosen, because there are two things to do with it.
      startDrag(event, over, () => {
        if (this.brush.from === this.brush.to) this.showBrushed();
      });
    },

    /** Asks what is different about the requests of the chosen bars. */
    compareBrushed(): void {
      const { range } = this.brush;
      if (this.endpoint === null || range === null) return;
      const filter = `${rangeFilter(range)} ${filterOf(this.endpoint)}`;
      openDifference({ set: { by: "matches", filter, between: null }, name: this.brushText });
    },

    /** Asks what is different about the requests of the cells over which the pointer is dragged. */
    startHeatDrag(event: PointerEvent): void {
      const { left, top, width, height } = (event.currentTarget as SVGElement).getBoundingClientRect();
      const value = detail?.value;
      if (value == null || this.endpoint === null || event.button !== 0) return;
      event.preventDefault();
      const { endpoint } = this;
      const from = { x: (event.clientX - left) / width, y: (event.clientY - top) / height };
      let to = from;
      const onMove = (move: PointerEvent): void => {
        to = { x: (move.clientX - left) / width, y: (move.clientY - top) / height };
        this.heatDrag = heatDragStyle(from, to);
      };
      const onEnd = (): void => {
        this.heatDrag = NO_DRAG;
        const cells = cellsBetween(value, from, to);
        if (cells === null) return;
        const filter = `${rangeFilter(cells.range)} ${filterOf(endpoint)}`;
        const set = { by: "matches", filter, between: cells.between } as const;
        openDifference({ set, name: cells.name });
      };
      trackPointer(event, onMove, onEnd);
    },

    /** Arrow keys choose a bar, with Shift a range; Enter or Space shows the requests in it. */
    brushByKey(event: KeyboardEvent): void {
      const next = brushAfter(event, this.brush, histogram());
      if (next !== null) {
        this.brush = next;
        (event.currentTarget as HTMLElement).querySelectorAll("button")[next.to]?.focus();
      } else if (event.key === "Enter" || event.key === " ") this.showBrushed();
      else return;
      event.preventDefault();
    },
  });
}

function pathTextsOf(found: GainsFound | null): readonly string[] {
  return Object.freeze([found?.loads, found?.walks].flatMap((gain) => (gain == null ? [] : `${withoutText(gain)}.`)));
}

/** The query for the trend of the endpoint's p95: one row or none. */
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

/** The filter term that the endpoint's requests match. */
function filterOf(endpoint: Endpoint): string {
  return `endpoint:"${endpoint}"`;
}

/** Selected bars of the histogram. */
export interface Brush {
  /** Indices of the two outermost bars, in either order; the bar `to` has the focus. */
  readonly from: number;
  readonly to: number;
  /**
   * The latency range of the selected bars; `null`: no bar is selected. The range is kept, because traffic may change
   * the bars later.
   */
  readonly range: Bucket | null;
}

export const NO_BRUSH: Brush = Object.freeze({ from: 0, to: 0, range: null });

export function brushOver(histogram: readonly Bucket[], from: number, to: number): Brush {
  const bars = histogram.slice(Math.min(from, to), Math.max(from, to) + 1);
  const [first, last] = [bars[0], bars.at(-1)];
  const count = bars.reduce((sum, bar) => sum + bar.count, 0);
  const range = first === undefined || last === undefined ? null : { lo: first.lo, hi: last.hi, count };
  return Object.freeze({ from, to, range });
}

/** The brush after an arrow key; with Shift, the key extends or shrinks the brush. `null` for other keys. */
export function brushAfter(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  { from, to }: Brush,
  histogram: readonly Bucket[],
): Brush | null {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (step === undefined) return null;
  const next = Math.min(histogram.length - 1, Math.max(0, to + step));
  return brushOver(histogram, shiftKey ? from : next, next);
}

/** The bar at `x` px from the chart's left edge. */
export function barAt(x: number, width: number, bars: number): number {
  return Math.min(bars - 1, Math.max(0, Math.floor((x / width) * bars)));
}

/** Whether the bar is one of several selected bars. */
export function isBrushed({ from, to }: Brush, bar: number): boolean {
  return from !== to && bar >= Math.min(from, to) && bar <= Math.max(from, to);
}

/** "260 to 270 ms: 40 requests"; "" for fewer than two bars. */
export function brushText({ from, to, range }: Brush): string {
  if (from === to || range === null) return "";
  return `${rangeName(range)}: ${countPhrase(range.count, "request", "requests")}`;
}
