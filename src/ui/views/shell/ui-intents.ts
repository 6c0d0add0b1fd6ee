import type { Endpoint } from "../../../engine/model/endpoint.ts";
import type { FindingKind } from "../../../engine/model/finding.ts";
import type { Settings } from "../../../engine/model/settings.ts";
import type { InspectorTab, PerformanceTab, Selected, ViewName } from "../../state/selection.ts";
import { isTyping } from "../window-frame.ts";

/** What a key, the command palette or the native window's menu requests. */
export type UiIntent =
  | { readonly kind: "clear" | "undo" | "filter" | "shortcuts" | "close" | "hub" | "palette" | "search" }
  | {
      readonly kind:
        | "recording"
        | "proxy"
        | "copy-address"
        | "new-session"
        | "export"
        | "theme"
        | "replay"
        | "slow"
        | "delete";
    }
  | { readonly kind: "report" | "export-report" | "copy-link" | "import" | "compare" | "about" | "quit" }
  | { readonly kind: "hub-target"; readonly target: string }
  | { readonly kind: "set-theme"; readonly theme: Settings["theme"] }
  | { readonly kind: "cause"; readonly cause: FindingKind }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "go"; readonly view: ViewName }
  | { readonly kind: "tab"; readonly tab: PerformanceTab }
  | { readonly kind: "inspector-tab"; readonly tab: InspectorTab }
  | { readonly kind: "session"; readonly session: string }
  | { readonly kind: "endpoint"; readonly endpoint: Endpoint }
  | { readonly kind: "finding"; readonly key: string; readonly name: string }
  /** Words to search the settings for. */
  | { readonly kind: "setting"; readonly words: string };

/** The entries of the native window's menu that the page carries out, besides the views. */
const MENU = ["clear", "filter", "shortcuts", "new-session", "import", "export", "about"] as const;

/** With Ctrl or Cmd, in a native window only: browsers use these keys themselves. */
const MENU_KEYS: Readonly<Record<string, "quit" | "new-session" | "import" | "export">> = {
  q: "quit",
  n: "new-session",
  o: "import",
  s: "export",
};

/**
 * What a key requests; `null` if the window ignores the key. In a field, dialog or menu, only shortcuts with Ctrl or
 * Cmd work.
 */
export function intentOf(
  event: KeyboardEvent,
  views: readonly { readonly name: ViewName; readonly key: string }[],
  isNative = false,
): UiIntent | null {
  const command = event.ctrlKey || event.metaKey;
  const ofMenu =
    command && !event.shiftKey && !event.altKey && isNative ? MENU_KEYS[event.key.toLowerCase()] : undefined;
  if (ofMenu !== undefined) return { kind: ofMenu };
  if (command && !event.shiftKey && event.key.toLowerCase() === "l") return { kind: "clear" };
  if (command && !event.shiftKey && event.key.toLowerCase() === "k") return { kind: "palette" };
  if (command && event.shiftKey && event.key.toLowerCase() === "d") return { kind: "hub" };
  if (command && event.shiftKey && event.key.toLowerCase() === "f") return { kind: "search" };
  // In a text field, the key undoes the typing.
  const isUndo = command && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
  if (isUndo && !isTyping(event.target) && document.querySelector("dialog[open]") === null) return { kind: "undo" };
  if (
    command ||
    event.altKey ||
    isTyping(event.target) ||
    document.querySelector("dialog[open], :popover-open") !== null
  )
    return null;
  const view = views.find(({ key }) => key === event.key);
  if (view !== undefined) return { kind: "go", view: view.name };
  switch (event.key) {
    case "/":
      return { kind: "filter" };
    case "?":
      return { kind: "shortcuts" };
    case "Escape":
      return { kind: "close" };
    default:
      return null;
  }
}

/** What Escape closes next, the innermost first: inspector, panel, finding, filter. */
export function closedLevel({
  exchange,
  endpoint,
  view,
  performanceTab,
  finding,
  filter,
}: Selected): Partial<Selected> {
  if (exchange !== null) return { exchange: null };
  if (endpoint !== null) return { endpoint: null };
  // In other views, the finding stays selected and its exchanges stay highlighted.
  if (finding !== null && view === "performance" && performanceTab === "findings") return { finding: null };
  return filter === "" ? {} : { filter: "" };
}

/** What an entry in the native window's menu requests, by the entry's id; `null`: the page does not handle it. */
export function intentOfMenu(item: string, views: readonly { readonly name: ViewName }[]): UiIntent | null {
  const view = views.find(({ name }) => name === item);
  if (view !== undefined) return { kind: "go", view: view.name };
  const kind = MENU.find((known) => known === item);
  return kind === undefined ? null : { kind };
}
