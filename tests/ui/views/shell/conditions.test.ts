import * as assert from "uvu/assert";
import { PRESETS } from "../../../../src/engine/model/conditions.ts";
import { conditionsDialog } from "../../../../src/ui/views/shell/conditions.ts";
import { describe } from "../../../support/describe.ts";

/** A dialog, the commands that it sent, and a root whose dialog counts how often it was closed. */
function opened(problem: string | null = null) {
  const sent: object[] = [];
  const send = async (command: object) => {
    sent.push(command);
    return problem === null ? { ok: true as const, value: null } : { ok: false as const, problem };
  };
  const commands = { send } as unknown as Parameters<typeof conditionsDialog>[0]["commands"];
  const closed = { count: 0 };
  const root = {
    closest: () => ({
      close: () => {
        closed.count += 1;
      },
    }),
  } as unknown as HTMLElement;
  return { dialog: conditionsDialog({ commands, announce: () => {} }), sent, root, closed };
}

describe("dialog for slowing clients", (test) => {
  test("given each preset, sends its name and figures", async () => {
    for (const { id, name, figures } of PRESETS) {
      const { dialog, sent, root, closed } = opened();
      dialog.choose(id);
      dialog.edit("hosts", "*.a.test, b.test");
      await dialog.start(root);
      assert.equal(sent, [{ type: "set-conditions", conditions: { name, ...figures, hosts: ["*.a.test", "b.test"] } }]);
      assert.is(closed.count, 1);
    }
  });

  test("given an edited figure, sends own figures without a name", async () => {
    const { dialog, sent, root } = opened();
    dialog.edit("down", "900");
    assert.is(dialog.chosen, "own");
    await dialog.start(root);
    assert.equal(sent, [
      { type: "set-conditions", conditions: { name: null, roundTrip: 150, down: 900, up: 750, hosts: [] } },
    ]);
  });

  test("given a figure that is not allowed, says so beside its field and sends nothing", async () => {
    for (const text of ["", "x", "-1", "1.5", "99999999"]) {
      const { dialog, sent, root, closed } = opened();
      dialog.edit("up", text);
      assert.is(dialog.fields.find(({ id }) => id === "up")?.problem, "");
      await dialog.start(root);
      assert.match(dialog.fields.find(({ id }) => id === "up")?.problem ?? "", /from 8 to 1,000,000/);
      assert.equal([sent, closed.count], [[], 0]);
    }
  });

  test("given a refusal, shows it and stays open", async () => {
    const { dialog, root, closed } = opened("no");
    await dialog.start(root);
    assert.equal([dialog.problem, closed.count], ["no", 0]);
  });
});
