import type { ExchangeId } from "../../../engine/model/units.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import { view } from "../view.ts";
import type { HubDependencies } from "./dependencies.ts";
import type { HubNow } from "./hub-model.ts";
import { type StatusPart, statusPartsOf } from "./status-panel.ts";
import { showInTraffic } from "./validate.ts";

/** The right pane: the current state of the proxy, the certificate and the active target's test. */
export function statusPane(deps: HubDependencies) {
  return view({
    parts: Object.freeze([]) as readonly StatusPart[],

    init(): void {
      let isConnected = true;
      let latest: HubNow | null = null;
      const show = (): void => {
        if (latest === null || latest.hub === null) return;
        this.parts = reuseIfEqual(this.parts, statusPartsOf(latest, latest.hub, deps.now(), isConnected));
      };
      deps.model.watch((now) => {
        latest = now;
        show();
      });
      deps.channel.onState(({ kind }) => {
        isConnected = kind === "open" || kind === "connecting";
        show();
      });
    },

    showTraffic(exchange: ExchangeId): void {
      void showInTraffic(deps, exchange);
    },

    showValidate(): void {
      deps.model.set({ tab: "validate" });
    },

    showCertificate(): void {
      deps.showCertificate();
    },
  });
}
