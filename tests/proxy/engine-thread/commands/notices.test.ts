import * as assert from "uvu/assert";
import { Notices } from "../../../../extensions/proxy/engine-thread/commands/notices.ts";
import { describe } from "../../../support/describe.ts";

const textsOf = (notices: Notices): readonly string[] => notices.all.map(({ text }) => text);

describe("notices", (test) => {
  test("begin with what was found, and come in the order in which they arose", () => {
    const notices = new Notices([{ id: "found", severity: "error", text: "found at the start", advice: null }]);
    notices.set("disk", "the disk is full");
    notices.set("lan", "others can reach it");
    assert.equal(textsOf(notices), ["found at the start", "the disk is full", "others can reach it"]);
    assert.equal(
      notices.all.map(({ severity }) => severity),
      ["error", "warning", "warning"],
    );
  });

  test("there is one under each name, which keeps its place when it says something else, and goes when it is over", () => {
    const notices = new Notices([]);
    notices.set("disk", "1 exchange could not be kept");
    notices.set("lan", "others can reach it");
    notices.set("disk", "2 exchanges could not be kept");
    assert.equal(textsOf(notices), ["2 exchanges could not be kept", "others can reach it"]);
    notices.set("disk", null);
    notices.set("never there", null);
    assert.equal(textsOf(notices), ["others can reach it"]);
  });

  test("what was handed out stays as it was", () => {
    const notices = new Notices([]);
    notices.set("disk", "the disk is full");
    const before = notices.all;
    notices.set("disk", null);
    assert.is(before.length, 1);
  });
});
