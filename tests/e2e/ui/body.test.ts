import type { Page } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { BODIES, copied, ORDER, onBodies, search, shownLines } from "../../support/body-window.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";

const colourOf = (page: Page, text: string) =>
  page
    .locator(".cm-line span", { hasText: text })
    .first()
    .evaluate((element) => getComputedStyle(element).color);

describe("body view", (test) => {
  const skip = needsChromium();

  test(
    "given JSON, shows it in a shadow root, indented with the numbers as sent and deeper parts folded",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/order");
        assert.equal(await shownLines(text), [
          "{",
          '  "id": 12345678901234567890,',
          '  "id": 1.50,',
          '  "order": {',
          '    "state": "pending",',
          '    "total": { "amount": 12890, "currency": "EUR" },',
          '    "items": [3 objects]',
          "  }",
          "}",
        ]);
        assert.ok(await page.evaluate(() => document.querySelector(".body-text")?.shadowRoot instanceof ShadowRoot));
        await page.locator(".token-name", { hasText: '"id"' }).first().waitFor();
        assert.is.not(await colourOf(page, '"id"'), await colourOf(page, '"pending"'));
      }),
    { skip },
  );

  test(
    "given a focused document, selects and copies all of it by keys, refuses typing, and obeys the window's shortcuts",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/order");
        await text.focus();
        await page.keyboard.press("ControlOrMeta+a");
        await page.keyboard.press("ControlOrMeta+c");
        assert.equal(JSON.parse(await copied(page)), JSON.parse(ORDER));
        assert.match(await copied(page), /12345678901234567890,\n {2}"id": 1\.50,/);
        const before = await shownLines(text);
        for (const key of ["x", "Backspace", "Delete", "Space"]) await page.keyboard.press(key);
        await page.keyboard.insertText("typed");
        assert.equal(await shownLines(text), before);
        await page.keyboard.press("Tab");
        assert.is(await text.evaluate((element) => element.matches(":focus")), false);
        await text.focus();
        await page.keyboard.press("/");
        assert.is(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Filter");
        await text.focus();
        await page.keyboard.press("Escape");
        await text.waitFor({ state: "detached" });
      }),
    { skip },
  );

  test(
    "given another theme, changes the colours of the shown body without rendering it again",
    () =>
      onBodies(async ({ page, open }) => {
        const text = await open("/order");
        await text.locator(".token-name").first().waitFor();
        const before = await colourOf(page, '"pending"');
        await text.evaluate((element) => element.setAttribute("data-same", ""));
        // Set as a user does: a theme that only the page was given is reset by the window once a second.
        await page.getByRole("button", { name: "Theme: system" }).click();
        await page.getByRole("button", { name: "Theme: dark", exact: true }).waitFor();
        assert.is.not(await colourOf(page, '"pending"'), before);
        assert.is(await text.getAttribute("data-same"), "");
      }),
    { skip },
  );

  test(
    "given invisible or direction-changing characters, shows a placeholder for each",
    () =>
      onBodies(async ({ open }) => {
        const text = await open("/signs");
        assert.equal(await text.locator(".body-special").allTextContents(), ["␀", "•", "•"]);
      }),
    { skip },
  );

  test(
    "given right-to-left strings in JSON, keeps each string in its place among the brackets and commas",
    () =>
      onBodies(
        async ({ page, open }) => {
          const text = await open("/names");
          await page.getByRole("button", { name: "Raw", exact: true }).click();
          await text.getByText('["שלום","עולם"]').waitFor();
          const edgesOf = (part: string) =>
            text
              .locator(".token-text", { hasText: part })
              .evaluate((element) => element.getBoundingClientRect().toJSON());
          const [first, second] = [await edgesOf("שלום"), await edgesOf("עולם")];
          assert.ok(first.right < second.left, "the comma stands between them");
        },
        { bodies: { "/names": ["application/json", '["שלום","עולם"]'] } },
      ),
    { skip },
  );

  test(
    "given a broken image, says that it is not readable and shows its bytes in Hex",
    () =>
      onBodies(
        async ({ page, choose }) => {
          await choose("/broken");
          await page.getByText("Not a readable image. Choose Hex to see the bytes.").waitFor();
          assert.is(await page.getByRole("img", { name: "Response body as an image" }).count(), 0);
          await page.getByRole("button", { name: "Hex", exact: true }).click();
          await page.getByText("no image at all").waitFor();
          assert.is(await page.getByText("Not a readable image").count(), 0);
        },
        { bodies: { "/broken": ["image/png", "no image at all"] } },
      ),
    { skip },
  );

  test(
    "given a body editor that cannot be loaded, says so",
    () =>
      onBodies(
        async ({ page, choose }) => {
          await page.route(/chunks\/body-editor/, (route) => route.abort());
          await choose("/order");
          await page.getByText("could not be loaded").waitFor();
          assert.is(await page.getByText("Loading.").isVisible(), false);
        },
        { brought: /ERR_FAILED/ },
      ),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given any kind of body, ${dark ? "dark" : "light"}, axe finds no violation at both window sizes`,
      () =>
        onBodies(
          async ({ page, open }) => {
            const findings: string[] = [];
            for (const [width, height] of [
              [1280, 800],
              [900, 600],
            ] as const) {
              await page.setViewportSize({ width, height });
              for (const path of Object.keys(BODIES)) {
                const text = await open(path);
                await search(page).fill("e");
                await text.locator(".cm-line").first().waitFor();
                for (const finding of await accessibilityFindings(page))
                  findings.push(`${path} at ${width}: ${finding}`);
                await search(page).fill("");
              }
            }
            assert.equal(findings, []);
          },
          { dark },
        ),
      { skip },
    );
  }
});
