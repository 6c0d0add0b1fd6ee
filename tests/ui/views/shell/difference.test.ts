import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { Commands, Reply } from "../../../../src/ui/state/commands.ts";
import type { Selection } from "../../../../src/ui/state/selection.ts";
import type { DifferenceWish } from "../../../../src/ui/views/dependencies.ts";
import { differenceDialog } from "../../../../src/ui/views/shell/difference.ts";
import { describe } from "../../../support/describe.ts";

/** A dialog whose commands are answered by hand. */
function onStage<View extends { init(): void }>(
  make: (deps: object, listen: (take: (wish: DifferenceWish) => void) => void) => View,
) {
  const asked: { readonly command: Command; readonly answer: (reply: Reply) => void }[] = [];
  const chosen: object[] = [];
  let wish: (wish: DifferenceWish) => void = () => {};
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
  return { view, asked, chosen, open: (given: DifferenceWish) => wish(given) };
}

describe("dialog for a set's differences", (test) => {
  test("given a set, asks what is different, and shows the requests with an attribute", async () => {
    const { view, asked, chosen, open } = onStage((deps, listen) => differenceDialog(deps as never, listen));
    const set = { by: "matches", filter: "dur>5", between: null } as const;
    open({ set, name: "260 to 270 ms" });
    assert.equal(
      asked.map(({ command }) => command),
      [{ type: "what-differs", set }],
    );
    const value = {
      chosen: 9,
      others: 9,
      leftOut: 0,
      endpoints: 2,
      endpoint: null,
      latencies: [],
      latenciesTried: 0,
      tried: 3,
      attributes: [],
    };
    asked[0]?.answer({ ok: true, value });
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(view.found?.nothing ?? "", /^Nothing significant/);
    assert.is(view.announcement, view.found?.nothing);
    view.showInTraffic("q.a:1");
    assert.equal(chosen, [{ view: "traffic", filter: "q.a:1", exchange: null }]);
  });
});
