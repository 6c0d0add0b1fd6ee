import { setTimeout } from "node:timers/promises";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { UiClientContext } from "../../../extensions/proxy/engine-thread/commands/ui-client.ts";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { withEngine } from "../../support/engine-stage.ts";
import { rounds } from "../../support/rounds.ts";

const ASKED = ["where", "chains", "groups", "repeats", "ranked"] as const;

describe("engine thread during an analysis", (test) => {
  test("given Clear, Undo or a new session during a computation, answers about the shown session only", async () => {
    const drawn = fc.record({
      before: fc.integer({ min: 1, max: 200 }),
      after: fc.integer({ min: 1, max: 40 }),
      change: fc.constantFrom("clear", "new-session", "undo"),
      asked: fc.subarray([...ASKED], { minLength: 1 }),
      ticks: fc.integer({ min: 0, max: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(drawn, ({ before, after, change, asked, ticks }) =>
        withEngine(async ({ client, capture, engine, said }) => {
          capture("old", before);
          ask(client, asked);
          const exported = client
            .execute({ type: "export", format: "csv", table: null, redact: false, filter: "" })
            .then((reply) => (reply as { readonly exportNumber: number }).exportNumber, String);
          for (let tick = 0; tick < ticks; tick += 1) await engine.tick();
          const ended = String(await client.execute({ type: change === "undo" ? "clear" : change }));
          ask(client, asked);
          await engine.tick();
          if (change === "undo") await client.execute({ type: "undo-clear", session: ended });
          capture("new", after);

          const total = change === "undo" ? before + after : after;
          const where = await settled(client, total);
          assert.is(where.exchanges, total);
          const { insights, session } = client.context();
          assert.is(session.exchanges, total);
          const isShown = (id: ExchangeId) => session.exchange(id) !== null;
          for (const { exchanges } of insights.repeats().repeats) assert.ok(exchanges.every(isShown));
          for (const { exchanges } of insights.groups().groups) assert.ok(exchanges.every(isShown));
          for (const { exchanges } of insights.ranked().found?.records ?? []) assert.ok(exchanges.every(isShown));

          const number = await exported;
          if (typeof number === "string") assert.match(number, /This session was closed\.$/);
          else {
            const end = await endOf(said, number);
            const text = said
              .flatMap((one) => ("text" in one && one.exportNumber === number ? [one.text] : []))
              .join("");
            if (end.problem === null) assert.is(text.trim().split("\r\n").length, before + 1);
            else assert.match(end.problem, /^This session was closed before its export was complete\./);
          }
        }),
      ),
      { numRuns: rounds(4) },
    );
  });

  test("given events from before the cut that arrive after the command, the old session gets them", async () => {
    const drawn = fc.record({
      known: fc.integer({ min: 1, max: 20 }),
      late: fc.integer({ min: 1, max: 20 }),
      after: fc.integer({ min: 1, max: 20 }),
      change: fc.constantFrom("clear", "new-session"),
    });
    await fc.assert(
      fc.asyncProperty(drawn, ({ known, late, after, change }) =>
        withEngine(async ({ client, capture, holdCut }) => {
          const cut = holdCut();
          capture("known", known);
          const ended = client.execute({ type: change });
          capture("late", late);
          const old = client.context().session;
          assert.is(old.exchanges, known + late);
          cut();
          capture("after", after);
          await ended;
          assert.is(client.context().session.exchanges, after);
          // While Clear can be undone, the old session goes on.
          assert.is(old.exchanges, change === "clear" ? known + late + after : known + late);
        }),
      ),
      { numRuns: rounds(6) },
    );
  });
});

function ask({ context }: UiClientContext, parts: readonly (typeof ASKED)[number][]): void {
  const { insights } = context();
  for (const part of parts) insights[part]();
}

/** Where the time went, once that covers all exchanges. */
async function settled(client: UiClientContext, exchanges: number) {
  for (;;) {
    const { insights } = client.context();
    for (const part of ASKED) insights[part]();
    const where = insights.where();
    const { found } = insights.ranked();
    if (where?.exchanges === exchanges && found?.report.exchanges === exchanges) return where;
    if (where !== null) assert.ok(where.exchanges <= exchanges, `${where.exchanges} of ${exchanges}`);
    await setTimeout(5);
  }
}

async function endOf(said: readonly FromEngine[], number: number) {
  for (;;) {
    for (const one of said) if (one.type === "export-piece" && one.exportNumber === number && one.done) return one;
    await setTimeout(5);
  }
}
