import * as assert from "uvu/assert";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, onMainWindow, openTab, row, sendTwelve } from "../../support/main-window.ts";

describe("address of the main window", (test) => {
  const skip = needsChromium();

  test(
    "given a state, keeps it through a reload, and walks back and forward through the earlier ones",
    () =>
      onMainWindow(async (stage) => {
        const { page } = stage;
        const hash = () => page.evaluate(() => location.hash);
        assert.is(await hash(), "#/traffic", "the ticket has left the address");
        await sendTwelve(stage);
        await row(page, "/orders").nth(11).waitFor();
        await page.getByRole("combobox", { name: "Filter" }).pressSequentially("status:200");
        await row(page, "/orders").first().click();
        await page.getByRole("tab", { name: "Timing" }).click();
        const traffic = await hash();
        assert.match(traffic, /^#\/traffic\?session=[^&]+&f=status:200&id=\d+&panel=timing$/);
        await openTab(page, "Latency");
        await page
          .getByRole("columnheader", { name: /^Requests/ })
          .getByRole("button")
          .click();
        await row(page, "/orders").first().click();
        const endpoint = page.getByRole("region", { name: "Endpoint" });
        await endpoint.waitFor();
        const latency = await hash();
        assert.match(
          latency,
          /^#\/performance\/latency\?f=status:200&sort=-requests&endpoint=GET%20http:\/\/server.test/,
        );

        await page.reload();
        await endpoint.waitFor();
        await page.locator('[aria-sort="descending"]', { hasText: "Requests" }).waitFor();
        assert.is(await hash(), latency);

        const places = [await hash()];
        for (let step = 0; step < 20 && places.at(-1) !== traffic; step += 1) {
          await page.goBack();
          places.push(await hash());
        }
        assert.is(places.at(-1), traffic, places.join("\n"));
        await page
          .getByRole("region", { name: "Inspector" })
          .getByRole("tab", { name: "Timing", selected: true })
          .waitFor();
        for (const _ of places.slice(1)) await page.goForward();
        await endpoint.waitFor();
        assert.is(await hash(), latency);

        await go(page, "Traffic");
        await page.getByRole("combobox", { name: "Filter" }).waitFor();
        assert.equal(
          places.filter((place) => /f=s(?:tat?u?)?$/.test(place)),
          [],
          "letters have no entries",
        );
      }),
    { skip },
  );

  test(
    "given a link in a tab without a ticket, shows it in the open window, at once only if no web page led there",
    () =>
      onMainWindow(async ({ page, weir }) => {
        const link = new URL("/#/performance/latency?f=host:a", weir.ui).href;
        const [typed, followed] = [await page.context().newPage(), await page.context().newPage()];
        await typed.goto(link);
        await typed.getByText("The link is shown in Weir's window").waitFor();
        await page.getByRole("tab", { name: "Latency", selected: true }).waitFor();
        assert.is(await page.evaluate(() => location.hash), "#/performance/latency?f=host:a");
        await page.goBack();
        await page.getByRole("grid", { name: "Exchanges" }).waitFor();

        await followed.setContent(`<a href="${link.replace("latency", "payload")}">Look</a>`);
        await followed.getByText("Look").click();
        const show = followed.getByRole("button", { name: "Show in Weir's window" });
        await show.waitFor();
        assert.is(await page.evaluate(() => location.hash), "#/traffic");
        await show.click();
        await followed.getByText("The link is shown in Weir's window").waitFor();
        await page.getByRole("tab", { name: "Payload", selected: true }).waitFor();
        assert.is(await followed.evaluate(() => sessionStorage.length), 0, "the tab gets no ticket");
      }),
    { skip },
  );
});
