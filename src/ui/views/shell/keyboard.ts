import type { ViewName } from "../../state/selection.ts";

/** What a key asks the window for. */
export type Wish =
  | { readonly kind: "clear" | "filter" | "shortcuts" | "close" | "hub" | "palette" | "search" }
  | { readonly kind: "recording" | "proxy" | "copy-address" | "new-session" | "export" | "theme" }
  | { readonly kind: "host"; readonly host: string }
  | { readonly kind: "go"; readonly view: ViewName };

/** `null`: the key is not the window's, because it is typed somewhere, a dialog or a menu is open, or it means nothing. */
export function wishOf(
  event: KeyboardEvent,
  views: readonly { readonly name: ViewName; readonly key: string }[],
): Wish | null {
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.shiftKey && event.key.toLowerCase() === "l") return { kind: "clear" };
  if (command && !event.shiftKey && event.key.toLowerCase() === "k") return { kind: "palette" };
  if (command && event.shiftKey && event.key.toLowerCase() === "d") return { kind: "hub" };
  if (command && event.shiftKey && event.key.toLowerCase() === "f") return { kind: "search" };
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

/** What an entry of the native window's menu asks for, by its id; `null`: it is not the page's. */
export function wishOfMenu(item: string, views: readonly { readonly name: ViewName }[]): Wish | null {
  const view = views.find(({ name }) => name === item);
  if (view !== undefined) return { kind: "go", view: view.name };
  return item === "clear" || item === "filter" || item === "shortcuts" ? { kind: item } : null;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName);
}
