import { setTimeout as pause } from "node:timers/promises";
import * as assert from "uvu/assert";
import { accessibilityFindings } from "../../support/accessibility.ts";
import { needsChromium } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { go, openTab, row } from "../../support/main-window.ts";
import { eventsOfModel, requestOfModel, streamTypeOf } from "../../support/model-streams.ts";
import { pictures } from "../../support/pictures.ts";
import { onServedWindow } from "../../support/served-window.ts";

/** How many calls each model has. The second one begins sooner. */
const CALLS = 6;
const SECOND = { model: "claude-small-4", calls: 5 };

const ANSWER = {
  model: "claude-large-4",
  words: Array.from({ length: 40 }, (_, index) => `word ${index} `),
  input: 12_402,
  output: 512,
  cached: 11_000,
  tools: ["get_weather"],
};

describe("language model calls in the window", (test) => {
  test(
    "given streamed calls, Timing tells their figures, and the endpoint's panel those by model",
    () =>
      onServedWindow(
        {
          hosts: ["models.test"],
          answer: async (asked, response) => {
            const pieces: Buffer[] = [];
            for await (const piece of asked) pieces.push(piece as Buffer);
            const { model } = JSON.parse(Buffer.concat(pieces).toString()) as { model: string };
            const thinking = model === ANSWER.model ? 2_100 : 300;
            response.writeHead(200, { "Content-Type": streamTypeOf("anthropic") });
            let isFirst = true;
            for (const { text, isToken } of eventsOfModel("anthropic", { ...ANSWER, model })) {
              if (isToken) await pause(isFirst ? thinking : 15);
              if (isToken) isFirst = false;
              response.write(text);
            }
            response.end();
          },
          before: async (client) => {
            for (let call = 0; call < CALLS + SECOND.calls; call += 1) {
              const model = call < CALLS ? ANSWER.model : SECOND.model;
              const body = requestOfModel("anthropic", model, "Answer in short.", `question ${call}`);
              await client.ask("POST", "/v1/messages", Buffer.from(body), { "Content-Type": "application/json" });
            }
          },
        },
        async ({ page }) => {
          await go(page, "Traffic");
          await row(page, "/v1/messages").first().click();
          await page.getByRole("tab", { name: "Timing", exact: true }).click();
          const facts = page.getByRole("region", { name: "Language model", exact: true });
          await facts.waitFor();
          const text = (await facts.textContent()) ?? "";
          for (const fact of [
            /Model\s*claude-large-4/,
            /First token\s*\d,\d{3}\.\d ms/,
            /Rate\s*\d+ tokens\/s/,
            /Longest stall\s*none\s*Longest pause\s*\d+\.\d ms/,
            /Tokens in\s*12,402\s*Cached tokens\s*11,000/,
            /Tokens out\s*512/,
            /Tool calls\s*1 call: get_weather/,
            /Finish reason\s*end_turn/,
          ])
            assert.match(text, fact);
          assert.equal(await accessibilityFindings(page), []);
          await pictures(page, "timing");

          await openTab(page, "Latency");
          await row(page, "/v1/messages").first().click();
          const table = page.getByRole("region", { name: "Language models", exact: true });
          const cells = table.getByRole("row", { name: ANSWER.model }).getByRole("cell");
          await cells.first().waitFor();
          assert.match((await cells.allTextContents()).join(" "), /^6 \d,\d{3} \d,\d{3} \d+$/);
          for (const { model, calls } of [{ model: ANSWER.model, calls: CALLS }, SECOND]) {
            await table.getByRole("button", { name: model }).click();
            for (const name of ["First token, ms", "Rate, tokens/s"]) {
              const chart = table.getByRole("figure", { name: `${name}, of ${model}` });
              await chart.waitFor();
              const counts = await chart.getByRole("row").getByRole("cell").allTextContents();
              const sum = counts.reduce((all, count) => all + Number(count), 0);
              assert.is(sum, calls, name);
            }
          }
          assert.equal(await accessibilityFindings(page), []);
          await pictures(page, "endpoint");
        },
      ),
    { skip: needsChromium() },
  );
});
