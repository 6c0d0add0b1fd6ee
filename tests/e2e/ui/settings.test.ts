import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { certificateDateText } from "../../../src/ui/format/clock.ts";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium, openedPage, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { breaksBetweenBytes } from "../../support/drawn-lines.ts";
import { lanAddress } from "../../support/network-address.ts";
import { PageClient } from "../../support/page-client.ts";
import { ProxiedClient } from "../../support/proxied-client.ts";
import { unusedPort } from "../../support/reverse-port.ts";
import { type RunningWeir, runningWeir } from "../../support/running-weir.ts";

/** The main window of a running Weir, showing Settings. */
async function atSettings(
  body: (page: Page, weir: RunningWeir) => Promise<void>,
  { dark = false, words = [] }: { readonly dark?: boolean; readonly words?: readonly string[] } = {},
): Promise<void> {
  const weir = await runningWeir(words);
  try {
    await withBrowser(async (browser) => {
      const { page, troubles } = await openedPage(browser, weir.ui, { colorScheme: dark ? "dark" : "light" });
      await page.getByRole("button", { name: "Settings", exact: true }).click();
      await page.getByRole("heading", { name: "Certificate", exact: true }).waitFor();
      await body(page, weir);
      assert.equal(troubles, []);
    });
  } finally {
    await weir.stop();
  }
}

const lanSwitch = (page: Page) => page.getByRole("checkbox", { name: "Reachable from the local network" });

