import * as assert from "uvu/assert";
import { Commands } from "../../../src/ui/state/commands.ts";
import { describe } from "../../support/describe.ts";
import { fakeChannel } from "../../support/fake-channel.ts";

function stage() {
  const { channel, ...other } = fakeChannel();
  return { commands: new Commands(channel), ...other };
}

describe("commands of the page", (test) => {
  test("given replies in another order, resolves each command with its own reply", async () => {
    const { commands, receive, enter } = stage();
    enter({ kind: "open" });
    const first = commands.send({ type: "clear" });
    const second = commands.send({ type: "start-proxy" });
    receive({ type: "reply", number: 2, ok: false, problem: "The port is taken." });
    receive({ type: "reply", number: 1, ok: true, value: 5 });
    assert.equal(await first, { ok: true, value: 5 });
    assert.equal(await second, { ok: false, problem: "The port is taken." });
  });

  test("given no connection, sends no command and resolves it as failed", async () => {
    const { commands, sent } = stage();
    assert.is((await commands.send({ type: "clear" })).ok, false);
    assert.equal(sent, []);
  });

  test("given a lost connection, fails the pending command and sends no further ones", async () => {
    const { commands, sent, enter } = stage();
    enter({ kind: "open" });
    const waiting = commands.send({ type: "clear" });
    enter({ kind: "lost" });
    assert.is((await waiting).ok, false);
    assert.is((await commands.send({ type: "clear" })).ok, false);
    assert.is(sent.length, 1);
  });

  test("given a connection closed for good, fails commands with its reason instead of advice to try again", async () => {
    const { commands, enter } = stage();
    enter({ kind: "open" });
    const waiting = commands.send({ type: "clear" });
    enter({ kind: "closed", reason: "Weir has exited." });
    const told = { ok: false, problem: "Weir has exited." };
    assert.equal([await waiting, await commands.send({ type: "clear" })], [told, told]);
  });
});
