import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { exportRoot } from "../../../extensions/proxy/certificates/export.ts";
import { newRoot } from "../../../extensions/proxy/certificates/root.ts";
import { pemOf } from "../../../extensions/proxy/certificates/x509.ts";
import { HubCommands } from "../../../extensions/proxy/commands/hub-commands.ts";
import type { CaptureEvent } from "../../../src/engine/capture/event.ts";
import type { Cause } from "../../../src/engine/hub/watcher.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../src/engine/model/settings.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { rejectedTunnel, requestStarted } from "../../support/probe-event.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const ROOT = newRoot("test", new Date());

interface Stage {
  readonly desk: HubCommands;
  readonly folder: string;
  readonly session: Session;
  /** What it said that it could not read. */
  readonly forgotten: readonly string[];
  now: number;
  running: boolean;
  recording: boolean;
  settings: Settings;
  /** Another one on the same folder, as after a restart. */
  again(): HubCommands;
  send(event: CaptureEvent): void;
}

async function onStage(body: (stage: Stage) => unknown): Promise<void> {
  await withFolder(async (folder) => {
    assert.is(exportRoot(ROOT, folder, []), null);
    const session = new Session();
    const forgotten: string[] = [];
    const made = (): HubCommands =>
      new HubCommands({
        start: { dataDir: folder, certificatePem: pemOf(ROOT.certificate.raw) },
        clock: { now: () => stage.now as Instant },
        session: () => session,
        status: () => ({
          proxy: { running: stage.running, address: "127.0.0.1", port: 8686, wantedPort: null, problem: null },
          recording: stage.recording,
          settings: stage.settings,
        }),
        endWarning: () => null,
        onTrouble: (text) => assert.is(text, null),
        onForgotten: (text) => forgotten.push(text),
      });
    const stage: Stage = {
      desk: undefined as unknown as HubCommands,
      folder,
      session,
      forgotten,
      now: 1_000,
      running: true,
      recording: true,
      settings: DEFAULT_SETTINGS,
      again: made,
      send: (event) => {
        session.apply([event]);
        stage.desk.addEvents([event]);
      },
    };
    await body(Object.assign(stage, { desk: made() }));
  });
}

const probe = (slug: string, at: number) => requestStarted({ target: `/anything/weir/${slug}`, at });

