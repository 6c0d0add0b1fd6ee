import type { CompressionEstimate, PayloadColumn } from "../../../../engine/messages/payload-messages.ts";
import { type Endpoint, partsOf } from "../../../../engine/model/endpoint.ts";
import type { ExchangeId } from "../../../../engine/model/units.ts";
import { type EndpointTexts, endpointTextsOf } from "../../../format/endpoint.ts";
import type { LineChart } from "../../../parts/line-chart.ts";
import type { ValueSubscription } from "../../../state/subscription-store.ts";
import type { ViewDependencies } from "../../dependencies.ts";
import { isUnanswered } from "../../list-now.ts";
import { PANEL_HEIGHT } from "../../panel-height.ts";
import { view } from "../../view.ts";
import { absenceOf } from "../endpoint-facts.ts";
import { endpointTable } from "../endpoint-table.ts";
import {
  estimateText,
  oversizedText,
  type PayloadFacts,
  type PayloadRow,
  payloadFactsOf,
  payloadHeadersOf,
  payloadRowOf,
  type SizeUnit,
  sizeTexts,
} from "./payload-rows.ts";

/** The table of body sizes by endpoint. */
export function payloadTable(deps: ViewDependencies) {
  const table = endpointTable<"payload", PayloadColumn, PayloadRow>(deps, {
    name: "payload",
    queryOf: (scope) => ({ view: "payload", ...scope }),
    sort: { column: "avgResponseSize", descending: true },
    headersOf: payloadHeadersOf,
    rowOf: payloadRowOf,
    keyOf: (endpoint) => endpoint,
    endpointOf: (key) => key as Endpoint,
  });
  let status: ValueSubscription<"status">;

  return view({
    ...table.members,
    empty: "" as "" | "nothing" | "filtered" | "unanswered",
    /** The definition of oversized, as text. */
    footer: "",

    init(): void {
      table.attach(this, (records) => {
        const { state, problem, answered } = records;
        const none = answered && state.matched === 0;
        this.empty = isUnanswered(records) ? "unanswered" : "";
        if (none) this.empty = state.total === 0 && problem === null ? "nothing" : "filtered";
      });
      status = deps.windows.value({ view: "status" }, () => {
        if (status.value !== undefined) this.footer = oversizedText(status.value.settings);
      });
    },

    destroy(): void {
      table.close();
      status.close();
    },

    showOversized({ oversizedFilter }: PayloadRow): void {
      deps.selection.set({ view: "traffic", filter: oversizedFilter, exchange: null });
    },
  });
}

/** Body sizes of an endpoint over the session, and what compression saves or could save. */
export function payloadPanel({ windows, selection, commands }: ViewDependencies) {
  let endpoint: Endpoint | null = null;
  let detail: ValueSubscription<"payload-endpoint"> | null = null;
  let lines: LineChart | null = null;
  let unwatch = (): void => {};
  let destroyed = false;
  let unit: SizeUnit = { name: "B", bytes: 1 };

  return view({
    ...PANEL_HEIGHT,
    subject: null as EndpointTexts | null,
    facts: null as PayloadFacts | null,
    /** Why there are no facts, as text; "" if they are present or awaited. */
    absence: "",
    /** The estimate for other content codings; "" until the user asks for it. */
    estimate: "",
    estimating: false,

    init(): void {
      const draw = (): void => {
        const { value, problem } = detail ?? {};
        this.absence = absenceOf(value, problem);
        this.facts = value == null ? null : payloadFactsOf(value);
        if (this.facts === null) return;
        unit = this.facts.unit;
        lines?.show(this.facts.lines);
      };
      const follow = (next: Endpoint | null): void => {
        if (next === null || next === endpoint) return;
        endpoint = next;
        Object.assign(this, { subject: endpointTextsOf(partsOf(next)), facts: null, absence: "", estimate: "" });
        detail?.close();
        detail = windows.value({ view: "payload-endpoint", endpoint: next }, draw);
      };
      follow(selection.now.endpoint);
      unwatch = selection.watch((selected) => follow(selected.endpoint));
      void import("../../../parts/line-chart.ts").then(({ lineChart }) => {
        const box = this.$refs["lines"];
        if (destroyed || box === undefined) return;
        lines = lineChart(
          box,
          sizeTexts(() => unit),
        );
        draw();
      });
    },

    destroy(): void {
      destroyed = true;
      unwatch();
      detail?.close();
      lines?.destroy();
    },

    close(): void {
      selection.set({ endpoint: null });
      this.$refs["list"]?.focus();
    },

    async ask(): Promise<void> {
      const exchange: ExchangeId | null = this.facts?.shrinkable ?? null;
      if (exchange === null || this.estimating) return;
      this.estimating = true;
      const requested = endpoint;
      const reply = await commands.send({ type: "estimate-compression", exchange });
      this.estimating = false;
      if (requested === endpoint)
        this.estimate = reply.ok ? estimateText(reply.value as CompressionEstimate) : reply.problem;
    },

    showInTraffic(): void {
      if (endpoint !== null) selection.set({ view: "traffic", filter: `endpoint:"${endpoint}"`, exchange: null });
    },

    showOversized(): void {
      if (endpoint === null) return;
      selection.set({ view: "traffic", filter: `oversized: endpoint:"${endpoint}"`, exchange: null });
    },
  });
}
