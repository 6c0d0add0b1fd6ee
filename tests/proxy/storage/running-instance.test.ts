import * as assert from "uvu/assert";
import { onSecondStart, signalRunningInstance } from "../../../extensions/proxy/storage/running-instance.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";

describe("knocking at a data folder", (test) => {
  test("is heard by its owner, again and again", () =>
    withFolder(async (folder) => {
      let heard: () => void = () => {};
      const stop = onSecondStart(folder, () => heard());
      for (let time = 0; time < 2; time += 1) {
        const next = new Promise<void>((resolve) => {
          heard = resolve;
        });
        assert.is(signalRunningInstance(folder), null);
        await next;
      }
      stop();
    }));

  test("of a folder that cannot be watched is no trouble", () => onSecondStart("/nowhere/at/all", () => {})());
});