describe("hub desk", (test) => {
  test("a test waits for the target's own probe and remembers when it came, also after a restart", () =>
    onStage(async (stage) => {
      const { desk } = stage;
      await desk.run("python");
      assert.is(desk.target("python").secondsLeft, 30);
      assert.equal(desk.state().waiting, ["python"]);
      stage.now += 10_400;
      stage.send(probe("ruby", stage.now));
      assert.is(desk.target("python").secondsLeft, 20);
      stage.send(probe("python", stage.now));
      const { watch, exchange, confirmedAt } = desk.target("python");
      assert.is(watch.state, "confirmed");
      assert.ok(exchange !== null && stage.session.exchange(exchange) !== null);
      assert.is(confirmedAt, stage.now);
      assert.equal(desk.state().waiting, []);
      assert.is(stage.again().target("python").confirmedAt, stage.now);
      assert.is(stage.again().target("python").exchange, null);
    }));

  test("that what it remembered cannot be read is said, and a test runs as in a new folder", () =>
    onStage(async ({ folder, again, forgotten }) => {
      writeFileSync(join(folder, "hub.json"), "{");
      const desk = again();
      assert.match(forgotten.join(), /^What the Setup Hub remembers could not be read: .*hub\.json.*unusable-1\.$/);
      await desk.run("python");
      assert.is(desk.target("python").confirmedAt, null);
      again();
      assert.is(forgotten.length, 1);
    }));

  test("a capture that the probe host did not answer says why", () =>
    onStage(async ({ desk, send }) => {
      await desk.run("python");
      send(probe("python", 1_200));
      assert.is(desk.target("python").unanswered, null, "it is in flight");
      send(rejectedTunnel(1, 1_300, "connection-refused")[1]);
      assert.is(desk.target("python").unanswered, "said connection-refused");
      assert.is(desk.target("python").watch.state, "confirmed");
    }));

  test("two targets can be tested at once", () =>
    onStage(async ({ desk, send }) => {
      await desk.run("python");
      await desk.run("ruby");
      send(probe("ruby", 1_500));
      assert.is(desk.target("python").watch.state, "watching");
      assert.is(desk.target("ruby").watch.state, "confirmed");
    }));

  test("the wait ends at its time, later by 30 s when it was extended, and by hand", () =>
    onStage(async (stage) => {
      const { desk } = stage;
      await desk.run("curl");
      desk.extend("curl");
      stage.now += 59_999;
      desk.tick();
      assert.is(desk.target("curl").watch.state, "watching");
      stage.now += 1;
      desk.tick();
      assert.is(desk.target("curl").watch.state, "timed-out");
      await desk.run("curl");
      desk.cancel("curl");
      assert.is(desk.target("curl").watch.state, "cancelled");
      stage.send(probe("curl", stage.now));
      assert.is(
        desk.target("curl").confirmedAt,
        null,
        "docs/security.md R13: nothing is confirmed without its capture",
      );
    }));

  for (const cause of [
    "session-cleared",
    "new-session",
    "recording-paused",
    "proxy-stopped",
  ] as const satisfies Cause[])
    test(`${cause} ends every test that waits`, () =>
      onStage(async ({ desk }) => {
        await desk.run("curl");
        await desk.run("docker");
        desk.cancelAll(cause);
        for (const slug of ["curl", "docker"]) {
          const { watch } = desk.target(slug);
          assert.is(watch.state === "cancelled" && watch.cause, cause);
        }
      }));

  test("a test that is blocked does not begin, and says by what", () =>
    onStage(async (stage) => {
      const refusal = async (slug: string): Promise<string> => {
        try {
          await stage.desk.run(slug);
          return "";
        } catch (error) {
          return error instanceof Error ? error.message : "";
        }
      };
      stage.running = false;
      stage.recording = false;
      assert.match(await refusal("curl"), "proxy is stopped");
      stage.running = true;
      assert.match(await refusal("curl"), "Recording is paused");
      stage.recording = true;
      rmSync(join(stage.folder, "weir-ca.cer"));
      stage.now += 10_000;
      assert.match(await refusal("curl"), "weir-ca.cer is not there");
      assert.match(await refusal("no-such-target"), "no such target");
      assert.is(stage.desk.target("curl").watch.state, "idle");
    }));

  test("a probe host of the person's own is waited for, and one that cannot be seen is told", () =>
    onStage(async (stage) => {
      stage.settings = { ...DEFAULT_SETTINGS, probeHost: "Echo.test:8443", passThrough: ["*.test"] };
      const { conditions } = stage.desk.state();
      assert.ok(conditions.probeHostPassedThrough);
      assert.not(conditions.probeHostExcluded);
      await stage.desk.run("curl");
      const { watch } = stage.desk.target("curl");
      assert.is(watch.state === "watching" && watch.probe.url, "https://echo.test:8443/anything/weir/curl");
      stage.settings = { ...DEFAULT_SETTINGS, captureInclude: ["other.test"] };
      assert.ok(stage.desk.state().conditions.probeHostExcluded);
    }));

  test("copies are noted with port and certificate, the latest of each text", () =>
    onStage((stage) => {
      const { desk } = stage;
      desk.noteCopy("curl", "command#sh");
      stage.now += 1;
      desk.noteCopy("curl", "environment#sh");
      stage.now += 1;
      desk.noteCopy("curl", "command#sh");
      assert.equal(
        stage
          .again()
          .target("curl")
          .copies.map(({ form, at, port }) => [form, at, port]),
        [
          ["environment#sh", 1_001, 8686],
          ["command#sh", 1_002, 8686],
        ],
      );
      assert.throws(() => desk.noteCopy("curl", "no such text"), "no such text");
      assert.throws(() => desk.noteCopy("__proto__", "command#sh"), "no such target");
    }));

  test("the certificate goes to a folder that exists, never its key, and stays there after a restart", () =>
    onStage((stage) => {
      const { desk, folder } = stage;
      const chosen = join(folder, "Ada's files");
      assert.throws(() => desk.exportTo("relative"), "whole path");
      assert.throws(() => desk.exportTo(chosen), "is no folder");
      mkdirSync(chosen);
      desk.exportTo(` ${chosen} `);
      assert.is(desk.state().values.ca, join(chosen, "weir-ca.pem"));
      assert.is(stage.again().state().folder, chosen);
      assert.ok((desk.state().exportedAt ?? 0) > 0);
      for (const path of Object.values(desk.files)) assert.not.match(readFileSync(path, "latin1"), "PRIVATE");
    }));

  test("the system is asked once somebody looks, and says that it does not know this root", () =>
    onStage(async ({ desk }) => {
      assert.is(desk.state().conditions.certificate.trustedBySystem, null);
      assert.is(desk.state().trustAskedAt, null);
      assert.is(await desk.askTrust(), false);
      assert.is(desk.state().conditions.certificate.trustedBySystem, false);
      assert.is(desk.state().trustAskedAt, 1_000);
    }));
});
