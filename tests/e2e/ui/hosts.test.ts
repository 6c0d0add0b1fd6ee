import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { onServedWindow } from "../../support/served-window.ts";

const HOST = `a-host-whose-name-is-as-long-as-names-of-previews-are-${"x".repeat(40)}.preview.shop.test`;

/** Visible hosts that overlap the text after them, or leave their path no space. */
function crowded(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>(".host")]
      .filter((host) => host.offsetParent !== null)
      .flatMap((host) => {
        // In a list's cell, a host without room is below the visible part of its box.
        const box = host.closest(".endpoint-host, .traffic-host") ?? host;
        if (host.getBoundingClientRect().top >= box.getBoundingClientRect().bottom) return [];
        const right = Math.min(host.getBoundingClientRect().right, box.getBoundingClientRect().right);
        const line = box.parentElement?.getBoundingClientRect();
        const next = box.nextElementSibling?.getBoundingClientRect();
        const path = box.previousElementSibling?.getBoundingClientRect();
        const name = `${host.parentElement?.className}: ${host.textContent}`;
        const over = right > (line?.right ?? 0) + 1 || (next !== undefined && next.width > 0 && right > next.left + 1);
        return [
          ...(over ? [`over its neighbour, ${name}`] : []),
          ...((path?.width ?? 0) < 20 ? [`no path, ${name}`] : []),
        ];
      }),
  );
}

describe("host column width", (test) => {
  const skip = needsChromium();

  test(
    "given a long host, leaves room for its path and the text after it, in every header and row",
    () =>
      onServedWindow({ hosts: [HOST], answer: (_, response) => response.end("{}") }, async ({ page, client }) => {
        for (let count = 0; count < 6; count += 1) await client.ask("GET", "/orders/of-this-week");
        const rows = page.getByRole("row").filter({ hasText: "/orders" });
        await rows.nth(5).waitFor();
        for (const size of [
          { width: 1280, height: 800 },
          { width: 900, height: 600 },
        ]) {
          await page.setViewportSize(size);
          await page.keyboard.press("1");
          await rows.first().click();
          await page.getByRole("region", { name: "Inspector" }).waitFor();
          assert.equal(await crowded(page), [], `Traffic at ${size.width}`);
          await page.keyboard.press("2");
          for (const [tab, panel] of [
            ["Latency", "Endpoint"],
            ["Payload", "Payload of the endpoint"],
          ] as const) {
            await page.getByRole("tab", { name: tab, exact: true }).click();
            await rows.first().click();
            await page.getByRole("region", { name: panel, exact: true }).waitFor();
            assert.equal(await crowded(page), [], `${tab} at ${size.width}`);
          }
          await page.getByRole("tab", { name: "Slow requests", exact: true }).click();
          await page
            .getByText(/no cause stands out|compared from/)
            .first()
            .waitFor();
          await page.locator(".slow-group-row").first().waitFor();
          assert.equal(await crowded(page), [], `Causes of slow requests at ${size.width}`);
          await page.getByRole("button", { name: "Every request" }).click();
          await page.getByText("over its p95").first().waitFor();
          assert.equal(await crowded(page), [], `Slow requests at ${size.width}`);
        }
      }),
    { skip },
  );

  test(
    "given a host with enough room, shows it whole beside a short path",
    () =>
      onServedWindow(
        { hosts: ["images.of.our.partners.test"], answer: (_, response) => response.end("{}") },
        async ({ page, client }) => {
          for (let count = 0; count < 5; count += 1) await client.ask("GET", "/");
          const host = page.locator(".host", { hasText: "partners" });
          const whole = async (where: string) =>
            assert.ok(await host.last().evaluate((name) => name.scrollWidth <= name.clientWidth), where);
          await page.getByRole("row").nth(5).click();
          await page.getByRole("region", { name: "Inspector" }).waitFor();
          await whole("the inspector's head");
          await page.keyboard.press("2");
          await page.getByRole("tab", { name: "Payload", exact: true }).click();
          await page.getByRole("row").nth(1).click();
          await page.getByRole("region", { name: "Payload of the endpoint" }).locator(".host").waitFor();
          await whole("the payload panel's head");
        },
      ),
    { skip },
  );
});
