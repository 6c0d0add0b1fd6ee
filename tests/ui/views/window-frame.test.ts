import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { Status } from "../../../src/engine/messages/status-messages.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { connectionText, toolbarOf } from "../../../src/ui/views/window-frame.ts";
import { describe } from "../../support/describe.ts";

const PROXY = { running: true, address: "127.0.0.1", port: 8686, wantedPort: null, problem: null };

function status(change: Partial<Status> = {}): Status {
  return { proxy: PROXY, recording: true, settings: DEFAULT_SETTINGS, notices: [], ...change } as Status;
}

describe("toolbar", (test) => {
  test("given any listening address, shows one that a client on this computer can use", () => {
    assert.is(toolbarOf(status()).address, "127.0.0.1:8686");
    assert.is(toolbarOf(status({ proxy: { ...PROXY, address: "0.0.0.0" } })).address, "127.0.0.1:8686");
    assert.is(toolbarOf(status({ proxy: { ...PROXY, address: "::1" } })).address, "[::1]:8686");
  });

  test("given a running, paused or stopped proxy, shows a distinct state and labels buttons by what they do", () => {
    const told = (change: Partial<Status>) => {
      const { recording, recordingText, recordingLabel, proxyLabel } = toolbarOf(status(change));
      return [recording, recordingText, recordingLabel, proxyLabel];
    };
    assert.equal(told({}), [true, "Recording", "Pause recording", "Stop proxy"]);
    assert.equal(told({ recording: false }), [false, "Paused", "Resume recording", "Stop proxy"]);
    assert.equal(told({ proxy: { ...PROXY, running: false } }), [
      false,
      "Proxy stopped",
      "Pause recording",
      "Start proxy",
    ]);
  });
});

describe("text about the connection", (test) => {
  test("given a channel, gives the engine's reason, else a sentence if it is lost, and nothing if it is not", () => {
    fc.assert(
      fc.property(fc.constantFrom("lost" as const, "closed" as const), fc.string({ minLength: 1 }), (kind, reason) =>
        assert.is(connectionText({ kind, reason }), reason),
      ),
    );
    assert.match(connectionText({ kind: "lost" }), /^Connection to Weir lost\./);
    for (const kind of ["connecting", "open"] as const) assert.is(connectionText({ kind }), "");
  });
});
