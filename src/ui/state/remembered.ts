import type { Commands } from "./commands.ts";
import type { Selection } from "./selection.ts";
import type { Windows } from "./windows.ts";

/** A panel is dragged in many steps; the last is kept. Our choice. */
const SETTLED_MS = 400;

/** Gives the panel the height it had last time, and keeps the one it is given. The engine remembers: a page has another origin at each start. */
export function rememberPanel({
  windows,
  commands,
  selection,
}: {
  readonly windows: Windows;
  readonly commands: Commands;
  readonly selection: Selection;
}): void {
  let kept: number | null = null;
  let settling: ReturnType<typeof setTimeout> | undefined;
  const status = windows.value({ view: "status" }, () => {
    const height = status.value?.settings.panelHeight ?? null;
    status.close();
    kept = height;
    if (height !== null && selection.now.panelHeight === null) selection.set({ panelHeight: height });
  });
  selection.watch(({ panelHeight }) => {
    if (panelHeight === kept || panelHeight === null) return;
    kept = panelHeight;
    clearTimeout(settling);
    settling = setTimeout(() => {
      void commands.send({ type: "set-setting", key: "panelHeight", value: panelHeight });
    }, SETTLED_MS);
  });
}
