import * as assert from "uvu/assert";
import type { FromAnalysis, Work } from "../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import { ClientWork } from "../../../extensions/proxy/analysis-thread/client-work.ts";
import { SessionAnalysis } from "../../../extensions/proxy/analysis-thread/session-analysis.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { describe } from "../../support/describe.ts";
import { type Said, withStored } from "../../support/stored.ts";

const CONVERSATION: readonly Said[] = [1, 2, 3].map((id) => ({ sketch: { id, target: `/${id}`, start: id * 100 } }));

describe("exports and searches in the analysis thread", (test) => {
  test("given an export and a search, says that each has begun before its first message", () =>
    withStored(CONVERSATION, async ({ reader }) => {
      for (const work of [exportOf(""), { kind: "search", text: "/2" }] satisfies Work[]) {
        const said = await messagesOf(reader.folder, work);
        assert.equal(said[0], { work: 7, refusal: null });
        const last = said.at(-1);
        assert.ok(last !== undefined && "message" in last && last.message.done);
      }
    }));

  test("given a filter that is wrong, or that names findings before there are any, refuses the export", () =>
    withStored(CONVERSATION, async ({ reader }) => {
      const refusalOf = async (filter: string) => {
        const [first, ...rest] = await messagesOf(reader.folder, exportOf(filter));
        assert.equal(rest, []);
        return first !== undefined && "refusal" in first ? first.refusal : null;
      };
      assert.match((await refusalOf("status:abc")) ?? "", /^“status:abc” is not a status\./);
      assert.is(await refusalOf("finding:errors"), "Weir is still looking for findings.");
    }));

  test("given another row cap, exports only the rows that fit", () =>
    withStored(CONVERSATION, async ({ reader }) => {
      const said = await messagesOf(reader.folder, exportOf(""), 2);
      const text = said.map((one) => ("message" in one && "text" in one.message ? one.message.text : "")).join("");
      assert.is(text.trim().split("\r\n").length, 1 + 2);
    }));
});

function exportOf(filter: string): Work {
  const form = { format: "csv", table: null } as const;
  const rest = { settings: DEFAULT_SETTINGS, baseline: [], version: "1", ranked: null };
  return { kind: "export", form, filter, redact: false, ...rest };
}

/** The messages about one piece of work, up to its end or refusal. */
function messagesOf(folder: string, work: Work, rowCap = 100): Promise<readonly FromAnalysis[]> {
  const start = { folder, wasCutOff: false, endedAt: null };
  const analysis = new SessionAnalysis({ start, take: () => [], tell: () => {} });
  const said: FromAnalysis[] = [];
  return new Promise((resolve) => {
    const worker = new ClientWork(analysis, (message) => {
      said.push(message);
      const isRefused = "refusal" in message && message.refusal !== null;
      if (isRefused || ("message" in message && message.message.done)) resolve(said);
    });
    worker.takeMessage({ number: 7, work, rowCap, grouping: null });
  });
}
