import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { rejectCertificate } from "../../support/certificate-rejection.ts";
import { describe } from "../../support/describe.ts";
import { type MainWindow, onMainWindow, row } from "../../support/main-window.ts";

async function reject({ weir }: MainWindow, host: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) await rejectCertificate(weir.proxy.port, host);
}

const banner = ({ page }: MainWindow, host: string) =>
  page.getByRole("status").filter({ hasText: `rejected Weir’s certificate for ${host} ` });

describe("clients that reject the certificate", (test) => {
  const skip = needsChromium();

  test(
    "given three rejections, the banner names host and count on one line, and counts on",
    () =>
      onMainWindow(async (stage) => {
        await reject(stage, "a.test", 3);
        await banner(stage, "a.test").filter({ hasText: "for a.test 3 times." }).waitFor();
        await reject(stage, "a.test", 1);
        await banner(stage, "a.test").filter({ hasText: "for a.test 4 times." }).waitFor();
        assert.equal(await accessibilityFindings(stage.page), []);
        await stage.page.setViewportSize({ width: 900, height: 600 });
        const { height = 0 } = (await banner(stage, "a.test").boundingBox()) ?? {};
        assert.ok(height > 0 && height < 40, `${height} px`);
      }),
    { skip },
  );

  test(
    "given a click on “Let this host pass through”, it passes through, and the banner goes",
    () =>
      onMainWindow(async (stage) => {
        await reject(stage, "a.test", 3);
        await banner(stage, "a.test").getByRole("button", { name: "Let this host pass through" }).click();
        await banner(stage, "a.test").waitFor({ state: "detached" });
        await stage.page.getByRole("button", { name: "Settings", exact: true }).click();
        const patterns = stage.page.getByLabel("Pass through");
        assert.is(await patterns.inputValue(), "a.test");
      }),
    { skip },
  );

  test(
    "given a click on “Dismiss”, that banner alone goes, for this session; the other goes with the session",
    () =>
      onMainWindow(async (stage) => {
        await reject(stage, "a.test", 3);
        await reject(stage, "b.test", 3);
        await banner(stage, "a.test").getByRole("button", { name: "Dismiss" }).click();
        await banner(stage, "a.test").waitFor({ state: "detached" });
        await reject(stage, "a.test", 1);
        await banner(stage, "b.test").waitFor();
        assert.is(await banner(stage, "a.test").count(), 0);
        await stage.page.getByRole("button", { name: "New session" }).click();
        await banner(stage, "b.test").waitFor({ state: "detached" });
        await reject(stage, "a.test", 3);
        await banner(stage, "a.test").filter({ hasText: "for a.test 3 times." }).waitFor();
      }),
    { skip },
  );

  test(
    "given a rejected connection, its row offers to let the host pass through",
    () =>
      onMainWindow(async (stage) => {
        await reject(stage, "a.test", 1);
        await row(stage.page, "a.test:443").first().click();
        await stage.page.getByRole("button", { name: "Let a.test pass through" }).click();
        await stage.page.getByText("New connections to a.test now pass through.").first().waitFor();
      }),
    { skip },
  );
});
