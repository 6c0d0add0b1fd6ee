import type { Settings } from "../../engine/model/settings.ts";

const DARK = "(prefers-color-scheme: dark)";

/** The value of a colour token, for canvases ("rgb(37, 88, 212)"); `name` as in tokens.css, "--color-bar". */
export function tokenColour(name: `--color-${string}`): string {
  const probe = document.createElement("i");
  // Required in high contrast mode, where every canvas would otherwise be drawn in the forced text colour.
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** The theme after this one: from the system's to the one that differs from it, then to the other, and back. */
export function nextThemeOf(theme: Settings["theme"]): Settings["theme"] {
  const [same, other] = matchMedia(DARK).matches ? (["dark", "light"] as const) : (["light", "dark"] as const);
  if (theme === "system") return other;
  return theme === other ? same : "system";
}

/** Calls `changed` when the page's colours change, until the returned function is called. */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia(DARK);
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}
