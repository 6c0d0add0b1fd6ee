import * as assert from "uvu/assert";
import { reportPieces } from "../../../extensions/proxy/export/report-page.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { describe } from "../../support/describe.ts";
import { type Said, type Stored, withStored } from "../../support/stored.ts";

const CONVERSATION: readonly Said[] = Array.from({ length: 8 }, (_, index) => ({
  sketch: { id: index + 1, start: index * 100, end: index * 100 + 40, target: "/orders?token=s3cr3t" },
}));

async function pageOf({ session, reader }: Pick<Stored, "session" | "reader">): Promise<string> {
  const source = { session, reader, settings: DEFAULT_SETTINGS, baseline: new Baseline([]), version: "1.2.3" };
  let page = "";
  for await (const { text } of reportPieces(source, true)) page += text;
  return page;
}

describe("report page of a stored session", (test) => {
  test("given a session, is one page with its endpoints, without secrets", () =>
    withStored(CONVERSATION, async (stored) => {
      const page = await pageOf(stored);
      assert.match(page, /^<!doctype html>[\s\S]*\/orders[\s\S]*<\/html>\s*$/i);
      assert.not.match(page, /s3cr3t/);
    }));

  test("given a session that is deleted meanwhile, ends with a sentence instead of a part", () =>
    withStored(CONVERSATION, async (stored) => {
      stored.end();
      const problem = await pageOf(stored).then(
        () => "",
        ({ message }: Error) => message,
      );
      assert.match(problem, /^This session was closed before its export was complete/);
    }));
});
