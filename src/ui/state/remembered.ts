import type { Settings } from "../../engine/model/settings.ts";
import type { Commands } from "./commands.ts";
import type { Selected, Selection } from "./selection.ts";
import type { Windows } from "./windows.ts";

/** A panel is dragged in many steps; the last is kept. Our choice. */
const SETTLED_MS = 400;

/** What a person arranges. `null` is what nobody has arranged yet. */
const REMEMBERED = ["panelHeight", "trafficColumns", "trafficSort"] as const satisfies readonly (keyof Settings &
  keyof Selected)[];

type Remembered = (typeof REMEMBERED)[number];

/** Gives things the place they had last time, and keeps the one they are given. The engine remembers: a page has another origin at each start. */
export function rememberArrangement({
  windows,
  commands,
  selection,
}: {
  readonly windows: Windows;
  readonly commands: Commands;
  readonly selection: Selection;
}): void {
  const kept: Partial<Record<Remembered, unknown>> = {};
  const settling = new Map<Remembered, ReturnType<typeof setTimeout>>();
  const status = windows.value({ view: "status" }, () => {
    const settings = status.value?.settings;
    // Nobody answers yet: once somebody does, this is told.
    if (settings === undefined) return;
    status.close();
    for (const key of REMEMBERED) if (selection.now[key] === null) kept[key] = settings[key];
    selection.set(Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== null)));
  });
  const keep = (key: Remembered): void => {
    const value = selection.now[key];
    if (value === (kept[key] ?? null) || value === null) return;
    kept[key] = value;
    clearTimeout(settling.get(key));
    const send = (): void => void commands.send({ type: "set-setting", key, value });
    settling.set(key, setTimeout(send, SETTLED_MS));
  };
  selection.watch(() => {
    for (const key of REMEMBERED) keep(key);
  });
}
