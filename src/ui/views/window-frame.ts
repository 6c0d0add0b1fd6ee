import type { Status } from "../../engine/messages/status-messages.ts";
import { hostPort, localAddress } from "../../engine/model/host-port.ts";
import type { Settings } from "../../engine/model/settings.ts";
import type { ChannelState } from "../channel/channel.ts";

/* What the frames of the main window and of the hub have in common. */

/** Milliseconds for which an announcement is shown. */
const ANNOUNCED_MS = 4_000;

/** Returns a function that shows a text, and "" after `ANNOUNCED_MS` without another one. */
export function announcer(): (text: string, show: (text: string) => void) => void {
  let clearing: ReturnType<typeof setTimeout> | undefined;
  return (text, show) => {
    show(text);
    clearTimeout(clearing);
    clearing = setTimeout(() => show(""), ANNOUNCED_MS);
  };
}

export function showTheme(theme: Settings["theme"]): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function toolbarOf(status: Status) {
  const { proxy, recording } = status;
  return Object.freeze({
    recording: recording && proxy.running,
    recordingText: recordingText(recording, proxy.running),
    recordingLabel: recording ? "Pause recording" : "Resume recording",
    running: proxy.running,
    proxyLabel: proxy.running ? "Stop proxy" : "Start proxy",
    address: hostPort(localAddress(proxy.address), proxy.port),
    themeLabel: `Theme: ${status.settings.theme}`,
  });
}

function recordingText(recording: boolean, running: boolean): string {
  if (!running) return "Proxy stopped";
  return recording ? "Recording" : "Paused";
}

/** Why Weir cannot be reached, as text; "" if it can be, or at the first attempt. */
export function connectionText(state: ChannelState): string {
  switch (state.kind) {
    case "connecting":
    case "open":
      return "";
    case "lost":
      if (state.reason !== undefined) return state.reason;
      return "Connection to Weir lost. Reconnecting. If Weir has exited, start it again; recordings are kept.";
    case "closed":
      return state.reason;
  }
}

/** Whether a key that is pressed there is text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement && /^(?:checkbox|radio|button|file)$/.test(target.type)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}
