import { targetOf } from "../../../engine/hub/targets/index.ts";
import type { Status } from "../../../engine/messages/status-messages.ts";
import { nextThemeOf } from "../../theme/colour.ts";
import { view } from "../view.ts";
import { announcer, connectionText, isTyping, showTheme, toolbarOf } from "../window-frame.ts";
import type { HubDependencies } from "./dependencies.ts";

/** The frame of the hub's window: header, connection, announcements, keys. */
export function hubFrame(deps: HubDependencies & { readonly wishedTarget: () => string | null }) {
  let theme: Status["settings"]["theme"] = "system";
  const announcements = announcer();

  return view({
    connection: "",
    /** Why a query to the engine failed, as text; "" if none failed. */
    problem: "",
    announcement: "",
    toolbar: null as ReturnType<typeof toolbarOf> | null,

    init(): void {
      const status = deps.windows.value({ view: "status" }, () => {
        if (status.value === undefined) return;
        this.toolbar = toolbarOf(status.value);
        theme = status.value.settings.theme;
        showTheme(theme);
      });
      deps.channel.onState((state) => {
        this.connection = connectionText(state);
      });
      deps.model.watch(({ problem }) => {
        this.problem = problem ?? "";
      });
      deps.onAnnounce((text) =>
        announcements(text, (shown) => {
          this.announcement = shown;
        }),
      );
      // The main window selects a target in an open hub by changing the hub's URL.
      window.addEventListener("hashchange", () => {
        const target = targetOf(deps.wishedTarget() ?? "");
        if (target !== null) deps.model.show(target);
      });
    },

    onKey(event: KeyboardEvent): void {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      document.getElementById("hub-filter")?.focus();
    },

    copyAddress(): void {
      if (this.toolbar !== null) void deps.copy(this.toolbar.address, "Proxy address copied.");
    },

    nextTheme(): void {
      const next = nextThemeOf(theme);
      void deps.commands.send({ type: "set-setting", key: "theme", value: next }).then((reply) => {
        deps.announce(reply.ok ? `Theme: ${next}.` : reply.problem);
      });
    },
  });
}
