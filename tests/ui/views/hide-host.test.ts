import * as assert from "uvu/assert";
import type { Status } from "../../../src/engine/messages/status-messages.ts";
import type { Commands } from "../../../src/ui/state/commands.ts";
import { UndoStack } from "../../../src/ui/state/undo.ts";
import { setHidden } from "../../../src/ui/views/hide-host.ts";
import { describe } from "../../support/describe.ts";

function stage(hiddenHosts: readonly string[], problem: string | null = null) {
  const sent: unknown[] = [];
  const said: string[] = [];
  const commands = {
    send: async (command: { readonly value: unknown }) => {
      sent.push(command.value);
      return problem === null ? { ok: true, value: null } : { ok: false, problem };
    },
  } as unknown as Commands;
  const undo = new UndoStack();
  const deps = { commands, undo, announce: (text: string) => said.push(text) };
  const status = { settings: { hiddenHosts, showHiddenHosts: false } } as unknown as Status;
  return { sent, said, undo, hide: (host: string, hides: boolean) => setHidden(deps, status, host, hides) };
}

describe("hide-host action", (test) => {
  test("given a host, it joins the hidden hosts once, and undoing takes it from them", async () => {
    const { sent, said, undo, hide } = stage(["a.test"]);
    await hide("b.test", true);
    assert.equal(sent, [["a.test", "b.test"]]);
    assert.equal(said, ["b.test is hidden."]);
    assert.is(await undo.undo(), "b.test is listed again.");
    assert.equal(sent.at(-1), ["a.test"]);
  });

  test("given a hidden host, it can be taken from the list in any letter case", async () => {
    const { sent, hide } = stage(["a.test", "B.test"]);
    await hide("b.test", false);
    assert.equal(sent, [["a.test"]]);
  });

  test("given that the setting is refused, it says why, and there is nothing to undo", async () => {
    const { said, undo, hide } = stage([], "Enter at most 1,000 lines.");
    await hide("a.test", true);
    assert.equal(said, ["Enter at most 1,000 lines."]);
    assert.is(undo.latest, null);
  });
});
