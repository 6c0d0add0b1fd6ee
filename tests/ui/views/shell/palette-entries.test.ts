import * as assert from "uvu/assert";
import { fittingEntries, paletteEntries } from "../../../../src/ui/views/shell/palette-entries.ts";
import { describe } from "../../../support/describe.ts";

const names = (text: string, hosts: readonly string[] = []): readonly string[] =>
  fittingEntries(paletteEntries({ hub: true, link: true }, hosts), text).map(({ name }) => name);

describe("the command palette", (test) => {
  test("every word must stand in the name, in any order and case", () => {
    assert.equal(names("traffic go"), ["Go to Traffic"]);
    assert.equal(names("SESSION"), ["Go to Sessions", "Clear session", "New session"]);
    assert.equal(names("nothing like this"), []);
  });

  test("hosts that were captured can be shown alone", () => {
    assert.equal(names("api", ["api.shop.test", "cdn.shop.test"]), ["Show only api.shop.test"]);
  });

  test("without a hub or a link there is no way to it, and the report can be saved", () => {
    assert.equal(names("link"), ["Copy link to this place"]);
    assert.equal(fittingEntries(paletteEntries({ hub: true, link: false }, []), "link"), []);
    assert.equal(names("report"), ["Save the report (HTML)", "Copy the report of findings"]);
    assert.ok(names("hub").length === 1);
    assert.equal(fittingEntries(paletteEntries({ hub: false, link: true }, []), "hub"), []);
  });
});
