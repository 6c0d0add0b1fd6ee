import * as assert from "uvu/assert";
import type { Status } from "../../../../src/engine/messages/status-messages.ts";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import { UndoStack } from "../../../../src/ui/state/undo.ts";
import { type ToolbarDependencies, toolbarCommands } from "../../../../src/ui/views/shell/toolbar-commands.ts";
import { describe } from "../../../support/describe.ts";

const connected = () => "";

describe("toolbar commands", (test) => {
  test("given a click on the proxy button, announces the new state or the reason of the refusal", async () => {
    const said: string[] = [];
    const toggle = async (running: boolean, ok: boolean): Promise<void> => {
      const commands = { send: async () => (ok ? { ok, value: null } : { ok, problem: "No." }) };
      const announce = (text: string) => void said.push(text);
      const deps = { selection: new Selection(), commands, announce, showEnded() {} } as unknown as ToolbarDependencies;
      const status = { proxy: { running } } as Status;
      toolbarCommands(deps, () => status, connected).toggleProxy();
      await null;
      await null;
    };
    await toggle(false, true);
    await toggle(true, true);
    await toggle(false, false);
    assert.equal(said, ["The proxy is running.", "The proxy is stopped.", "No."]);
  });

  test("given an engine that has exited, keeps the exchange open and announces why nothing is sent", () => {
    const said: string[] = [];
    const selection = new Selection();
    const exchange = 7 as ExchangeId;
    selection.set({ exchange });
    const deps = { selection, announce: (text: string) => void said.push(text) } as ToolbarDependencies;
    const members = toolbarCommands(
      deps,
      () => null,
      () => "Weir has exited.",
    );
    members.clear();
    members.newSession();
    assert.is(selection.now.exchange, exchange);
    assert.equal(said, ["Weir has exited.", "Weir has exited."]);
  });

  test("given a Clear, it can be undone, if something was cleared", async () => {
    for (const [value, session] of [
      ["s-1", null],
      ["s-1", "s-1"],
      [null, null],
    ] as const) {
      const [undo, selection] = [new UndoStack(), new Selection()];
      selection.set({ session });
      const deps = { selection, announce() {}, commands: { send: async () => ({ ok: true, value }) }, undo };
      toolbarCommands(deps as unknown as ToolbarDependencies, () => null, connected).clear();
      for (let turns = 0; turns < 4; turns += 1) await null;
      assert.is(undo.latest?.offer ?? null, value === null ? null : "The session is in the trash.");
      undo.withdrawOffer();
    }
  });

  test("given an earlier session on the screen, Clear says that it took the current one, and keeps the selection", async () => {
    const [undo, selection] = [new UndoStack(), new Selection()];
    selection.set({ session: "s-0", endpoint: "GET https://a.test/" as Endpoint });
    const deps = { selection, announce() {}, commands: { send: async () => ({ ok: true, value: "s-1" }) }, undo };
    toolbarCommands(deps as unknown as ToolbarDependencies, () => null, connected).clear();
    for (let turns = 0; turns < 4; turns += 1) await null;
    assert.match(undo.latest?.offer ?? "", /^The current recording is in the trash, not the session that is shown/);
    assert.is(selection.now.endpoint, "GET https://a.test/");
    undo.withdrawOffer();
  });

  test("given New session, offers a label for the session that ended, if there is one", async () => {
    const offered = async (reply: object): Promise<readonly string[]> => {
      const ended: string[] = [];
      const deps = {
        selection: new Selection(),
        announce() {},
        commands: { send: async () => reply },
        showEnded: ended.push.bind(ended),
      };
      toolbarCommands(deps as unknown as ToolbarDependencies, () => null, connected).newSession();
      for (let turns = 0; turns < 4; turns += 1) await null;
      return ended;
    };
    assert.equal(await offered({ ok: true, value: "s-1" }), ["s-1"]);
    assert.equal(await offered({ ok: true, value: null }), []);
    assert.equal(await offered({ ok: false, problem: "The disk is full." }), []);
  });
});
