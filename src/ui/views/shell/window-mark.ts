import type { Status } from "../../../engine/messages/status-messages.ts";

/** The title of a browser's tab, and its icon as a data URL. The native window has its own (main-window.ts). */
export interface WindowMark {
  readonly title: string;
  readonly icon: string;
}

const BARS = `<path d="M13 40h7.2v10H13zM23.3 34.5h7.2V50h-7.2zM33.6 27h7.2v23h-7.2z" fill="#8f98a4"/><path d="M43.9 14h7.2v36h-7.2z" fill="#5b8def"/>`;
const PAUSE = `<path d="M19 15h9v34h-9zM36 15h9v34h-9z" fill="#2a1a00"/>`;
const STOP = `<path d="M18 18h28v28H18z" fill="#2a1a00"/>`;

export const RECORDING_ICON = iconOf("#17191c", BARS);
const PAUSED_ICON = iconOf("#e6a54a", PAUSE);
const STOPPED_ICON = iconOf("#e6a54a", STOP);

/** Says whether the proxy is stopped, recording is paused, or clients are slowed, the most important first. */
export function windowMarkOf({ proxy, recording, conditions }: Status): WindowMark {
  if (!proxy.running) return { title: "Weir, proxy stopped", icon: STOPPED_ICON };
  if (!recording) return { title: "Weir, paused", icon: PAUSED_ICON };
  return { title: conditions === null ? "Weir" : "Weir, slowed on purpose", icon: RECORDING_ICON };
}

function iconOf(ground: string, mark: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="${ground}"/>${mark}</svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
