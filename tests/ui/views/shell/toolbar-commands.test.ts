import * as assert from "uvu/assert";
import type { Status } from "../../../../src/engine/messages/status-messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { toolbarCommands } from "../../../../src/ui/views/shell/toolbar-commands.ts";
import { describe } from "../../../support/describe.ts";

describe("commands of the toolbar", (test) => {
  test("that the proxy runs is not said before it does: its port may be taken, or those are waited for that stopping ends", async () => {
    const said: string[] = [];
    const toggle = async (running: boolean, ok: boolean): Promise<void> => {
      const commands = { send: async () => (ok ? { ok, value: null } : { ok, problem: "No." }) };
      const deps = { selection: new Selection(), commands } as unknown as ViewDependencies;
      const status = { proxy: { running } } as Status;
      const members = {
        ...toolbarCommands(deps, () => status),
        connection: "",
        announce: (text: string) => void said.push(text),
      };
      members.toggleProxy();
      await null;
      await null;
    };
    await toggle(false, true);
    await toggle(true, true);
    await toggle(false, false);
    assert.equal(said, ["The proxy is starting.", "The proxy is stopped.", "No."]);
  });

  test("without Weir what is open stays open, and why nothing is asked is said", () => {
    const said: string[] = [];
    const selection = new Selection();
    const exchange = 7 as ExchangeId;
    selection.set({ exchange });
    const members = {
      ...toolbarCommands({ selection } as ViewDependencies, () => null),
      connection: "Weir has exited.",
      announce: (text: string) => void said.push(text),
    };
    members.clear();
    members.newSession();
    assert.is(selection.now.exchange, exchange);
    assert.equal(said, ["Weir has exited.", "Weir has exited."]);
  });
});
