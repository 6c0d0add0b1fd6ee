import type { ViewName } from "../../state/selection.ts";

/** Views in the order of the sidebar and of the keys 1 to 5. */
const VIEWS: readonly { readonly name: ViewName; readonly label: string; readonly icon: string }[] = [
  { name: "traffic", label: "Traffic", icon: "#icon-traffic" },
  { name: "performance", label: "Performance", icon: "#icon-performance" },
  { name: "timeline", label: "Timeline", icon: "#icon-timeline" },
  { name: "sessions", label: "Sessions", icon: "#icon-sessions" },
  { name: "settings", label: "Settings", icon: "#icon-settings" },
];

/** The same, each with its key. */
export const NAVIGATION = Object.freeze(VIEWS.map((view, index) => Object.freeze({ ...view, key: String(index + 1) })));
