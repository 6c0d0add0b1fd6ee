import type { Instant } from "./units.ts";

/** How a session is named without its time: by the name that a person gave it, else by its title; "" if it has neither. */
export function sessionLabelOf({ name, title }: { readonly name: string; readonly title: string }): string {
  return name === "" ? title : name;
}

/** A report's title, from the label of its session and the session's start: "shop.example.com, Chrome, 2026-11-28 21:05 UTC". */
export function reportTitleOf(label: string, startedAt: Instant): string {
  const date = new Date(startedAt).toISOString().slice(0, 16).replace("T", " ");
  return `${label === "" ? "Session" : label}, ${date} UTC`;
}
