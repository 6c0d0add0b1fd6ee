import * as assert from "uvu/assert";
import type { ChosenIds } from "../../../../extensions/proxy/analysis-thread/analysis-messages.ts";
import type { ComparedIds } from "../../../../extensions/proxy/analysis-thread/exchange-comparison.ts";
import type { AnalysedSource } from "../../../../extensions/proxy/engine-thread/commands/analysis-work.ts";
import { differenceHandlers } from "../../../../extensions/proxy/engine-thread/commands/difference-commands.ts";
import { execute } from "../../../../extensions/proxy/engine-thread/commands/execute.ts";
import type { ShownSession } from "../../../../extensions/proxy/engine-thread/commands/shown-session.ts";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { eventsOf } from "../../../support/capture.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";

const idOf = (number: number) => number as ExchangeId;

/** The commands over a session of eight exchanges, each 100 ms after the other, that take 10, 20, … ms. */
function commandsOver(): {
  readonly session: Session;
  readonly asked: { compared: ComparedIds | null; chosen: ChosenIds | null };
  readonly say: (command: Extract<Command, { type: "compare-exchanges" | "what-differs" }>) => Promise<unknown>;
} {
  const session = new Session();
  for (let id = 1; id <= 8; id += 1)
    session.apply(eventsOf(exchange({ id, start: id * 100, end: id * 110, target: `/${id % 2}` })));
  const asked: { compared: ComparedIds | null; chosen: ChosenIds | null } = { compared: null, chosen: null };
  const insights = {
    comparison: async (compared: ComparedIds) => {
      asked.compared = compared;
    },
    difference: async (chosen: ChosenIds) => {
      asked.chosen = chosen;
    },
  };
  const source = { session, reader: null, settings: DEFAULT_SETTINGS, insights } as unknown as AnalysedSource;
  const handlers = differenceHandlers(() => source);
  const sender = { shown: {} as ShownSession, send: () => {} };
  return { session, asked, say: (command) => execute(handlers, command, sender) };
}

const refusal = async (reply: Promise<unknown>): Promise<string> => {
  try {
    await reply;
  } catch (error) {
    return (error as Error).message;
  }
  return "";
};

describe("difference commands", (test) => {
  test("given the marked exchange to compare with, takes the latest other one with a mark", async () => {
    const { session, asked, say } = commandsOver();
    const marked = { type: "compare-exchanges", exchange: idOf(7), other: "marked" } as const;
    assert.match(await refusal(say(marked)), /Mark the one to compare with/);
    for (const id of [2, 5, 7]) session.annotate(idOf(id), { mark: "star", comment: "" });
    await say(marked);
    assert.equal(asked.compared, { exchange: idOf(7), other: idOf(5) });
    await say({ ...marked, other: "twin" });
    assert.equal(asked.compared, { exchange: idOf(7), other: "twin" });
    assert.match(await refusal(say({ ...marked, other: idOf(7) })), /with itself/);
  });

  test("given a set by rows, by a filter or by a time, asks about its exchanges", async () => {
    const { asked, say } = commandsOver();
    const idsAsked = () => [...(asked.chosen?.ids ?? [])];
    const stretches = [{ from: idOf(2), to: idOf(4) }];
    const rows = { by: "rows", filter: "", sort: { column: "startTime", descending: false }, stretches } as const;
    await say({ type: "what-differs", set: rows });
    assert.equal([idsAsked(), asked.chosen?.by.isByTime], [[2, 3, 4], true]);
    await say({ type: "what-differs", set: { ...rows, sort: { column: "latency", descending: false } } });
    assert.equal(asked.chosen?.by, { isByTime: false, isByLatency: true });
    await say({ type: "what-differs", set: { by: "matches", filter: "path:/1", between: null } });
    assert.equal([idsAsked(), asked.chosen?.by.isByTime], [[1, 3, 5, 7], false]);
    assert.is(asked.chosen?.by.isByLatency, false);
    for (const [filter, isByLatency] of [
      ["latency>=20 path:/1", true],
      ["-slow:", true],
      ["comment:dur>20", false],
    ] as const) {
      await say({ type: "what-differs", set: { by: "matches", filter, between: null } });
      assert.is(asked.chosen?.by.isByLatency, isByLatency, filter);
    }
    const between = { from: 300 as Instant, to: 500 as Instant };
    await say({ type: "what-differs", set: { by: "matches", filter: "path:/1", between } });
    assert.equal([idsAsked(), asked.chosen?.by.isByTime], [[3, 5], true]);
    const refused = say({ type: "what-differs", set: { by: "matches", filter: "nothing:", between: null } });
    assert.match(await refusal(refused), /no filter/);
  });
});
