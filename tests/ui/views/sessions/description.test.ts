import * as assert from "uvu/assert";
import { Description } from "../../../../src/ui/views/sessions/description.ts";
import { describe } from "../../../support/describe.ts";

const BEFORE = { id: "a", name: "", notes: "" };

/** A description field, and the messages it sends. `taken`: whether they are accepted. */
function stage(taken = true) {
  const sent: unknown[] = [];
  const description = new Description(async ({ id, name, notes }) => {
    sent.push([id, name, notes]);
    return taken;
  });
  return { sent, description };
}

describe("session description", (test) => {
  test("given notes saved right after a name, sends them with the new name", () => {
    const { sent, description } = stage();
    void description.change([BEFORE], "a", { name: "Before the cache" });
    void description.change([BEFORE], "a", { notes: "without Redis" });
    assert.equal(sent, [
      ["a", "Before the cache", ""],
      ["a", "Before the cache", "without Redis"],
    ]);
  });

  test("given an unchanged value or an unknown session, sends nothing", async () => {
    const { sent, description } = stage();
    await description.change([BEFORE], "a", { name: "" });
    await description.change([BEFORE], "b", { name: "nobody" });
    assert.equal(sent, []);
  });

  test("given a description confirmed by the engine, builds later changes on the confirmed values", async () => {
    const { sent, description } = stage();
    const named = { ...BEFORE, name: "mine" };
    await description.change([BEFORE], "a", { name: "mine" });
    description.told([BEFORE]);
    await description.change([BEFORE], "a", { notes: "first" });
    description.told([{ ...named, notes: "first" }]);
    await description.change([{ ...named, name: "theirs" }], "a", { notes: "second" });
    assert.equal(sent.slice(1), [
      ["a", "mine", "first"],
      ["a", "theirs", "second"],
    ]);
  });

  test("given a refused name, does not send it again with the notes", async () => {
    const { sent, description } = stage(false);
    await description.change([BEFORE], "a", { name: "refused" });
    await description.change([BEFORE], "a", { notes: "alone" });
    assert.equal(sent.at(-1), ["a", "", "alone"]);
  });
});
