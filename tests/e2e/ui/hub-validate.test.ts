import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { echoServer, portOf } from "../../support/echo-server.ts";
import { pictures } from "../../support/pictures.ts";
import { runningWeir } from "../../support/running-weir.ts";
import {
  copied,
  filterBox,
  hubTab,
  type OpenHub,
  onHub,
  runTest,
  showTarget,
  verdict,
} from "../../support/setup-hub.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { testAuthority } from "../../support/test-authority.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** The largest number of interactions from opening the hub to the capture. */
const MOST_ACTS = 6;

describe("Setup Hub validation", (test) => {
  const skip = needsChromium();

  for (const [target, button, missing] of [
    ["curl", "Copy Command", needs("curl")],
    ["Python", "Copy Environment", needs("python3")],
    ["Node.js", "Copy Environment", null],
  ] as const) {
    test(
      `given ${target}, captures the copied text after at most ${MOST_ACTS} interactions and one paste`,
      () =>
        onHub(async ({ page, act, acts }) => {
          await act(() => filterBox(page).fill(target));
          await act(() => filterBox(page).press("Enter"));
          await act(() => hubTab(page, "Validate").click());
          await act(() => runTest(page).click());
          await verdict(page, "Waiting for the request").waitFor();
          await act(() => page.getByRole("button", { name: button }).click());
          const text = await copied(page);
          await withFolder(async (folder) => {
            const { code, output } = await runTool(["sh", "-c", text], folder);
            assert.is(code, 0, output);
          });
          await verdict(page, "Captured").waitFor();
          await page
            .getByText("This does not identify which app, browser or process sent the request.")
            .first()
            .waitFor();
          await page.getByText("Request captured").waitFor();
          assert.ok(acts() <= MOST_ACTS, `${acts()} interactions`);
        }),
      { skip: skip ?? missing },
    );
  }

  test(
    "given a client that cannot reach Weir, does not start the test, and shows the obstacle with its remedy",
    () =>
      onHub(async ({ page }) => {
        const blocked = page.getByRole("alert").filter({ hasText: "The test cannot start yet." });
        const open = blocked.getByRole("button", { name: "Make Weir reachable from the local network" });
        await showTarget(page, "iOS device");
        await hubTab(page, "Validate").click();
        await open.waitFor();
        await showTarget(page, "Docker");
        await hubTab(page, "Snippets").click();
        await page.getByRole("button", { name: "Make Weir reachable from the local network" }).waitFor();
        await hubTab(page, "Validate").click();
        await open.waitFor();
        await runTest(page).click();
        await page.getByText("The test did not start.").waitFor();
        assert.is(await verdict(page, "Waiting for the request").count(), 0);
        await page.getByRole("radio", { name: "Linux, host network" }).click();
        await runTest(page).click();
        await verdict(page, "Waiting for the request").waitFor();
        await page.getByRole("button", { name: "Cancel the test" }).click();
        await page.getByRole("radio", { name: "Host IPv4 address" }).click();
        await open.click();
        await blocked.waitFor({ state: "detached" });
        await page.getByText("Reachable from the local network until Weir exits.").waitFor();
      }),
    { skip },
  );

  test(
    "given a captured probe, shows it in the main window's Traffic, even while that shows an earlier session",
    async () => {
      const weir = await runningWeir();
      try {
        await withBrowser(async (browser) => {
          const { page } = await openedPage(browser, weir.ui);
          const { host, port } = weir.proxy;
          const probe = (path: string) => {
            const url = `https://probe.weir.test/anything/weir/${path}`;
            return runTool(["curl", "-s", "--proxy", `http://${host}:${port}`, "--cacert", weir.caBundle, url], "/");
          };
          const row = (text: string) => page.getByRole("row").filter({ hasText: text });
          await probe("before");
          await row("/anything/weir/before").waitFor();
          await page.getByRole("button", { name: "New session" }).click();
          await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
          const opening = page.context().waitForEvent("page");
          await page.getByRole("button", { name: "Set up curl" }).click();
          const hub = await opening;
          const status = hub.getByRole("region", { name: "Status" });
          await status.getByText("not yet").waitFor();
          await probe("curl");
          await status.getByRole("button", { name: "Show in Traffic" }).waitFor();
          await hubTab(hub, "Validate").click();
          await runTest(hub).click();
          await verdict(hub, "Waiting for the request").waitFor();
          await probe("curl");
          await verdict(hub, "Captured").waitFor();
          await page.getByRole("button", { name: "Sessions", exact: true }).click();
          await page.getByRole("button", { name: /^Open (?!Setup)[^ ]+, / }).click();
          await row("/anything/weir/before").click();
          await hub.getByRole("button", { name: "Show in Traffic" }).first().click();
          await page.getByRole("region", { name: "Inspector" }).waitFor();
          await page.getByRole("row", { selected: true }).filter({ hasText: "/anything/weir/curl" }).waitFor();
          await page.getByRole("heading", { name: "/anything/weir/curl" }).waitFor();
          assert.is(await page.getByRole("button", { name: "Back to the recording" }).count(), 0);
          // A filter that lists the probe stays; another one is cleared.
          const filter = page.getByRole("combobox", { name: "Filter" });
          const chip = (term: string) => page.getByRole("button", { name: `Remove ${term}` });
          for (const [term, kept] of [
            ["host:probe.weir.test", 1],
            ["status:5xx", 0],
          ] as const) {
            await filter.fill(`${term} `);
            await page.keyboard.press("Escape");
            await chip(term).waitFor();
            await page.getByRole("button", { name: "Sessions", exact: true }).click();
            await hub.getByRole("button", { name: "Show in Traffic" }).first().click();
            await page.getByRole("row", { selected: true }).filter({ hasText: "/anything/weir/curl" }).waitFor();
            assert.is(await chip(term).count(), kept, term);
            if (kept === 1) await chip(term).click();
          }
        });
      } finally {
        await weir.stop();
      }
    },
    { skip: skip ?? needs("curl") },
  );

  test(
    "given a client that rejects the certificate, names each kind of failed attempt while the test continues",
    () =>
      onHub(async ({ page, weir }) => {
        await showTarget(page, "curl");
        await hubTab(page, "Validate").click();
        await runTest(page).click();
        await verdict(page, "Waiting for the request").waitFor();
        const proxy = `http://${weir.proxy.host}:${weir.proxy.port}`;
        const path = "probe.weir.test/anything/weir/curl";
        await runTool(["curl", "-s", "--proxy", proxy, `https://${path}`], "/");
        await page.getByText("A client reached the proxy but rejected the certificate").waitFor();
        await runTool(["curl", "-s", "--proxy", proxy, `http://${path}`], "/");
        await page.getByText("The request reached the proxy without TLS").waitFor();
        for (const scheme of ["https", "socks4a"])
          await runTool(["curl", "-s", "--proxy", proxy.replace("http", scheme), `https://${path}`], "/");
        await page.getByText("Non-HTTP traffic reached the proxy (2 times)").waitFor();
        await verdict(page, "Waiting for the request").waitFor();
        const lines = await page.getByRole("list", { name: "What happened" }).getByRole("listitem").allTextContents();
        assert.is(lines.length, 4);
        assert.match(lines[2] ?? "", "without TLS");
        assert.match(lines[3] ?? "", "A SOCKS request was refused");
      }),
    { skip: skip ?? needs("curl") },
  );

  test(
    "given the sample request of Snippets, says that it arrived, and leads to the request that the test waits for",
    () =>
      onHub(async ({ page }) => {
        await showTarget(page, "curl");
        await hubTab(page, "Snippets").click();
        await page.getByText("A run of a snippet shows that traffic arrives").waitFor();
        await page.getByRole("button", { name: "Copy Command" }).click();
        await withFolder(async (folder) => {
          await runTool(["sh", "-c", await copied(page)], folder);
          const status = page.getByRole("region", { name: "Status" });
          await status.getByText("Sample seen").waitFor();
          await status.getByText("To validate curl, run the same lines with the probe URL.").waitFor();
          await pictures(page, "hub-sample");
          await showTarget(page, "Python");
          await status.getByText(/with another program's User-Agent \(curl\//).waitFor();
          assert.is(await status.getByRole("button", { name: "Open Validate" }).count(), 0);
          await hubTab(page, "Validate").click();
          await page.getByText("Checks before the test").waitFor();
          assert.is(await page.getByText("A sample request arrived").filter({ visible: true }).count(), 0);
          await hubTab(page, "Snippets").click();
          await showTarget(page, "curl");
          await status.getByRole("button", { name: "Open Validate" }).click();
          const arrived = page.getByText(
            /^A sample request arrived at \d\d:\d\d:\d\d from curl\/\S+ at 127\.0\.0\.1\. The test waits/,
          );
          await arrived.waitFor();
          await page.getByRole("button", { name: "Show the sample request in Traffic" }).waitFor();
          await status.getByText("not yet").waitFor();
          await pictures(page, "hub-sample-validate");
          await runTest(page).click();
          await verdict(page, "Waiting for the request").waitFor();
          await page.getByRole("button", { name: "Copy Command" }).click();
          await runTool(["sh", "-c", await copied(page)], folder);
          await verdict(page, "Captured").waitFor();
          await arrived.waitFor({ state: "hidden" });
          await page.locator("#target-curl").getByText("Captured", { exact: true }).waitFor();
          assert.is(
            await page.getByRole("option").getByText("Captured", { exact: true }).filter({ visible: true }).count(),
            1,
          );
          await pictures(page, "hub-captured");
        });
      }),
    { skip: skip ?? needs("curl") },
  );

  test(
    "given a public echo host as probe host, captures the request, even if that host does not respond",
    () =>
      withFolder(async (folder) => {
        const authority = testAuthority();
        const echo = await echoServer(authority);
        const upstreamCa = join(folder, "upstream.pem");
        writeFileSync(upstreamCa, authority.pem);
        const words = ["--host-override", `echo.example=127.0.0.1:${portOf(echo)}`, "--upstream-ca", upstreamCa];
        const body = async ({ page }: OpenHub) => {
          await showTarget(page, "curl");
          await hubTab(page, "Validate").click();
          await page.getByLabel("Probe host").fill("echo.example");
          await page.getByLabel("Probe host").press("Enter");
          await page.getByText("Weir forwards the request to this host.").waitFor();
          const send = async () => {
            await runTest(page).click();
            await verdict(page, "Waiting for the request").waitFor();
            assert.is(await page.getByRole("tabpanel").evaluate((panel) => panel.scrollTop), 0, "it is in sight");
            await page.getByRole("button", { name: "Copy Command" }).click();
            const { output } = await runTool(["sh", "-c", await copied(page)], folder);
            await verdict(page, "Captured").waitFor();
            return output;
          };
          assert.match(await send(), '"url":"/anything/weir/curl"');
          assert.is(await page.getByText("did not answer").count(), 0);
          echo.closeAllConnections();
          await new Promise((resolve) => echo.close(resolve));
          assert.match(await send(), "502 Bad Gateway");
          await page.getByText("although the probe host did not respond").first().waitFor();
        };
        try {
          await onHub(body, { words });
        } finally {
          echo.close();
        }
      }),
    { skip: skip ?? needs("curl") },
  );

  test(
    "given a clear, a new session, a pause or a stopped proxy, ends the test and says which it was",
    () =>
      onHub(async ({ page, client }) => {
        await hubTab(page, "Validate").click();
        const endings = [
          [{ type: "clear" }, "The session was cleared while the test waited."],
          [{ type: "new-session" }, "A new session was started while the test waited."],
          [{ type: "set-recording", on: false }, "Recording was paused while the test waited."],
          [{ type: "stop-proxy" }, "The proxy stopped while the test waited."],
        ] as const;
        for (const [command, words] of endings) {
          await runTest(page).click();
          await verdict(page, "Waiting for the request").waitFor();
          await client.command(command);
          await page.getByText(words).first().waitFor();
          await verdict(page, "Test stopped").waitFor();
          await client.command({ type: "set-recording", on: true });
        }
      }),
    { skip },
  );

  test(
    "given several obstacles, shows one after the other with the button that removes it",
    () =>
      onHub(async ({ page, client }) => {
        await hubTab(page, "Validate").click();
        await client.command({ type: "stop-proxy" });
        await client.command({ type: "set-recording", on: false });
        await page.getByText("Proxy stopped").first().waitFor();
        await runTest(page).click();
        const alert = page.getByRole("alert").filter({ hasText: "The test did not start." });
        await alert.getByText("The proxy is stopped.").waitFor();
        await alert.getByRole("button", { name: "Start proxy" }).click();
        await alert.getByText("Recording is paused").waitFor();
        await alert.getByRole("button", { name: "Resume recording" }).click();
        await alert.waitFor({ state: "detached" });
        await runTest(page).click();
        await verdict(page, "Waiting for the request").waitFor();
      }),
    { skip },
  );
});
