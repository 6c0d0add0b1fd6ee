import * as assert from "uvu/assert";
import { hiddenHostsTextOf } from "../../../../src/ui/views/shell/hidden-hosts.ts";
import { describe } from "../../../support/describe.ts";

describe("hidden hosts in the status bar", (test) => {
  test("given no exchange of a hidden host, the status bar says nothing", () => {
    for (const hosts of [[], ["a.test"]])
      for (const showHiddenHosts of [false, true]) {
        const { text, action } = hiddenHostsTextOf({ hiddenHosts: hosts, showHiddenHosts }, { ofHiddenHosts: 0 });
        assert.equal([text, action], ["", ""]);
      }
  });

  test("given hidden hosts, it counts their exchanges, and its button does the opposite of now", () => {
    const told = (showHiddenHosts: boolean) =>
      hiddenHostsTextOf({ hiddenHosts: ["a.test", "b.test:81"], showHiddenHosts }, { ofHiddenHosts: 1_412 });
    assert.equal([told(false).text, told(false).action], ["1,412 hidden", "Show"]);
    assert.equal([told(true).text, told(true).action], ["1,412 of hidden hosts", "Hide"]);
    assert.match(told(false).title, /a\.test, b\.test:81/);
  });
});
