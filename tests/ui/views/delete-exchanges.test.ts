import * as assert from "uvu/assert";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { PickedRows } from "../../../src/ui/state/selection.ts";
import { UndoStack } from "../../../src/ui/state/undo.ts";
import { deleteExchanges } from "../../../src/ui/views/delete-exchanges.ts";
import { describe } from "../../support/describe.ts";

const ROWS: PickedRows = { filter: "", sort: { column: "startTime", descending: false }, stretches: [] };
const id = (number: number) => number as ExchangeId;

describe("deletion of exchanges from a view", (test) => {
  test("given one row or several, sends the command, offers Undo with the counts, and closes their inspector", async () => {
    const page = deleting({ ok: true, value: { count: 2, inFlight: 1, deletion: 7 } });
    assert.is(await deleteExchanges(page.deps, ROWS), true);
    assert.equal(page.sent.at(-1), { type: "delete-picked", ...ROWS });
    assert.is(page.undo.latest?.offer, "2 exchanges deleted. 1 exchange in flight stayed.");
    assert.equal(page.selected, { active: null, exchange: null });
    assert.is(await page.undo.latest?.undo(), "2 exchanges restored.");
    assert.equal(page.sent.at(-1), { type: "undo-deletion", deletion: 7 });
    page.selected = { exchange: 3 };
    await deleteExchanges(page.deps, id(4));
    assert.equal(page.selected, { active: null, exchange: 3 });
    await page.undo.latest?.undo();
    assert.equal(page.selected, { active: 4, exchange: 4 }, "the restored row");
    page.selected = { exchange: 3 };
    await deleteExchanges(page.deps, id(3));
    assert.equal(
      [page.sent.at(-1), page.selected],
      [
        { type: "delete-exchange", exchange: 3 },
        { active: null, exchange: null },
      ],
    );
    page.undo.withdrawOffer();
  });

  test("given a refusal, announces it and changes nothing", async () => {
    const page = deleting({ ok: false, problem: "An exchange in flight cannot be deleted." });
    assert.is(await deleteExchanges(page.deps, id(3)), false);
    assert.equal(
      [page.said, page.undo.latest, page.selected],
      [["An exchange in flight cannot be deleted."], null, { exchange: 3 }],
    );
  });
});

function deleting(reply: object) {
  const page = {
    sent: [] as unknown[],
    said: [] as string[],
    undo: new UndoStack(),
    selected: { exchange: 3 as number | null } as { readonly active?: number | null; readonly exchange: number | null },
  };
  const deps = {
    commands: {
      send: async (command: unknown) => {
        page.sent.push(command);
        return reply;
      },
    },
    announce: (text: string) => void page.said.push(text),
    undo: page.undo,
    selection: {
      get now() {
        return page.selected;
      },
      set: (change: Partial<typeof page.selected>) => {
        page.selected = { ...page.selected, ...change };
      },
    },
  } as unknown as Parameters<typeof deleteExchanges>[0];
  return Object.assign(page, { deps });
}
