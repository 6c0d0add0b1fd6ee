import type { Page } from "playwright-core";

/** With `WEIR_PICTURES`, writes a PNG of the page in both themes and two sizes. */
export async function pictures(page: Page, name: string): Promise<void> {
  const folder = process.env["WEIR_PICTURES"];
  if (folder === undefined) return;
  for (const colorScheme of ["light", "dark"] as const)
    for (const [width, height] of [
      [900, 600],
      [1280, 800],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` });
    }
}
