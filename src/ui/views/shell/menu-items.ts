import type { ViewName } from "../../state/selection.ts";
import type { MenuSubject } from "../dependencies.ts";
import { COPIES } from "../exchange-actions.ts";
import { filterUnder } from "./host-rows.ts";

export type MenuAction =
  | "filter"
  | "leave-out"
  | "any"
  | "traffic"
  | "timeline"
  | "endpoint"
  | "hide"
  | "unhide"
  | "pass"
  | "comment"
  | "copies"
  | "copy-value"
  | "copy-line"
  | "save"
  | "export"
  | "again"
  | "replay"
  | "edit"
  | "compare"
  | "delete";

export interface MenuItem {
  readonly action: MenuAction;
  /** The item's words, without `what`. */
  readonly name: string;
  /** The host or term that the item is about; empty if there is none. */
  readonly what: string;
  /** The list's key for this action; empty if there is none. */
  readonly key: string;
  /** Whether a separator comes before the item. */
  readonly first: boolean;
  readonly more: boolean;
}

export interface CopyItem {
  readonly name: string;
  /** A form of the command `copy-as`, the URL, or the endpoint's name. */
  readonly form: (typeof COPIES)[number]["form"] | "url" | "endpoint";
  readonly key: string;
}

/** What the items depend on besides the subject. */
export interface MenuSituation {
  readonly view: ViewName;
  /** The hosts that lists leave out, or would. */
  readonly hiddenHosts: readonly string[];
}

/** The term that the items about a filter use: of the value, else of the endpoint, else of the host; empty if none. */
export function termOf({ value, endpoint, exchange, host }: Omit<MenuSubject, "setMark">): string {
  if (value !== null) return value.term ?? "";
  if (exchange === null && endpoint !== null) return endpoint.includes('"') ? "" : `endpoint:"${endpoint}"`;
  return host === "" ? "" : filterUnder({ host, path: "" });
}

/** The items that apply to the subject, in their order. */
export function menuItemsOf(subject: MenuSubject, { view, hiddenHosts }: MenuSituation): readonly MenuItem[] {
  const { exchange, endpoint, host, value, picked } = subject;
  const term = termOf(subject);
  const isOfEndpoint = exchange === null && endpoint !== null && value === null;
  const [about, what] = isOfEndpoint ? [" this endpoint", ""] : ["", term];
  const isHidden = hiddenHosts.some((hidden) => hidden.toLowerCase() === host.toLowerCase());
  const anyOf = value === null ? "" : anyTermOf(term);
  const groups: readonly (readonly (readonly [boolean, MenuAction, string, string?, string?])[])[] = [
    [
      [term !== "", "filter", `Filter by${about}`, what],
      [term !== "", "leave-out", `Leave out${about}`, what],
      [anyOf !== "", "any", "Filter by", anyOf],
    ],
    [
      [(exchange !== null || isOfEndpoint) && view !== "traffic", "traffic", "Show in Traffic"],
      [(exchange !== null || isOfEndpoint) && view !== "timeline", "timeline", "Show in Timeline"],
      [exchange !== null || isOfEndpoint, "endpoint", "Show the endpoint"],
    ],
    [
      [exchange !== null, "comment", "Comment"],
      [exchange !== null || isOfEndpoint, "copies", "Copy"],
      [value?.text != null, "copy-value", "Copy the value"],
      [value?.line != null, "copy-line", "Copy name and value"],
      [exchange !== null, "save", "Save the response body"],
      [exchange !== null, "export", picked === null ? "Export…" : "Export the selected…"],
    ],
    [
      [exchange !== null, "again", "Send again", "", "R"],
      [exchange !== null, "replay", "Repeat…"],
      [exchange !== null, "edit", "Edit and send…"],
    ],
    [
      [exchange !== null, "compare", "Compare…"],
      [exchange !== null, "delete", picked === null ? "Delete" : "Delete the selected", "", "Del"],
    ],
    [
      [host !== "" && !isHidden, "hide", "Hide", host],
      [host !== "" && isHidden, "unhide", "No longer hide", host],
      [host !== "", "pass", "Pass through", host],
    ],
  ];
  const items: MenuItem[] = [];
  for (const group of groups) {
    let first = items.length > 0;
    for (const [applies, action, name, subjectText = "", key = ""] of group) {
      if (!applies) continue;
      items.push(Object.freeze({ action, name, what: subjectText, key, first, more: action === "copies" }));
      first = false;
    }
  }
  return Object.freeze(items);
}

/** The term for any value of the same header or parameter; empty for other terms. */
export function anyTermOf(term: string): string {
  return /^(?:q|req|resp)\.[^:"]+:(?=.)/.exec(term)?.[0] ?? "";
}

export function copyItemsOf({ exchange, picked }: Pick<MenuSubject, "exchange" | "picked">): readonly CopyItem[] {
  if (exchange === null) return Object.freeze([{ name: "Endpoint", form: "endpoint", key: "" }]);
  return Object.freeze([
    { name: picked === null ? "URL" : "URLs", form: "url", key: "" },
    ...COPIES.map(({ form, name }) => ({ form, name, key: form === "curl" ? "C" : "" })),
  ]);
}
