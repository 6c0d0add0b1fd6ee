import type { View } from "../mounted.ts";
import { reuseIfEqual } from "../reuse-rows.ts";
import type { HubDependencies } from "./dependencies.ts";
import { type StatusPart, statusPartsOf } from "./status-panel.ts";
import { showInTraffic } from "./validate.ts";

interface StatusView {
  parts: readonly StatusPart[];
  /** The confirmed request is in the list. */
  listed: boolean;
  init(): void;
  showTraffic(): void;
  showCertificate(): void;
}

/** The right pane: proxy, certificate and the test of the active target, live. */
export function statusPane(deps: HubDependencies): View<StatusView> {
  return {
    parts: Object.freeze([]),
    listed: false,

    init() {
      deps.model.watch((now) => {
        if (now.hub === null) return;
        this.parts = reuseIfEqual(this.parts, statusPartsOf(now, now.hub, deps.now()));
        this.listed = (now.state?.exchange ?? null) !== null;
      });
    },

    showTraffic() {
      void showInTraffic(deps);
    },

    showCertificate() {
      deps.showCertificate();
    },
  };
}
