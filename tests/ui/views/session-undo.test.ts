import * as assert from "uvu/assert";
import type { Commands } from "../../../src/ui/state/commands.ts";
import { clearStep, deletionStep } from "../../../src/ui/views/session-undo.ts";
import { describe } from "../../support/describe.ts";

describe("undo of session actions", (test) => {
  test("given an undo, sends its command, and says how it ended or why it is no longer possible", async () => {
    const sent: unknown[] = [];
    const said = (reply: object, make: (commands: Commands, id: string) => ReturnType<typeof clearStep>) => {
      const send = async (command: unknown) => {
        sent.push(command);
        return reply;
      };
      return make({ send } as unknown as Commands, "a").undo();
    };
    const cleared = (commands: Commands, id: string) => clearStep(commands, id, true);
    const deleted = (commands: Commands, id: string) => deletionStep(commands, id, "Checkout");
    assert.match(await said({ ok: true, value: { goesOn: true } }, cleared), /recorded further/);
    assert.match(
      await said({ ok: true, value: { goesOn: false } }, cleared),
      /read-only: another one had begun, or the undo came more than a minute after Clear/,
    );
    const clearedUnseen = (commands: Commands, id: string) => clearStep(commands, id, false);
    assert.match(await said({ ok: true, value: { goesOn: false } }, clearedUnseen), /in Sessions/);
    assert.is(await said({ ok: true, value: null }, deleted), "Checkout restored.");
    for (const make of [cleared, deleted]) assert.is(await said({ ok: false, problem: "No." }, make), "No.");
    assert.equal(sent.slice(1, 5), [
      { type: "undo-clear", session: "a" },
      { type: "open-session", session: "a" },
      { type: "undo-clear", session: "a" },
      { type: "restore-session", session: "a" },
    ]);
  });
});
