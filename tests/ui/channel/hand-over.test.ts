import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { type Broadcast, handOver, takeLinks } from "../../../src/ui/channel/hand-over.ts";
import { describe } from "../../support/describe.ts";

/** Channels of one browser: each hears what the others post. */
function browser() {
  const all: Broadcast[] = [];
  return (): Broadcast => {
    const own: Broadcast = {
      onmessage: null,
      postMessage: (data) => {
        for (const each of all) if (each !== own) each.onmessage?.({ data } as MessageEvent<unknown>);
      },
    };
    all.push(own);
    return own;
  };
}

describe("hand-over of links to an open window", (test) => {
  test("given several windows, one of them shows the link, and the tab is told once", () => {
    const join = browser();
    const opened: string[] = [];
    for (const name of ["a", "b", "c"])
      takeLinks(
        join(),
        name,
        () => name !== "a",
        (fragment) => opened.push(`${name} ${fragment}`),
      );
    let told = 0;
    handOver(join(), "#/timeline", () => {
      told += 1;
    });
    assert.equal([opened, told], [["b #/timeline"], 1]);
  });

  test("given no connected window, waits until one says that it is", () => {
    const join = browser();
    const opened: string[] = [];
    let isConnected = false;
    const say = takeLinks(
      join(),
      "a",
      () => isConnected,
      (fragment) => opened.push(fragment),
    );
    handOver(join(), "#/timeline", () => opened.push("done"));
    say();
    assert.equal(opened, []);
    isConnected = true;
    say();
    say();
    assert.equal(opened, ["#/timeline", "done"]);
  });

  test("given any other message, does nothing", () => {
    const join = browser();
    const opened: string[] = [];
    takeLinks(
      join(),
      "a",
      () => true,
      (fragment) => opened.push(fragment),
    );
    const stranger = join();
    const value = fc.oneof(fc.constantFrom("seek", "offer", "place", "b"), fc.anything());
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.record({ type: value, window: value, fragment: value })), (message) => {
        stranger.postMessage(message);
        assert.equal(opened, []);
      }),
    );
  });
});
