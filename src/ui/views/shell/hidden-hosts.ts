import type { Summary } from "../../../engine/messages/status-messages.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import { countText } from "../../format/count.ts";
import type { ViewDependencies } from "../dependencies.ts";
import { view } from "../view.ts";

/** What the status bar says about hidden hosts, and the name of its button; both "" if they have no exchange. */
export interface HiddenHosts {
  readonly text: string;
  readonly action: "Show" | "Hide" | "";
  readonly title: string;
}

export function hiddenHostsTextOf(
  { hiddenHosts, showHiddenHosts }: Pick<Settings, "hiddenHosts" | "showHiddenHosts">,
  { ofHiddenHosts }: Pick<Summary, "ofHiddenHosts">,
): HiddenHosts {
  if (ofHiddenHosts === 0) return Object.freeze({ text: "", action: "", title: "" });
  const text = `${countText(ofHiddenHosts)} ${showHiddenHosts ? "of hidden hosts" : "hidden"}`;
  const title = `Hidden hosts: ${hiddenHosts.join(", ")}. Change them in Settings, Appearance.`;
  return Object.freeze({ text, action: showHiddenHosts ? "Hide" : "Show", title });
}

/** The number of hidden exchanges in the status bar, with a button that lists them all the same. */
export function hiddenHosts({ windows, commands, announce }: ViewDependencies) {
  let shown = false;
  return view({
    ...hiddenHostsTextOf({ hiddenHosts: [], showHiddenHosts: false }, { ofHiddenHosts: 0 }),

    init(): void {
      const draw = (): void => {
        if (status.value === undefined || summary.value === undefined) return;
        shown = status.value.settings.showHiddenHosts;
        Object.assign(this, hiddenHostsTextOf(status.value.settings, summary.value));
      };
      const status = windows.value({ view: "status" }, () => draw());
      const summary = windows.value({ view: "summary" }, () => draw());
    },

    async toggle(): Promise<void> {
      const reply = await commands.send({ type: "set-setting", key: "showHiddenHosts", value: !shown });
      if (!reply.ok) announce(reply.problem);
    },
  });
}
