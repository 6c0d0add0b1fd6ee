import { wordsOf } from "../../../engine/model/words.ts";
import type { UiIntent } from "./keyboard.ts";

export interface PaletteEntry {
  readonly name: string;
  /** The key for this command; empty if there is none. */
  readonly key: string;
  readonly wish: UiIntent;
}

const MOST_HOSTS = 20;

/** What this window has besides its views. */
interface Having {
  readonly hub: boolean;
  readonly link: boolean;
}

/** All commands that this window has. `hosts`: the most used first. */
export function paletteEntries({ hub, link }: Having, hosts: readonly string[]): readonly PaletteEntry[] {
  const entries: readonly PaletteEntry[] = [
    { name: "Go to Traffic", key: "1", wish: { kind: "go", view: "traffic" } },
    { name: "Go to Performance", key: "2", wish: { kind: "go", view: "performance" } },
    { name: "Go to Timeline", key: "3", wish: { kind: "go", view: "timeline" } },
    { name: "Go to Sessions", key: "4", wish: { kind: "go", view: "sessions" } },
    { name: "Go to Settings", key: "5", wish: { kind: "go", view: "settings" } },
    ...(hub ? [{ name: "Open Setup Hub", key: "Ctrl Shift D", wish: { kind: "hub" } as const }] : []),
    { name: "Filter", key: "/", wish: { kind: "filter" } },
    { name: "Search headers and bodies", key: "Ctrl Shift F", wish: { kind: "search" } },
    { name: "Pause or resume recording", key: "", wish: { kind: "recording" } },
    { name: "Start or stop the proxy", key: "", wish: { kind: "proxy" } },
    { name: "Slow clients on purpose", key: "", wish: { kind: "slow" } },
    { name: "Copy the proxy address", key: "", wish: { kind: "copy-address" } },
    { name: "Clear session", key: "Ctrl L", wish: { kind: "clear" } },
    { name: "Undo", key: "Ctrl Z", wish: { kind: "undo" } },
    { name: "New session", key: "", wish: { kind: "new-session" } },
    { name: "Export traffic", key: "", wish: { kind: "export" } },
    { name: "Save the report (HTML)", key: "", wish: { kind: "export-report" } },
    ...(link ? [{ name: "Copy link to this place", key: "", wish: { kind: "copy-link" } as const }] : []),
    { name: "Copy the report of findings", key: "", wish: { kind: "report" } },
    { name: "Change theme", key: "", wish: { kind: "theme" } },
    { name: "Keyboard shortcuts", key: "?", wish: { kind: "shortcuts" } },
  ];
  const shown = hosts.slice(0, MOST_HOSTS).map((host) => ({
    name: `Show only ${host}`,
    key: "",
    wish: { kind: "host", host } as const,
  }));
  return Object.freeze([...entries, ...shown]);
}

/** The entry that searches the settings for the typed text. */
export function settingEntry(text: string): PaletteEntry {
  return { name: `Find “${text}” in Settings`, key: "", wish: { kind: "setting", words: text } };
}

/** The entries whose names contain every word of the text. */
export function fittingEntries(entries: readonly PaletteEntry[], text: string): readonly PaletteEntry[] {
  const words = wordsOf(text);
  return entries.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
