import { type Endpoint, hostOf, partsOf } from "../../../engine/model/endpoint.ts";
import { isSafeMethod } from "../../format/method.ts";
import type { BarChartData, Chart, LineChartData } from "../../parts/chart.ts";
import { type ResizeOptions, resizeByKey, startResize } from "../../parts/resize.ts";
import type { ListSubscription, QueryOf, ValueSubscription } from "../../state/windows.ts";
import type { ViewDependencies } from "../dependencies.ts";
import type { View } from "../mounted.ts";
import { absenceOf } from "./absence.ts";
import { type BucketRow, COURSE_TEXTS, type EndpointFacts, endpointFactsOf } from "./endpoint-facts.ts";

/** Height of the panel at first and at least, px. Our choice. */
const HEIGHT = 220;
const LEAST = 160;
/** What the table above keeps at least: its head and two rows. */
const TABLE_LEAST = 84;

interface EndpointPanel {
  endpoint: Endpoint | null;
  method: string;
  changes: boolean;
  path: string;
  host: string;
  /** `null` until they came, and while the endpoint has no row. */
  facts: EndpointFacts | null;
  /** Why there are none, in words; "" = they are there, or on their way. */
  absence: string;
  height: number;
  init(): void;
  destroy(): void;
  close(): void;
  showInTraffic(): void;
  showBucket(bucket: BucketRow): void;
  startResize(event: PointerEvent): void;
  resizeByKey(event: KeyboardEvent): void;
}

/** One endpoint's latencies: their distribution, their course over the session, and where the mean goes. */
export function endpointPanel({ windows, selection }: ViewDependencies): View<EndpointPanel> {
  let detail: ValueSubscription<"endpoint"> | null = null;
  let trend: ListSubscription<"trends"> | null = null;
  let bars: Chart<BarChartData> | null = null;
  let lines: Chart<LineChartData> | null = null;
  let unwatch = (): void => {};
  let destroyed = false;
  let resize: ResizeOptions;

  return {
    endpoint: null,
    method: "",
    changes: false,
    path: "",
    host: "",
    facts: null,
    absence: "",
    height: HEIGHT,

    init() {
      const draw = (): void => {
        const { value, problem } = detail ?? {};
        this.absence = absenceOf(value, problem);
        this.facts = value == null ? null : endpointFactsOf(value, trend?.rows()[0] ?? null);
        if (this.facts === null) return;
        bars?.show(this.facts.bars);
        lines?.show(this.facts.lines);
      };
      const follow = (endpoint: Endpoint | null): void => {
        if (endpoint === null || endpoint === this.endpoint) return;
        const { method, origin, path } = partsOf(endpoint);
        const changes = !isSafeMethod(method);
        Object.assign(this, { endpoint, method, changes, path, host: hostOf(origin), facts: null, absence: "" });
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
        lines = lineChart(lineBox, COURSE_TEXTS);
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

    showBucket({ filter }) {
      if (this.endpoint === null) return;
      selection.set({ view: "traffic", filter: `${filter} ${filterOf(this.endpoint)}`, exchange: null });
    },

    startResize(event) {
      startResize(event, resize);
    },

    resizeByKey(event) {
      resizeByKey(event, resize);
    },
  };
}

/** Its p95 against the baseline: one row, or none. */
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

/** The word of the filter language that finds an endpoint's requests. */
function filterOf(endpoint: Endpoint): string {
  return `endpoint:"${endpoint}"`;
}

/** How much of the table above the panel may still take. */
function roomIn(table: HTMLElement | undefined): number {
  return Math.max(0, (table?.clientHeight ?? 0) - TABLE_LEAST);
}
