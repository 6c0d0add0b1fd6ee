import * as assert from "uvu/assert";
import { saveFile } from "../../../src/ui/parts/save-file.ts";
import { describe } from "../../support/describe.ts";

describe("file download", (test) => {
  test("given a native window on macOS, which takes no downloads, says so and how to save it", () => {
    Object.assign(globalThis, { NL_OS: "Darwin" });
    try {
      assert.is(
        saveFile(new Blob(["text"]), "traffic.har"),
        "This window cannot save files on macOS. Start Weir with --browser to save traffic.har.",
      );
    } finally {
      Reflect.deleteProperty(globalThis, "NL_OS");
    }
  });
});
