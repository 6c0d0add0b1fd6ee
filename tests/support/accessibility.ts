import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * The accessibility problems that axe reports, one line each. axe runs as code of the page, so that the page's content
 * policy stays in force.
 */
export async function accessibilityFindings(page: Page): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // What passes is not described, which saves axe a third of its time.
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof import("axe-core") }).axe.run({
      resultTypes: ["violations"],
      selectors: false,
    }),
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}
