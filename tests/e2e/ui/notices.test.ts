import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { rejectCertificate } from "../../support/certificate-rejection.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, openTab, row } from "../../support/main-window.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";

describe("notices and banners", (test) => {
  const skip = needsChromium();

  for (const dark of [false, true]) {
    test(
      `given New session, ${dark ? "dark" : "light"}, names the session that ended, and Sessions shows the label given to it`,
      () =>
        onMainWindow(async ({ page, ask }) => {
          const ended = page.getByRole("form", { name: "Label of the session that ended" });
          await page.getByRole("button", { name: "New session" }).click();
          await page.getByText("New session started.").waitFor();
          assert.is(await ended.count(), 0, "nothing was captured, so nothing is named");
          for (let count = 0; count < 5; count += 1) await ask("/orders");
          await row(page, "/orders").nth(4).waitFor();
          await page.getByRole("button", { name: "New session" }).click();
          await ended.getByText(/^server\.test, .+ is kept with 5 exchanges\.$/).waitFor();
          for (const [width, height] of [
            [900, 600],
            [1280, 800],
            [1920, 1080],
          ] as const) {
            await page.setViewportSize({ width, height });
            assert.is((await ended.boundingBox())?.height, 28);
          }
          assert.equal(await accessibilityFindings(page), []);
          await page.getByLabel("Label", { exact: true }).fill("Before the cache");
          await page.keyboard.press("Enter");
          await ended.waitFor({ state: "detached" });
          for (let count = 0; count < 5; count += 1) await ask("/orders");
          await go(page, "Sessions");
          await page.getByLabel("Compare Before the cache").check();
          await page.getByLabel("Compare Current session").check();
          await page.getByRole("button", { name: "Compare", exact: true }).click();
          await page.locator(".compare-title").getByText("Before the cache").waitFor();
          await page.getByRole("button", { name: "New session" }).click();
          await ended.waitFor();
          await page.getByLabel("Label", { exact: true }).press("Escape");
          await ended.waitFor({ state: "detached" });
        }, dark),
      { skip },
    );
  }

  test(
    "given a banner, shows one line, expands to its whole text when focused, and its cross removes it",
    () =>
      onMainWindow(async ({ page, ask, weir }) => {
        const banners = page.locator(".notice:visible");
        await ask("/orders");
        await row(page, "/orders").waitFor();
        await page.setViewportSize({ width: 900, height: 600 });
        await page.getByRole("button", { name: "Clear session" }).click();
        await banners.filter({ hasText: "in the trash" }).getByRole("button", { name: "Dismiss" }).click();
        await banners.first().waitFor({ state: "hidden" });
        for (let count = 0; count < 3; count += 1) await rejectCertificate(weir.proxy.port, "a.test");
        const advice = banners.filter({ hasText: "a.test" });
        await advice.waitFor();
        assert.is((await advice.boundingBox())?.height, 28);
        await advice.getByRole("button", { name: "Dismiss" }).focus();
        const text = advice.locator(".notice-text");
        assert.is(await text.evaluate((span) => span.scrollWidth <= span.clientWidth), true);
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.press("Enter");
        await advice.waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given a stored session on display, hides advice about clients of the current one",
    () =>
      onMainWindow(async ({ page, ask, weir }) => {
        await ask("/orders");
        await row(page, "/orders").waitFor();
        await page.getByRole("button", { name: "New session" }).click();
        await row(page, "/orders").waitFor({ state: "detached" });
        for (let count = 0; count < 3; count += 1) await rejectCertificate(weir.proxy.port, "a.test");
        const advice = page.getByRole("status").filter({ hasText: "certificate for a.test" });
        await advice.waitFor();
        await go(page, "Sessions");
        await page.getByRole("button", { name: /^Open server\.test, / }).click();
        await row(page, "/orders").waitFor();
        await advice.waitFor({ state: "detached" });
        await page.setViewportSize({ width: 900, height: 600 });
        await page.getByRole("button", { name: "Back to the recording" }).click();
        await advice.waitFor();
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given only a probe, ${dark ? "dark" : "light"}, Performance says that probes are not counted and what to do next`,
      () =>
        onMainWindow(async ({ page, ask, weir }) => {
          const probe = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://probe.weir.test");
          await probe.ask("GET", "/anything/weir/hello");
          await row(page, "/anything/weir/hello").waitFor();
          const uncounted = page.getByRole("status").filter({ hasText: "No statistics yet" });
          await openTab(page, "Latency");
          await uncounted.getByRole("button", { name: "Open Setup Hub" }).waitFor();
          await page.getByRole("heading", { name: "Nothing measured yet" }).waitFor();
          assert.is(await page.getByRole("button", { name: "Open Traffic" }).isVisible(), false);
          for (const [width, height] of [
            [1280, 800],
            [900, 600],
          ] as const) {
            await page.setViewportSize({ width, height });
          }
          assert.equal(await accessibilityFindings(page), []);
          await ask("/orders");
          await uncounted.waitFor({ state: "detached" });
        }, dark),
      { skip },
    );
  }
});
