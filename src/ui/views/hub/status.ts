import type { ExchangeId } from "../../../engine/model/units.ts";
import { view } from "../mounted.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import type { HubDependencies } from "./dependencies.ts";
import { type StatusPart, statusPartsOf } from "./status-panel.ts";
import { showInTraffic } from "./validate.ts";

/** The right pane: the current state of the proxy, the certificate and the active target's test. */
export function statusPane(deps: HubDependencies) {
  return view({
    parts: Object.freeze([]) as readonly StatusPart[],

    init(): void {
      deps.model.watch((now) => {
        if (now.hub === null) return;
        this.parts = reuseIfEqual(this.parts, statusPartsOf(now, now.hub, deps.now()));
      });
    },

    showTraffic(exchange: ExchangeId): void {
      void showInTraffic(deps, exchange);
    },

    showCertificate(): void {
      deps.showCertificate();
    },
  });
}
