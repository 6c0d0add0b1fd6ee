import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import type { Commands, Reply } from "../../../../src/ui/state/commands.ts";
import type { Selection } from "../../../../src/ui/state/selection.ts";
import type { ComparisonWish } from "../../../../src/ui/views/dependencies.ts";
import { comparisonDialog } from "../../../../src/ui/views/shell/comparison.ts";
import { describe } from "../../../support/describe.ts";

const id = (number: number) => number as ExchangeId;

/** A dialog whose commands are answered by hand. */
function onStage<View extends { init(): void }>(
  make: (deps: object, listen: (take: (wish: ComparisonWish) => void) => void) => View,
) {
  const asked: { readonly command: Command; readonly answer: (reply: Reply) => void }[] = [];
  const chosen: object[] = [];
  let wish: (wish: ComparisonWish) => void = () => {};
  const commands = {
    send: (command: Command) => new Promise<Reply>((answer) => asked.push({ command, answer })),
  } as unknown as Commands;
  const selection = { set: (change: object) => chosen.push(change) } as unknown as Selection;
  const view = make({ commands, selection }, (take) => {
    wish = take;
  });
  const dialog = { showModal: () => {}, close: () => {} };
  Object.assign(view, { $root: { closest: () => dialog } });
  view.init();
  return { view, asked, chosen, open: (given: ComparisonWish) => wish(given) };
}

const side = (number: number) => ({
  id: id(number),
  method: "GET",
  url: "/",
  start: 0 as Instant,
  outcome: "200",
  latency: 1,
});
const comparison = (other: number) => ({
  one: side(1),
  other: side(other),
  slowFrom: null,
  rows: [],
  more: 0,
  isCut: false,
  requestBody: { kind: "same", size: 0 },
  responseBody: { kind: "same", size: 0 },
});

describe("dialog for comparing two exchanges", (test) => {
  test("given a late answer to an earlier question, shows only the answer to the latest", async () => {
    const { view, asked, chosen, open } = onStage((deps, listen) => comparisonDialog(deps as never, listen));
    open({ exchange: id(1), other: id(5) });
    assert.equal(view.choices[0], { name: "The other selected row", other: 5 });
    view.compareWith("twin");
    asked[1]?.answer({ ok: true, value: comparison(7) });
    asked[0]?.answer({ ok: true, value: comparison(5) });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(view.ids, [1, 7]);
    view.open(1);
    assert.equal(chosen, [{ exchange: 7 }]);
    assert.equal(asked[1]?.command, { type: "compare-exchanges", exchange: 1, other: "twin" });
  });

  test("given a refusal, shows its sentence and no comparison", async () => {
    const { view, asked, open } = onStage((deps, listen) => comparisonDialog(deps as never, listen));
    open({ exchange: id(1), other: "marked" });
    asked[0]?.answer({ ok: false, problem: "No other exchange has a mark." });
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal([view.problem, view.found, view.choices.length], ["No other exchange has a mark.", null, 2]);
  });
});
