import * as assert from "uvu/assert";
import type { FromEngine, ToEngine } from "../../../src/engine/messages/messages.ts";
import type { ReplayProgress, ReplayResult } from "../../../src/engine/messages/replay-messages.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import type { ChannelState } from "../../../src/ui/channel/channel.ts";
import { Commands } from "../../../src/ui/state/commands.ts";
import { type ReplayReport, Replays } from "../../../src/ui/state/replays.ts";
import { describe } from "../../support/describe.ts";

const COMMAND = { type: "replay", exchange: 4 as ExchangeId, times: 20, atOnce: 1, confirmed: false } as const;

function stage() {
  const sent: ToEngine[] = [];
  const hearing: ((message: FromEngine) => void)[] = [];
  const entering: ((state: ChannelState) => void)[] = [];
  const channel = {
    send: (message: ToEngine) => void sent.push(message),
    onMessage: (listener: (message: FromEngine) => void) => void hearing.push(listener),
    onState: (listener: (state: ChannelState) => void) => void entering.push(listener),
  };
  const replays = new Replays(channel, new Commands(channel));
  const enter = (state: ChannelState) => entering.map((listen) => listen(state));
  enter({ kind: "open" });
  const hear = async (message: FromEngine) => {
    for (const listen of hearing) listen(message);
    await null;
    await null;
  };
  const reports: ReplayReport[] = [];
  const run = replays.start(COMMAND, (report) => reports.push(report));
  return {
    run,
    reports,
    enter,
    hear,
    commands: () => sent.flatMap((message) => (message.type === "command" ? [message.command] : [])),
    started: () => hear({ type: "reply", number: 1, ok: true, value: { replayNumber: 7 } }),
    progress: (replayNumber: number, done: boolean) =>
      hear({
        type: "replay-progress",
        replayNumber,
        result: {} as ReplayResult,
        done,
        problem: null,
      } as ReplayProgress),
  };
}

const donesOf = (reports: readonly ReplayReport[]) =>
  reports.map((report) => report.kind === "progress" && report.progress.done);

describe("running repeats in the window", (test) => {
  test("given progress of it and of others, it reports its own until it is done", async () => {
    const { reports, commands, started, progress } = stage();
    assert.equal(commands(), [COMMAND]);
    await started();
    await progress(6, true);
    await progress(7, false);
    await progress(7, true);
    await progress(7, true);
    assert.equal(donesOf(reports), [false, true]);
  });

  test("given a stop, its last report still comes; given a drop, nothing does", async () => {
    const stopped = stage();
    await stopped.started();
    stopped.run.stop();
    await stopped.progress(7, true);
    assert.equal(stopped.commands().at(-1), { type: "cancel-replay", replayNumber: 7 });
    assert.equal(donesOf(stopped.reports), [true]);
    for (const isNamed of [true, false]) {
      const dropped = stage();
      if (isNamed) await dropped.started();
      dropped.run.drop();
      if (!isNamed) await dropped.started();
      await dropped.progress(7, true);
      assert.equal(dropped.commands().at(-1), { type: "cancel-replay", replayNumber: 7 });
      assert.equal(dropped.reports, []);
    }
  });

  test("given a stop before the run has a number, it is cancelled once it has", async () => {
    const { run, commands, started } = stage();
    run.stop();
    await started();
    assert.equal(commands().at(-1), { type: "cancel-replay", replayNumber: 7 });
  });

  test("given a refusal or a lost connection, it reports why", async () => {
    const refused = stage();
    await refused.hear({ type: "reply", number: 1, ok: false, problem: "The proxy is stopped." });
    assert.equal(refused.reports, [{ kind: "failed", problem: "The proxy is stopped." }]);
    const lost = stage();
    await lost.started();
    lost.enter({ kind: "lost" });
    assert.equal(lost.reports, [{ kind: "failed", problem: "Connection to Weir lost. Repeat the request again." }]);
  });
});
