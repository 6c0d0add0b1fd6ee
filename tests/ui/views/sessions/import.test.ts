import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import type { Selected } from "../../../../src/ui/state/selection.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { importDialog } from "../../../../src/ui/views/sessions/import.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";

/** The dialog with a file of two pieces, over an engine that replies when the test says so. */
function started() {
  const sent: Command[] = [];
  let number = 0;
  const {
    channel,
    receive: hear,
    enter,
  } = fakeChannel((message) => {
    if (message.type !== "command") return;
    ({ number } = message);
    sent.push(message.command);
    told();
  });
  const commands = new Commands(channel);
  let told = (): void => {};
  const another = () =>
    new Promise<void>((resolve) => {
      told = resolve;
    });
  enter({ kind: "open" });
  const selected: Partial<Selected>[] = [];
  const selection = { set: (change: Partial<Selected>) => void selected.push(change) };
  let done = (): void => {};
  const ended = new Promise<void>((resolve) => {
    done = resolve;
  });
  const announced: string[] = [];
  const announce = (text: string) => {
    announced.push(text);
    done();
  };
  const deps = { commands, selection, announce } as unknown as ViewDependencies;
  const root = { closest: () => null } as unknown as HTMLElement;
  const dialog = Object.assign(importDialog(deps), { $root: root });
  dialog.choose({ files: [new File(["x".repeat(100_000)], "shop.har")] } as unknown as HTMLInputElement);
  const first = another();
  dialog.start();
  const answer = async (value: unknown): Promise<void> => {
    const next = another();
    hear({ type: "reply", number, ok: true, value });
    await next;
  };
  const last = (value: unknown): Promise<void> => {
    hear({ type: "reply", number, ok: true, value });
    return ended;
  };
  return { dialog, sent, selected, announced, first, answer, last };
}

const types = (sent: readonly Command[]) => sent.map(({ type }) => type);
const PROGRESS = { exchanges: 1, leftOutCount: 0, leftOut: [], session: "a" };

describe("import dialog", (test) => {
  test("given an import whose dialog is closed, cancels the import", async () => {
    const { dialog, sent, first, answer } = started();
    await first;
    await answer({ importNumber: 5 });
    dialog.destroy();
    await answer(PROGRESS);
    assert.equal(types(sent), ["import-har", "import-piece", "cancel-import"]);
  });

  test("given an import to look at, shows Traffic without a filter and without an open exchange", async () => {
    const { sent, selected, first, answer, last } = started();
    await first;
    await answer({ importNumber: 5 });
    await answer(PROGRESS);
    await last(PROGRESS);
    assert.equal(types(sent), ["import-har", "import-piece", "import-piece"]);
    assert.equal(selected, [{ view: "traffic", filter: "", exchange: null }]);
  });

  test("given entries left out, announces each with its number, reason and value", async () => {
    const { announced, first, answer, last } = started();
    await first;
    await answer({ importNumber: 5 });
    await answer(PROGRESS);
    const leftOut = [
      { entry: 2, reason: "it is not an object: null" },
      { entry: 5, reason: 'startedDateTime is not a date: "soon"' },
    ];
    await last({ exchanges: 7, leftOutCount: 2, leftOut, session: "a" });
    assert.equal(announced, [
      'Imported 7 exchanges; 2 entries were left out. Entry 2: it is not an object: null. Entry 5: startedDateTime is not a date: "soon".',
    ]);
  });

  test("given many entries left out, announces the first ten and how many more there are", async () => {
    const { announced, first, answer, last } = started();
    await first;
    await answer({ importNumber: 5 });
    await answer(PROGRESS);
    const leftOut = Array.from({ length: 100 }, (_, index) => ({ entry: index + 1, reason: "it is not an object: 1" }));
    await last({ exchanges: 7, leftOutCount: 2_000, leftOut, session: "a" });
    assert.match(
      announced[0] ?? "",
      /; 2,000 entries were left out\. Entry 1: .* Entry 10: [^E]*1,990 more entries were left out\.$/,
    );
  });
});
