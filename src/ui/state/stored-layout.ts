import type { Settings } from "../../engine/model/settings.ts";
import type { Commands } from "./commands.ts";
import type { Selected, Selection } from "./selection.ts";
import type { SubscriptionStore } from "./subscription-store.ts";

/** Milliseconds without a change before a field is stored, because a drag changes a panel's size in many steps. */
const SETTLED_MS = 400;

/** The fields of the selection that are the layout, which the engine stores. A field is `null` until the user has set it. */
const LAYOUT = [
  "panelHeight",
  "inspectorBeside",
  "timelineLabels",
  "trafficColumns",
  "trafficSort",
] as const satisfies readonly (keyof Settings & keyof Selected)[];

type LayoutField = (typeof LAYOUT)[number];

/**
 * Restores the fields of `LAYOUT` from the last start, and stores changes. The engine stores them, because browser
 * storage belongs to one browser and one port.
 */
export function storeLayout({
  windows,
  commands,
  selection,
}: {
  readonly windows: SubscriptionStore;
  readonly commands: Commands;
  readonly selection: Selection;
}): void {
  const kept: Partial<Record<LayoutField, unknown>> = {};
  const settling = new Map<LayoutField, ReturnType<typeof setTimeout>>();
  const status = windows.value({ view: "status" }, () => {
    const settings = status.value?.settings;
    // The answer is awaited; its arrival calls this function again.
    if (settings === undefined) return;
    status.close();
    const unset = LAYOUT.filter((key) => selection.now[key] === null && settings[key] !== null);
    for (const key of LAYOUT) kept[key] = settings[key];
    selection.set(Object.fromEntries(unset.map((key) => [key, settings[key]])));
  });
  const keep = (key: LayoutField): void => {
    const value = selection.now[key];
    if (value === (kept[key] ?? null) || value === null) return;
    kept[key] = value;
    clearTimeout(settling.get(key));
    const send = (): void => void commands.send({ type: "set-setting", key, value });
    settling.set(key, setTimeout(send, SETTLED_MS));
  };
  selection.watch(() => {
    for (const key of LAYOUT) keep(key);
  });
}
