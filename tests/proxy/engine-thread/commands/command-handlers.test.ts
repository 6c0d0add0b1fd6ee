import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import { describe } from "../../../support/describe.ts";
import { type EngineStage, withEngine } from "../../../support/engine-stage.ts";

const EDITED = { method: "GET", url: "http://a.test/", headers: [], body: null };
const SENDING: readonly Command[] = [
  { type: "resend", exchange: 1 },
  { type: "send-edited", exchange: 1, ...EDITED },
  { type: "replay", exchange: 1, times: 2, atOnce: 1 },
  {
    type: "start-experiment",
    origin: "http://a.test",
    method: "GET",
    path: "/",
    page: null,
    levels: [0, 100],
    loads: 2,
  },
] as never;
const RECORDED: readonly Command[] = [...SENDING.slice(2), { type: "mark-change", mark: "A" }];

describe("command handlers", (test) => {
  test("given a proxy that does not run, each command that sends a request is refused with that reason", () =>
    withEngine(async ({ client, capture }) => {
      capture("page", 1);
      for (const command of SENDING) assert.match(await refusalOf(client, command), /^The proxy is stopped\. Start /);
    }));

  test("given paused recording, each command whose result is recorded is refused with that reason", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...RECORDED], { minLength: 1 }), (commands) =>
        withEngine(async ({ client, engine, capture }) => {
          capture("page", 1);
          const state = { running: true, address: "127.0.0.1", port: 1, wantedPort: null, problem: null };
          engine.takeMessage({ type: "proxy", state });
          await client.execute({ type: "set-recording", on: false });
          for (const command of commands)
            assert.match(await refusalOf(client, command), /^Recording is paused\. Resume recording, /);
        }),
      ),
      { numRuns: 3 },
    );
  });
});

function refusalOf(client: EngineStage["client"], command: Command): Promise<string> {
  return client.execute(command).then(
    () => "",
    (error: Error) => error.message,
  );
}
