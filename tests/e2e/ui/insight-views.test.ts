import type { Locator } from "playwright-core";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { completeSession, go, onStage, openTab, row, type Stage, TOKEN, times } from "../../support/insight-stage.ts";

/** docs/security.md S8: text that would have an effect as markup. */
const HOSTILE = "<img src=x onerror=alert(1)>";

/** A login whose token the next request carries. */
async function sendChain({ ask }: Stage): Promise<void> {
  const { token } = JSON.parse(await ask("/login"));
  await ask(`/account?token=${token}`);
}

describe("insight views", (test) => {
  const skip = needsChromium();

  test(
    "given a proven link, Chains shows what proves it, and Timeline shows the chain",
    () =>
      onStage(async (stage) => {
        const { page } = stage;
        await sendChain(stage);
        await openTab(page, "Chains");
        await page.setViewportSize({ width: 560, height: 600 });
        const sentence = page.locator(".chain-sentence").first();
        assert.ok(await sentence.evaluate((words) => words.scrollWidth <= words.clientWidth), "it is read whole");
        await page.setViewportSize({ width: 900, height: 600 });
        const lines = await sentence.evaluate((words) => {
          const [saving, rest] = words.children;
          if (saving === undefined || rest === undefined) return null;
          saving.textContent = "Up to 359,824 ms less if parallel";
          rest.textContent = "; 9,082 exchanges, no link proven, client’s own 94,352 ms.";
          return words.getBoundingClientRect().height / 20;
        });
        assert.is(lines, 1, "also where its figures are large");
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.getByRole("button", { name: "GET /login, GET /account" }).click();
        const chain = page.getByRole("region", { name: "Chain", exact: true });
        await chain.getByText("proven: uses a value from the body of the previous response").waitFor();
        await chain.getByText(TOKEN, { exact: true }).waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("account");
        await page.getByText("Only chains and repeats with a matching exchange").waitFor();
        await page.keyboard.press("Escape");
        await chain.getByRole("button", { name: "Show in Timeline" }).click();
        await row(page, "/login").first().waitFor();
        await row(page, "/account").first().waitFor();
      }),
    { skip },
  );

  test(
    "given no exchanges, Timeline shows no ticks",
    () =>
      onStage(async ({ page, ask }) => {
        await go(page, "Timeline");
        await page.getByRole("heading", { name: "Nothing in this session yet" }).waitFor();
        assert.is(await page.locator(".timeline-tick").count(), 0);
        await ask("/orders");
        await page.locator(".timeline-tick").first().waitFor();
      }),
    { skip },
  );

  test(
    "given a selected exchange, Timeline and inspector show the same one, and keys zoom and move the range",
    () =>
      onStage(async ({ page, ask }) => {
        await times(3, () => ask("/orders"));
        await page.keyboard.press("3");
        const second = row(page, "/orders").nth(1);
        await second.waitFor();
        assert.match((await second.getAttribute("title")) ?? "", "connection reused: no DNS, Connect or TLS");
        await second.click();
        await page.getByRole("region", { name: "Inspector" }).waitFor();
        await page.getByRole("grid", { name: "Exchanges by start" }).focus();
        await page.keyboard.press("Enter");
        await page.getByRole("tab", { name: "Timing", exact: true, selected: true }).waitFor();
        await page.keyboard.press("1");
        await page.locator('[aria-selected="true"][role="row"]').waitFor();
        await page.keyboard.press("3");
        await page.getByText("3 of 3 in 5.2 s", { exact: true }).waitFor();
        await page.getByRole("grid", { name: "Exchanges by start" }).focus();
        await page.keyboard.press("-");
        const from = page.getByRole("slider", { name: /^Start of the visible range/ });
        await from.focus();
        await page.keyboard.press("ArrowRight");
        await page.getByText("3 of 3 in 5.2 s", { exact: true }).waitFor({ state: "detached" });
        const ttfb = page.getByRole("button", { name: "TTFB" });
        const drawn = () => page.locator(".timeline-ttfb").getAttribute("d");
        await page.getByRole("button", { name: "Fit session" }).first().click();
        await page.waitForFunction(() => document.querySelector(".timeline-ttfb")?.getAttribute("d") !== "");
        await ttfb.click();
        assert.is(await drawn(), "");
      }),
    { skip },
  );

  test(
    "given a range without matches, Timeline still counts the matches in the session",
    () =>
      onStage(async ({ page, ask }) => {
        await ask("/missing");
        await times(20, () => ask("/orders"));
        await page.keyboard.press("3");
        // The range is the session as far as it is known.
        await page.getByText(/^\d+ of 21 in /).waitFor();
        await page.getByRole("button", { name: "Fit session" }).first().click();
        await page.getByText(/^21 of 21 in /).waitFor();
        await page.getByRole("slider", { name: /^Start of the visible range/ }).focus();
        // Each press leaves three quarters of the range, so only the last moments remain, however long the requests
        // took.
        await times(30, () => page.keyboard.press("PageUp"));
        await page.getByText(/^21 of 21 in /).waitFor({ state: "detached" });
        await page.getByRole("combobox", { name: "Filter" }).fill("missing ");
        await page.getByText(/^0 of 1 in /).waitFor();
        await page.getByText("1 of 21", { exact: true }).waitFor();
      }),
    { skip },
  );

  test(
    "given an ended session, Timeline fits it, Fit matches fits the matches, and a drag selects a range",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await ask("/early");
        // They take long, so that the match is not nearly the whole session.
        await times(2, () => ask("/orders?slowly"));
        await page.keyboard.press("3");
        await page.getByText(/^\d of 3 in 5\.2 s$/).waitFor();
        const summary = page.locator(".timeline-summary");
        // Presses where the target is then: a critical path that arrives meanwhile moves the ruler.
        const drag = async (target: Locator, from: number, to: number) => {
          const box = await target.boundingBox();
          if (box === null) throw new Error("nothing to drag on");
          const at = (share: number) => ({ x: box.width * share, y: box.height / 2 });
          await target.dragTo(target, { sourcePosition: at(from), targetPosition: at(to) });
        };
        /** "5.2 s" of "3 of 3 in 5.2 s", once it differs from `before`. */
        const lengthAfter = async (before: string) => {
          await summary.filter({ hasNotText: before }).waitFor();
          return ((await summary.textContent()) ?? "").split(" in ")[1] ?? "";
        };
        // A drag inside the brush selects a new range, too.
        await page.getByRole("button", { name: "Fit session" }).first().click();
        const whole = await lengthAfter(" in 5.2 s");
        await drag(page.locator(".timeline-minimap"), 0.4, 0.8);
        const part = await lengthAfter(` in ${whole}`);
        // The critical path of the new range may come between press and release and move the ruler away.
        for (let isDone = false; !isDone; ) {
          await drag(page.locator(".timeline-ruler"), 0.2, 0.7);
          const changed = summary.filter({ hasNotText: ` in ${part}` }).waitFor({ timeout: 5_000 });
          isDone = await changed.then(
            () => true,
            () => false,
          );
        }
        await page.getByRole("combobox", { name: "Filter" }).fill("early ");
        await page.getByRole("button", { name: "Fit matches" }).first().click();
        await summary.filter({ hasText: /^1 of 1 in / }).waitFor();
        await lengthAfter(` in ${whole}`);
        await page.getByRole("button", { name: "Clear filter" }).first().click();
        // An ended session is shown whole.
        await completeSession(stage);
        await page.keyboard.press("4");
        await page
          .getByRole("button", { name: /^Open / })
          .first()
          .click();
        // Traffic shows the session first.
        await page.getByText(/^Showing /).waitFor();
        await page.getByRole("grid", { name: "Exchanges" }).waitFor();
        await page.keyboard.press("3");
        await summary.filter({ hasText: /^(\d+) of \1 in / }).waitFor();
        assert.not.match((await summary.textContent()) ?? "", / in 5\.2 s$/);
      }),
    { skip },
  );

  test(
    "given scrolled rows, Timeline keeps each length beside its own bar",
    () =>
      onStage(async ({ page, ask }) => {
        await times(40, () => ask("/orders"));
        await page.keyboard.press("3");
        await row(page, "/orders").first().waitFor();
        await page.getByRole("button", { name: "Fit session" }).first().click();
        // In sequence: each bar ends further right than the one before.
        const lefts = () =>
          page.locator(".timeline-row .timeline-length").evaluateAll((all) =>
            all.flatMap((each) => {
              const left = Number.parseFloat((each as HTMLElement).style.left);
              return Number.isNaN(left) ? [] : [left];
            }),
          );
        const rise = (values: readonly number[]) =>
          values.length > 5 && values.every((x, at) => x >= (values[at - 1] ?? 1));
        // Waits until the requested range is drawn; from then on every frame must hold it.
        while (!rise(await lefts()));
        const first = await page.locator(".timeline-row").first().getAttribute("aria-rowindex");
        await page.getByRole("grid", { name: "Exchanges by start" }).hover();
        await page.mouse.wheel(0, 28 * 3);
        await page.waitForFunction(
          (before) => document.querySelector(".timeline-row")?.getAttribute("aria-rowindex") !== before,
          first,
        );
        assert.ok(rise(await lefts()));
      }),
    { skip },
  );

  test(
    "given two fingers on Timeline, zooms, and given one finger, does not",
    () =>
      onStage(async ({ page, ask }) => {
        await times(3, () => ask("/orders"));
        await page.keyboard.press("3");
        const whole = page.getByText("3 of 3 in 5.2 s", { exact: true });
        await whole.waitFor();
        const screen = await page.context().newCDPSession(page);
        await screen.send("Emulation.setTouchEmulationEnabled", { enabled: true });
        const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...places: readonly number[]) =>
          screen.send("Input.dispatchTouchEvent", { type, touchPoints: places.map((x, id) => ({ x, y: 400, id })) });
        await touch("touchStart", 800);
        await touch("touchMove", 900);
        await touch("touchEnd");
        assert.ok(await whole.isVisible());
        await touch("touchStart", 800, 900);
        await touch("touchMove", 700, 1_000);
        await touch("touchEnd");
        await page.getByText(/^\d of 3 in 1\.7 s$/).waitFor();
      }),
    { skip },
  );

  test(
    "given fewer than three sessions, Trends says how many there are, and later describes each change",
    () =>
      onStage(async (stage) => {
        const { page, ask } = stage;
        await times(2, () => completeSession(stage));
        await times(5, () => ask("/orders"));
        await openTab(page, "Trends");
        await page.getByRole("heading", { name: "2 of 3 completed sessions recorded" }).waitFor();
        await page.getByRole("tab", { name: "Latency", exact: true }).click();
        await page.getByText("Trend: 2 of 3 completed sessions recorded", { exact: false }).waitFor();
        await completeSession(stage);
        await times(5, () => ask("/orders"));
        await openTab(page, "Trends");
        await row(page, "/orders")
          .getByText(/^(stable|slower|faster|can't tell)$/)
          .waitFor();
        assert.match((await row(page, "/orders").getByRole("img").getAttribute("aria-label")) ?? "", /^3 sessions: /);
        await page.getByRole("button", { name: "Error rate" }).click();
        await row(page, "/orders").getByText("stable").waitFor();
      }),
    { skip },
  );

  test(
    "given captured bodies, Payload shows ratios, oversized responses, and what compression would save",
    () =>
      onStage(async ({ page, ask }) => {
        await times(6, () => ask("/list"));
        await times(5, () => ask("/packed"));
        await times(5, () => ask("/text"));
        await openTab(page, "Payload");
        await row(page, "/packed").getByTitle("Content-Encoding gzip").getByText("smaller").waitFor();
        await row(page, "/text").getByTitle("Bodies were not compressed").waitFor();
        await row(page, "/list").getByRole("button", { name: "1 oversized response, show in Traffic" }).waitFor();
        await row(page, "/text").click();
        const panel = page.getByRole("region", { name: "Payload of the endpoint" });
        await panel.locator("canvas").first().waitFor();
        await panel.getByRole("button", { name: "What would compression save?" }).click();
        await panel.getByRole("status").filter({ hasText: "gzip" }).waitFor();
        await row(page, "/list").getByRole("button", { name: "1 oversized response, show in Traffic" }).click();
        await row(page, "/list").getByText("oversized").waitFor();
        assert.is(await page.getByRole("row").filter({ hasText: "/list" }).count(), 1);
      }),
    { skip },
  );

  test(
    'given no requests, or an invalid filter, Slow requests says so instead of "Nothing is slow"',
    () =>
      onStage(async ({ page, ask }) => {
        await openTab(page, "Slow requests");
        await page.getByRole("heading", { name: "No requests yet" }).waitFor();
        await ask("/orders");
        await page.getByRole("heading", { name: "Nothing is slow" }).waitFor();
        await page.getByRole("combobox", { name: "Filter" }).fill("status:abc ");
        await page.getByRole("heading", { name: "Filter not applied" }).waitFor();
        await page
          .getByRole("tabpanel", { name: "Slow requests" })
          .getByRole("button", { name: "Clear filter" })
          .click();
        await page.getByRole("heading", { name: "Nothing is slow" }).waitFor();
      }),
    { skip },
  );

  test(
    "given hostile text in paths and queries, Timeline, Payload, Chains and Trends render no element from it",
    () =>
      onStage(async ({ page, ask }) => {
        await times(5, () => ask(`/${encodeURIComponent(HOSTILE)}`));
        await ask(`/x?${HOSTILE.replaceAll(" ", "%20").replaceAll("<", "%3C")}`);
        await page.keyboard.press("3");
        await row(page, "onerror").first().waitFor();
        for (const name of ["Payload", "Chains", "Trends"]) await openTab(page, name);
        assert.is(await page.locator("img[src=x]").count(), 0);
      }),
    { skip },
  );

  for (const dark of [false, true]) {
    test(
      `given the insight views, ${dark ? "dark" : "light"}, axe finds no violation`,
      () =>
        onStage(async (stage) => {
          const { page, ask } = stage;
          const clean = async (name: string) => assert.equal(await accessibilityFindings(page), [], name);
          await page.keyboard.press("3");
          await clean("Timeline, empty");
          await page.keyboard.press("4");
          await clean("Sessions, empty");
          await openTab(page, "Trends");
          await clean("Trends, empty");
          await times(3, () => completeSession(stage));
          await times(5, () => ask("/orders"));
          await times(5, () => ask("/text"));
          await ask("/missing");
          await sendChain(stage);
          await page.keyboard.press("3");
          await row(page, "/account").first().waitFor();
          await clean("Timeline");
          await row(page, "/account").click();
          await page.getByRole("region", { name: "Inspector" }).waitFor();
          await clean("Timeline, inspector");
          await openTab(page, "Payload");
          await row(page, "/text").click();
          await page.getByRole("region", { name: "Payload of the endpoint" }).locator("canvas").first().waitFor();
          await clean("Payload");
          await openTab(page, "Chains");
          // Repeats are listed apart from chains, and are buttons too.
          await page.getByRole("heading", { name: "Chains, proven first" }).waitFor();
          await page.getByRole("button", { name: /^GET / }).first().click();
          await page.getByRole("region", { name: "Chain", exact: true }).waitFor();
          await clean("Chains");
          await openTab(page, "Trends");
          await row(page, "/orders").waitFor();
          await clean("Trends");
          await page.getByRole("button", { name: /^(Grouped: |No similar paths)/ }).click();
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).waitFor();
          await clean("Similar paths");
          await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
          await page.keyboard.press("4");
          await page
            .getByRole("button", { name: /^shop\.test, / })
            .first()
            .click();
          await clean("Sessions");
          await page.getByLabel("Compare Current session").check();
          await page
            .getByLabel(/^Compare shop\.test, /)
            .first()
            .check();
          await page.getByRole("button", { name: "Compare", exact: true }).click();
          await row(page, "/orders").waitFor();
          await clean("Comparison");
        }, dark),
      { skip },
    );
  }
});