describe("Settings in the window", (test) => {
  const skip = needsChromium();

  test(
    "given the switch for the local network, changes the proxy's reach and shows the current one",
    () =>
      atSettings(async (page, { proxy }) => {
        assert.not(await lanSwitch(page).isChecked());
        await page.getByText("Only programs on this computer can reach the proxy.").waitFor();
        await lanSwitch(page).check();
        await page.getByText(`Devices on your network can reach the proxy at ${lanAddress()}:${proxy.port}.`).waitFor();
        await page.getByRole("status").filter({ hasText: "Devices on your network can use this proxy" }).waitFor();
        await lanSwitch(page).uncheck();
        await page.getByText("Only programs on this computer can reach the proxy.").waitFor();
        assert.not(await lanSwitch(page).isChecked());
      }),
    { skip: skip ?? (lanAddress() === null ? "needs a network address" : null) },
  );

  test(
    "given any width, breaks the fingerprint only between bytes",
    () =>
      atSettings(async (page) => {
        const fingerprint = page.getByText(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
        await breaksBetweenBytes(fingerprint, 700, 1_300);
      }),
    { skip },
  );

  test(
    "given the index, goes to a section and marks the current one, and the search box narrows the settings",
    () =>
      atSettings(async (page) => {
        const index = page.getByRole("navigation", { name: "Sections of the settings" });
        const heading = (name: string) => page.getByRole("heading", { name, exact: true });
        await index.getByRole("link", { name: "Appearance" }).click();
        assert.ok(await heading("Appearance").evaluate((element) => element === document.activeElement));
        await page.getByRole("radio", { name: "Dark" }).waitFor();
        await index.locator("[aria-current]", { hasText: "Appearance" }).waitFor();
        await page.getByRole("region", { name: "All settings" }).evaluate((element) => element.scrollTo(0, 0));
        await index.locator("[aria-current]", { hasText: "Performance" }).waitFor();
        await page.keyboard.press("/");
        await page.keyboard.type("KEYCHAIN trust");
        await page.getByRole("status").filter({ hasText: "1 setting" }).waitFor();
        assert.equal(await index.getByRole("link").allTextContents(), ["Certificate"]);
        assert.ok(await page.getByText("Open weir-ca.pem with Keychain Access").isVisible());
        assert.not(await page.getByText("SHA-256 fingerprint").isVisible());
        assert.not(await heading("Proxy").isVisible());
        assert.equal(await accessibilityFindings(page), []);
        await page.keyboard.press("Escape");
        await heading("Proxy").waitFor();
        assert.is(await index.getByRole("link").count(), 8);
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given the checkboxes, ${dark ? "dark" : "light"}, shows them in the accent colour`,
      () =>
        atSettings(
          async (page) => {
            const colours = await page.getByRole("checkbox").evaluateAll((all) => {
              const own = document.body.appendChild(document.createElement("i"));
              own.style.color = "var(--color-accent)";
              return [getComputedStyle(own).color, ...all.map((box) => getComputedStyle(box).accentColor)];
            });
            assert.ok(colours.length > 1);
            assert.is(new Set(colours).size, 1, colours.join());
          },
          { dark },
        ),
      { skip },
    );
  }

  test(
    "given a client certificate, adds and removes it, and refuses one without a file beside its field",
    () =>
      atSettings(async (page) => {
        const add = page.getByRole("button", { name: "Add the certificate" });
        await page.getByRole("textbox", { name: "For the host", exact: true }).fill("api.test");
        await add.click();
        await page.getByText("Enter the full path of the certificate's file.").waitFor();
        await page.getByRole("textbox", { name: "File", exact: true }).fill("/absent/client.pem");
        await add.click();
        await page.getByText("/absent/client.pem", { exact: true }).waitFor();
        assert.is(await page.getByRole("textbox", { name: "File", exact: true }).inputValue(), "");
        await page.getByRole("button", { name: "Remove the certificate for api.test" }).click();
        await page.getByText("/absent/client.pem", { exact: true }).waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given an announcement, shows it over the status bar without intercepting clicks",
    () =>
      atSettings(async (page) => {
        await page.getByRole("radio", { name: "Dark" }).click();
        const told = page.getByRole("status").filter({ hasText: "Saved." }).locator("span");
        await told.waitFor();
        const isStatusBar = await told.evaluate((span) => {
          const { x, y, width, height } = span.getBoundingClientRect();
          return span.ownerDocument.elementFromPoint(x + width / 2, y + height / 2)?.closest(".statusbar") != null;
        });
        assert.ok(isStatusBar);
      }),
    { skip },
  );

  test(
    "given a number, saves it in the field's unit, and refuses one out of bounds beside the field",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const field = page.getByRole("textbox", { name: "Kept per body" });
        assert.is(await field.inputValue(), "10");
        await field.fill("101");
        await field.press("Enter");
        await page.getByText("Enter a number from 0 to 100 (MB).").waitFor();
        assert.is((await client.value({ view: "status" })).settings.bodyCap, 10 * 1024 ** 2);
        await field.fill("0.5");
        await field.press("Enter");
        await client.value({ view: "status" }, ({ settings }) => settings.bodyCap === 512 * 1024);
        await page.getByText("Enter a number from 0 to 100 (MB).").waitFor({ state: "detached" });
        client.close();
      }),
    { skip },
  );

  test(
    "given a host override, applies it from the next request on, and refuses an invalid one beside the field",
    () =>
      atSettings(async (page, weir) => {
        const server = createServer((_, response) => response.writeHead(204).end()).listen(0, "127.0.0.1");
        await once(server, "listening");
        const proxied = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://shop.test");
        assert.is((await proxied.ask("GET", "/")).status, 502);
        const field = page.getByRole("textbox", { name: "Host overrides" });
        await field.fill("shop.test=nowhere");
        await field.blur();
        await page.getByText('"shop.test=nowhere" does not have the form name=address:port.').waitFor();
        await field.fill(`shop.test=127.0.0.1:${(server.address() as AddressInfo).port}`);
        await field.blur();
        await page.getByRole("status").filter({ hasText: "Saved." }).waitFor();
        assert.is((await proxied.ask("GET", "/")).status, 204);
        server.close();
        server.closeAllConnections();
      }),
    { skip },
  );

  test(
    "given a reverse port, opens it at once, and refuses an invalid one beside the field",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const field = page.getByRole("textbox", { name: "Reverse ports" });
        await field.fill("9001=probe.weir.test");
        await field.blur();
        await page.getByText('"9001=probe.weir.test" does not have the form port=origin').waitFor();
        const port = await unusedPort();
        await field.fill(`${port}=https://probe.weir.test`);
        await field.blur();
        await client.value({ view: "hub" }, ({ reversePorts }) => reversePorts.length === 1);
        client.close();
        const proxied = new ProxiedClient({ port, ca: "" }, `http://127.0.0.1:${port}`);
        assert.is((await proxied.ask("GET", "/anything/weir/x")).status, 400, "it takes a path, as no proxy does");
        const response = await fetch(`http://127.0.0.1:${port}/anything/weir/x`);
        assert.is(((await response.json()) as { url: string }).url, "https://probe.weir.test/anything/weir/x");
      }),
    { skip },
  );

  test(
    "given a limit of rows per session, removes the oldest rows and says so",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const field = page.getByRole("textbox", { name: "Requests per session" });
        assert.is(await field.inputValue(), "1000000");
        await field.fill("1000");
        await field.press("Enter");
        await client.value({ view: "status" }, ({ settings }) => settings.rowCap === 1_000);
        const proxied = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://probe.weir.test");
        for (let count = 0; count < 1_002; count += 1) await proxied.ask("GET", "/anything/weir/curl");
        await page.getByText("The oldest 2 rows left the list to make room. Statistics still count them.").waitFor();
        client.close();
      }),
    { skip },
  );

  test(
    "given a click on Delete all captured data, explains the consequences and deletes after a confirmation",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const proxied = new ProxiedClient({ port: weir.proxy.port, ca: "" }, "http://probe.weir.test");
        await proxied.ask("GET", "/anything/weir/curl");
        await client.value({ view: "sessions" }, ({ sessions }) => sessions.length === 1);
        await page.getByRole("button", { name: "Delete all captured data" }).click();
        await page.getByRole("button", { name: "Keep it" }).click();
        await page.getByRole("button", { name: "Delete all captured data" }).click();
        await page.getByText("This deletes all captured data and cannot be undone.").waitFor();
        assert.equal(await accessibilityFindings(page), []);
        await page.getByRole("button", { name: "Delete all now" }).click();
        await page.getByRole("status").filter({ hasText: "All captured data deleted." }).waitFor();
        await client.value({ view: "sessions" }, ({ sessions }) => sessions.length === 0);
        client.close();
      }),
    { skip },
  );

  test(
    "given a click on Renew the certificate, explains the consequences and renews after a confirmation",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const { certificate } = await client.value({ view: "status" });
        const shown = (fingerprint: string) => page.getByText(fingerprint, { exact: true });
        await shown(certificate.fingerprint).waitFor();
        await page.getByText(certificateDateText(certificate.validTo), { exact: true }).waitFor();
        await page.getByRole("button", { name: "Renew the certificate" }).click();
        for (const words of ["reject Weir until", "files are replaced", "at once", "is deleted", "remove it yourself"])
          await page.getByRole("listitem").filter({ hasText: words }).waitFor();
        await page.getByRole("button", { name: "Keep this one" }).click();
        await page.getByRole("button", { name: "Renew the certificate" }).click();
        await page.getByRole("button", { name: "Renew now" }).click();
        await shown(certificate.fingerprint).waitFor({ state: "detached" });
        const renewed = await client.value({ view: "status" });
        assert.is.not(renewed.certificate.fingerprint, certificate.fingerprint);
        await shown(renewed.certificate.fingerprint).waitFor();
        assert.ok(await page.getByRole("button", { name: "Renew the certificate" }).isVisible());
        client.close();
      }),
    { skip },
  );

  test(
    "given HTTP/2, switches it off for all hosts or for some, and keeps a host being typed",
    () =>
      atSettings(async (page, weir) => {
        const client = await PageClient.open(weir);
        const speaks = page.getByRole("checkbox", { name: "Speak HTTP/2" });
        assert.ok(await speaks.isChecked());
        await speaks.uncheck();
        await client.value({ view: "status" }, ({ settings }) => !settings.http2);
        await speaks.check();
        await client.value({ view: "status" }, ({ settings }) => settings.http2);
        await speaks.press("/");
        await page.locator(".settings-find:focus").waitFor();
        const hosts = page.getByRole("textbox", { name: "HTTP/1.1 only" });
        await hosts.fill("*.old.test\nold.test");
        await hosts.blur();
        const { settings } = await client.value({ view: "status" }, (now) => now.settings.http1Hosts.length === 2);
        assert.equal(settings.http1Hosts, ["*.old.test", "old.test"]);
        await hosts.fill("https://old.test");
        // Another setting's change arrives while a user types: neither it nor the previously saved value changes the
        // field.
        await client.command({ type: "set-setting", key: "passThrough", value: ["bank.test"] });
        await page.waitForFunction(() =>
          [...document.querySelectorAll("textarea")].some((one) => one.value === "bank.test"),
        );
        assert.is(await hosts.inputValue(), "https://old.test");
        await hosts.blur();
        await page.getByRole("alert").filter({ hasText: '"https://old.test" is not a host name' }).waitFor();
        assert.is(await hosts.inputValue(), "https://old.test", "what was refused stays to be mended");
        client.close();
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given Settings with open confirmations, ${dark ? "dark" : "light"}, axe finds no violation`,
      () =>
        atSettings(
          async (page) => {
            await page.getByRole("button", { name: "Renew the certificate" }).click();
            await lanSwitch(page).check();
            await page.getByRole("button", { name: "Renew now" }).waitFor();
            assert.equal(await accessibilityFindings(page), []);
          },
          { dark },
        ),
      { skip },
    );
  }
});
