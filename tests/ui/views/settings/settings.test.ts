import * as assert from "uvu/assert";
import { Session } from "../../../../src/engine/session/session.ts";
import { Commands } from "../../../../src/ui/state/commands.ts";
import { SubscriptionStore } from "../../../../src/ui/state/subscription-store.ts";
import type { ViewDependencies } from "../../../../src/ui/views/dependencies.ts";
import { authorityFiles, settingsView } from "../../../../src/ui/views/settings/settings.ts";
import { describe } from "../../../support/describe.ts";
import { fakeChannel } from "../../../support/fake-channel.ts";
import { contextOf } from "../../../support/recorded.ts";

/** The mounted view; the test sends the engine's messages and runs the frames. */
async function mounted() {
  const { channel, sent, receive: hear, enter } = fakeChannel();
  const said: string[] = [];
  let frame: () => void = () => {};
  const commands = new Commands(channel);
  const windows = new SubscriptionStore(channel, (run) => {
    frame = run;
    return () => {};
  });
  const view = settingsView({
    windows,
    commands,
    announce: (text: string) => void said.push(text),
  } as unknown as ViewDependencies);
  enter({ kind: "open" });
  view.init.call(view as never);
  await null;
  let revision = 0;
  return {
    view,
    said,
    frame: () => frame(),
    /** The engine's state of HTTP/2; except for the first, it takes effect with the next frame. */
    tell(http2: boolean) {
      const [asked] = sent.filter((message) => message.type === "subscribe");
      revision += 1;
      const value = contextOf(new Session(), { settings: { http2 } }).status;
      hear({ type: "value", subscription: asked?.subscription ?? 0, revision, value });
    },
    reply(number: number, problem: string | null = null) {
      hear(
        problem === null
          ? { type: "reply", number, ok: true, value: null }
          : { type: "reply", number, ok: false, problem },
      );
    },
  };
}

describe("Settings switches", (test) => {
  test("given a switch turned twice, ignores older confirmations and later follows changes made elsewhere", async () => {
    const { view, frame, tell, reply } = await mounted();
    tell(true);
    const turned = [view.turn("http2", false), view.turn("http2", true)];
    tell(false);
    frame();
    assert.ok(view.switches.http2, "this is older than what is on its way");
    reply(1);
    // Arrives before the second reply, and is drawn after it.
    tell(false);
    reply(2);
    await Promise.all(turned);
    frame();
    assert.ok(view.switches.http2);
    tell(false);
    frame();
    assert.not(view.switches.http2, "what is set elsewhere is followed");
  });

  test("given a refused switch, turns it back and announces the reason", async () => {
    const { view, said, tell, reply } = await mounted();
    tell(true);
    const turned = view.turn("http2", false);
    assert.not(view.switches.http2);
    reply(1, "The settings cannot be written.");
    await turned;
    assert.ok(view.switches.http2);
    assert.equal(said, ["The settings cannot be written."]);
  });
});

describe("settings that are typed", (test) => {
  test("given a refused text, keeps it with the reason, and shows a saved text as the engine has it", async () => {
    const { view, frame, tell, reply } = await mounted();
    tell(true);
    assert.is(view.texts.bodyCap, "10");
    await view.setField("bodyCap", "many");
    const sending = view.setField("captureInclude", "a.test, b.test");
    tell(true);
    frame();
    assert.is(view.texts.bodyCap, "many");
    assert.match(view.problems.bodyCap, "Enter a number");
    assert.is(view.texts.captureInclude, "a.test\nb.test", "what is being sent stays");
    assert.is(view.texts.historyKept, "50");
    reply(1, "Not so.");
    await sending;
    tell(true);
    frame();
    assert.is(view.texts.captureInclude, "a.test\nb.test");
    assert.is(view.problems.captureInclude, "Not so.");
    const again = view.setField("captureInclude", "a.test");
    reply(2);
    await again;
    tell(true);
    frame();
    assert.is(view.texts.captureInclude, "", "what is set elsewhere is followed");
  });
});

const PEM = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

describe("list of CA files for hosts", (test) => {
  test("given files, says for which host, the name, and how many certificates", () => {
    const authorities = [
      { host: "a.test", file: "a.pem", certificates: PEM },
      { host: "b.test", file: "b.pem", certificates: PEM + PEM },
    ];
    assert.equal(
      authorityFiles(authorities).map(({ key, host, file, note }) => [key, host, file, note]),
      [
        [0, "a.test", "a.pem", "1 certificate"],
        [1, "b.test", "b.pem", "2 certificates"],
      ],
    );
  });
});
