import { targetOf } from "../../../engine/hub/targets/index.ts";
import type { Status } from "../../../engine/messages/status-messages.ts";
import { hostPort, localAddress } from "../../../engine/model/host-port.ts";
import type { ChannelState } from "../../channel/channel.ts";
import { nextThemeOf } from "../../theme/colour.ts";
import { view } from "../mounted.ts";
import type { HubDependencies } from "./dependencies.ts";

/** Milliseconds for which an announcement is shown. */
const ANNOUNCED_MS = 4_000;

/** The frame of the hub's window: header, connection, announcements, keys. */
export function hubFrame(deps: HubDependencies & { readonly wishedTarget: () => string | null }) {
  let theme: Status["settings"]["theme"] = "system";
  let announced: ReturnType<typeof setTimeout> | undefined;

  return view({
    connection: "",
    /** Why a query to the engine failed, as text; "" if none failed. */
    problem: "",
    announcement: "",
    known: false,
    live: false,
    recordingText: "",
    address: "",
    themeLabel: "",

    init(): void {
      const status = deps.windows.value({ view: "status" }, () => show(status.value));
      const show = (now: Status | undefined): void => {
        if (now === undefined) return;
        const { proxy, recording, settings } = now;
        this.known = true;
        this.live = recording && proxy.running;
        this.recordingText = recordingText(recording, proxy.running);
        this.address = hostPort(localAddress(proxy.address), proxy.port);
        theme = settings.theme;
        this.themeLabel = `Theme: ${theme}`;
        if (theme === "system") delete document.documentElement.dataset["theme"];
        else document.documentElement.dataset["theme"] = theme;
      };
      deps.channel.onState((state) => {
        this.connection = connectionText(state);
      });
      deps.model.watch(({ problem }) => {
        this.problem = problem ?? "";
      });
      deps.onAnnounce((text) => {
        this.announcement = text;
        clearTimeout(announced);
        announced = setTimeout(() => {
          this.announcement = "";
        }, ANNOUNCED_MS);
      });
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
      void deps.copy(this.address, "Proxy address copied.");
    },

    nextTheme(): void {
      const next = nextThemeOf(theme);
      void deps.commands.send({ type: "set-setting", key: "theme", value: next }).then((reply) => {
        deps.announce(reply.ok ? `Theme: ${next}.` : reply.problem);
      });
    },
  });
}

function recordingText(recording: boolean, running: boolean): string {
  if (!running) return "Proxy stopped";
  return recording ? "Recording" : "Paused";
}

function connectionText(state: ChannelState): string {
  switch (state.kind) {
    case "connecting":
    case "open":
      return "";
    case "lost":
      return "Connection to Weir lost. Reconnecting. If Weir has exited, start it again; recordings are kept.";
    case "closed":
      return state.reason;
  }
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(input|textarea|select)$/i.test(target.tagName);
}
