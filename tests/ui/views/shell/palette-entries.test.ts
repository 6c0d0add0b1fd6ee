import * as assert from "uvu/assert";
import { fittingEntries, paletteEntries } from "../../../../src/ui/views/shell/palette-entries.ts";
import { describe } from "../../../support/describe.ts";

const names = (text: string, hosts: readonly string[] = []): readonly string[] =>
  fittingEntries(paletteEntries({ hub: true, link: true }, hosts), text).map(({ name }) => name);

/** Commands, and what people type for them, separated by commas. */
const TYPED: readonly (readonly [name: string, typed: string])[] = [
  ["Go to Traffic", "requests, network, log"],
  ["Go to Performance", "metrics, statistics, overview"],
  ["Go to Timeline", "critical, critical path, waterfall, page load, latest page, trace, gantt, phases"],
  ["Go to Sessions", "recordings, history, trash, a/b"],
  ["Go to Settings", "preferences, threshold, limits, configuration"],
  ["Open Setup Hub", "certificate, trust, https, connect, install"],
  ["Search headers and bodies", "find, grep, cookie"],
  ["Pause or resume recording", "stop recording, capture"],
  ["Slow clients on purpose", "throttle, throttling, 3g, bandwidth, network conditions, delay"],
  ["Copy the proxy address", "port, host, url"],
  ["Clear session", "delete, reset"],
  ["Undo", "restore, revert"],
  ["Compare the latest two sessions", "compare, compare sessions, diff, slower than yesterday, regression, before"],
  ["Import a HAR file", "import, open har, upload"],
  ["Export traffic", "download, save har, json, report, html, share"],
  ["Save the report (HTML)", "report, html, share, send, pdf, export"],
  ["Copy link to this place", "share, url"],
  ["Copy the report of findings", "markdown, share"],
  ["Change theme", "dark, light mode"],
  ["Keyboard shortcuts", "help, keys"],
];

describe("command palette", (test) => {
  test("given words in any order and case, lists what is named so before what other words mean", () => {
    assert.equal(names("traffic go"), ["Go to Traffic"]);
    assert.equal(names("SESSION").slice(0, 4), [
      "Go to Sessions",
      "Clear session",
      "New session",
      "Compare the latest two sessions",
    ]);
    assert.equal(names("recording"), ["Pause or resume recording", "Go to Sessions", "New session"]);
    assert.equal(names("nothing like this"), []);
  });

  test("given a word within another word of an entry, does not find that entry", () => {
    assert.ok(names("throttling").length > 0);
    assert.equal(names("hrottling"), []);
  });

  test("given what people type for a command, lists that command", () => {
    for (const [name, typed] of TYPED)
      for (const text of typed.split(", ")) assert.ok(names(text).includes(name), `"${text}" finds ${names(text)}`);
  });

  test("given captured hosts, offers to show each alone", () => {
    assert.equal(names("api", ["api.shop.test", "cdn.shop.test"]), ["Show only api.shop.test"]);
    assert.equal(names("host", ["api.shop.test"]), ["Copy the proxy address", "Show only api.shop.test"]);
  });

  test("given no hub or no link, leaves out its entry, and finds the reports by several words", () => {
    assert.equal(names("link"), ["Copy link to this place"]);
    assert.equal(fittingEntries(paletteEntries({ hub: true, link: false }, []), "link"), []);
    const reports = ["Save the report (HTML)", "Copy the report of findings", "Export traffic"];
    for (const word of ["report", "share"]) for (const name of reports) assert.ok(names(word).includes(name), word);
    assert.equal(names("html"), ["Save the report (HTML)", "Export traffic"]);
    assert.ok(names("hub").length === 1);
    assert.equal(fittingEntries(paletteEntries({ hub: false, link: true }, []), "hub"), []);
  });
});
