/** A colour token as the page resolves it now ("rgb(37, 88, 212)"), for canvases: `name` as in tokens.css, "--color-bar". */
export function tokenColour(name: `--color-${string}`): string {
  const probe = document.createElement("i");
  // In high contrast, too: a canvas that is filled with what stands for text is a blank.
  probe.style.setProperty("forced-color-adjust", "none");
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return colour;
}

/** Calls `changed` whenever the colours of the page change, until the returned function is called. */
export function onThemeChange(changed: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  system.addEventListener("change", changed);
  return () => {
    chosen.disconnect();
    system.removeEventListener("change", changed);
  };
}
