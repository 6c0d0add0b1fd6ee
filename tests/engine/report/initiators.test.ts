import * as assert from "uvu/assert";
import { exportText } from "../../../extensions/proxy/export/export-text.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { initiatorsOf } from "../../../src/engine/report/initiators.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { describe } from "../../support/describe.ts";
import { type Said, withStored } from "../../support/stored.ts";

const PAGE: readonly Said[] = [
  {
    sketch: { id: 1, start: 0, end: 50, target: "/page?token=s3cret", client: "c", contentType: "text/html" },
    responseHeaders: ["Content-Type: text/html"],
    responseBody: '<script src="/app.js"></script><img src="/logo.png">',
  },
  { sketch: { id: 2, start: 60, end: 90, target: "/app.js", client: "c" } },
  { sketch: { id: 3, start: 500_000, end: 500_010, target: "/other", client: "c" } },
];

describe("initiators in an export", (test) => {
  test("given a page whose body is left out, keeps the page's URL at the requests that it caused", () =>
    withStored(PAGE, async (stored) => {
      const source = { ...stored, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      assert.equal(
        [...(await initiatorsOf(source, async () => {}))],
        [[2, { url: "https://api.test/page?token=s3cret", isScript: false }]],
      );
      const entriesOf = async (redact: boolean) => {
        let text = "";
        for await (const piece of unwrap(exportText(source, { format: "har", table: null }, "", redact)))
          text += piece.text;
        return JSON.parse(text).log;
      };
      const { entries, _leftOut: leftOut } = await entriesOf(true);
      assert.equal([entries[0].response.content.text, leftOut], ["", 1]);
      assert.equal(
        entries.map(({ _initiator: one }: { readonly _initiator?: object }) => one ?? null),
        [null, { type: "parser", url: "https://api.test/page?token=REDACTED" }, null],
      );
      const whole = await entriesOf(false);
      assert.match(whole.entries[0].response.content.text, "app.js");
      assert.is(whole._leftOut, undefined);
    }));

  test("given no page and no script, reads no body for it", () =>
    withStored(PAGE.slice(1), async ({ session }) => {
      const reader = new Proxy({}, { get: () => assert.unreachable("a body was read") }) as never;
      const source = { session, reader, baseline: new Baseline([]), settings: DEFAULT_SETTINGS, version: "0.0.0" };
      assert.is((await initiatorsOf(source, async () => {})).size, 0);
    }));
});
