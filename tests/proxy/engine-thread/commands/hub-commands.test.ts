import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { exportRoot } from "../../../../extensions/proxy/certificates/export.ts";
import { newRoot } from "../../../../extensions/proxy/certificates/root.ts";
import { pemOf } from "../../../../extensions/proxy/certificates/x509.ts";
import { HubCommands } from "../../../../extensions/proxy/engine-thread/commands/hub-commands.ts";
import type { CaptureEvent } from "../../../../src/engine/capture/event.ts";
import type { Cause } from "../../../../src/engine/hub/watcher.ts";
import { DEFAULT_SETTINGS, type Settings } from "../../../../src/engine/model/settings.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { rejectedTunnel, requestStarted } from "../../../support/probe-event.ts";
import { withFolder } from "../../../support/temporary-folder.ts";
import { keyHashOf } from "../../../support/test-authority.ts";

const ROOT = newRoot("test", new Date());

interface Stage {
  readonly commands: HubCommands;
  readonly folder: string;
  readonly session: Session;
  /** The files reported as unreadable. */
  readonly forgotten: readonly string[];
  now: number;
  running: boolean;
  recording: boolean;
  settings: Settings;
  /** A new instance on the same folder, as after a restart. */
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
        openPorts: () => ({ reverse: [], transparent: [] }),
        endWarning: () => null,
        onTrouble: (text) => assert.is(text, null),
        onForgotten: (text) => forgotten.push(text),
      });
    const stage: Stage = {
      commands: undefined as unknown as HubCommands,
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
        stage.commands.addEvents([event]);
      },
    };
    await body(Object.assign(stage, { commands: made() }));
  });
}

const probe = (slug: string, at: number) => requestStarted({ target: `/anything/weir/${slug}`, at });

describe("Setup Hub commands", (test) => {
  test("given a test, confirms it by the target's own probe and remembers the time after a restart", () =>
    onStage(async (stage) => {
      const { commands } = stage;
      await commands.run("python");
      assert.is(commands.target("python").secondsLeft, 30);
      assert.equal(commands.state().waiting, ["python"]);
      stage.now += 10_400;
      stage.send(probe("ruby", stage.now));
      assert.is(commands.target("python").secondsLeft, 20);
      stage.send(probe("python", stage.now));
      const { watch, exchange, confirmedAt } = commands.target("python");
      assert.is(watch.state, "confirmed");
      assert.ok(exchange !== null && stage.session.exchange(exchange) !== null);
      assert.is(confirmedAt, stage.now);
      assert.equal(commands.state().waiting, []);
      assert.equal(commands.state().confirmed, ["python"]);
      assert.is(stage.again().target("python").confirmedAt, stage.now);
      assert.is(stage.again().target("python").exchange, null);
    }));

  test("given a damaged hub.json, says so once and tests as in a new folder", () =>
    onStage(async ({ folder, again, forgotten }) => {
      writeFileSync(join(folder, "hub.json"), "{");
      const commands = again();
      assert.match(forgotten.join(), /^The state of the Setup Hub could not be read: .*hub\.json.*unusable-1\.$/);
      await commands.run("python");
      assert.is(commands.target("python").confirmedAt, null);
      again();
      assert.is(forgotten.length, 1);
    }));

  test("given a captured probe that failed, confirms the target and says why it has no response", () =>
    onStage(async ({ commands, send }) => {
      await commands.run("python");
      send(probe("python", 1_200));
      assert.is(commands.target("python").unanswered, null, "it is in flight");
      send(rejectedTunnel(1, 1_300, "connection-refused")[1]);
      assert.is(commands.target("python").unanswered, "said connection-refused");
      assert.is(commands.target("python").watch.state, "confirmed");
    }));

  test("given tests of two targets at once, confirms only the one whose probe arrives", () =>
    onStage(async ({ commands, send }) => {
      await commands.run("python");
      await commands.run("ruby");
      send(probe("ruby", 1_500));
      assert.is(commands.target("python").watch.state, "watching");
      assert.is(commands.target("ruby").watch.state, "confirmed");
    }));

  test("given probes before, during and after a test, shows the latest and keeps the test's result", () =>
    onStage(async (stage) => {
      const { commands } = stage;
      const seenAt = () => commands.target("curl").seen?.at ?? null;
      assert.is(seenAt(), null);
      stage.send(probe("curl", 900));
      assert.is(seenAt(), 900);
      assert.is(commands.target("ruby").seen, null);
      await commands.run("curl");
      stage.now += 30_000;
      commands.tick();
      stage.send(requestStarted({ id: 2, target: "/anything/weir/curl?again", at: stage.now + 5_000 }));
      assert.is(commands.target("curl").watch.state, "timed-out");
      assert.is(seenAt(), stage.now + 5_000);
      assert.is(commands.target("curl").seen?.exchange, 2);
      assert.is(commands.target("curl").confirmedAt, null);
      await commands.run("curl");
      stage.send(requestStarted({ id: 3, target: "/anything/weir/curl", at: stage.now + 6_000 }));
      assert.is(commands.target("curl").watch.state, "confirmed");
      assert.is(commands.target("curl").seen?.exchange, 3);
      assert.is(stage.again().target("curl").seen, null, "an earlier run saw it");
    }));

  test("given the sample request, keeps its time, client and exchange for every target, and takes it for no probe", () =>
    onStage(async ({ commands, send }) => {
      await commands.run("python");
      assert.is(commands.state().sample, null);
      const head = "GET /anything/weir/hello HTTP/1.1\r\nUser-Agent: curl/8.5.0\r\n\r\n";
      send(requestStarted({ id: 4, target: "/anything/weir/hello", at: 1_200, head }));
      const client = "curl/8.5.0 at 127.0.0.1";
      assert.equal(commands.state().sample, { at: 1_200, exchange: 4, client, program: "curl" });
      assert.is(commands.target("python").seen, null);
      assert.is(commands.target("python").watch.state, "watching");
      commands.addEvents([requestStarted({ id: 5, target: "/anything/weir/hello", at: 1_300 })]);
      const unnamed = { at: 1_300, exchange: null, client: "127.0.0.1", program: "" };
      assert.equal(commands.state().sample, unnamed, "the session lacks it");
    }));

  test("given a probe that is no longer in the session, still says when it was seen", () =>
    onStage(({ commands }) => {
      commands.addEvents([probe("curl", 900)]);
      assert.equal(commands.target("curl").seen, { at: 900, exchange: null });
    }));

  for (const [title, sketch] of [
    ["an import", { tags: ["imported"] }],
    ["a replay", { tags: ["resent"] }],
    ["a request in clear", { origin: "http://probe.weir.test" }],
    ["another host", { origin: "https://example.com" }],
    ["another method", { method: "POST" }],
    ["a path below", { target: "/anything/weir/python/x" }],
    ["a longer slug", { target: "/anything/weir/python3" }],
    ["no target's slug", { target: "/anything/weir/__proto__" }],
  ] as const)
    test(`given ${title}, does not count it as a probe`, () =>
      onStage(({ commands, send }) => {
        send(requestStarted(sketch));
        assert.is(commands.target("python").seen, null);
      }));

  test("given a waiting test, ends it at its time, 30 s later if extended, or when cancelled", () =>
    onStage(async (stage) => {
      const { commands } = stage;
      await commands.run("curl");
      commands.extend("curl");
      stage.now += 59_999;
      commands.tick();
      assert.is(commands.target("curl").watch.state, "watching");
      stage.now += 1;
      commands.tick();
      assert.is(commands.target("curl").watch.state, "timed-out");
      await commands.run("curl");
      commands.cancel("curl");
      assert.is(commands.target("curl").watch.state, "cancelled");
      stage.send(probe("curl", stage.now));
      assert.is(
        commands.target("curl").confirmedAt,
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
    test(`given ${cause}, cancels every waiting test`, () =>
      onStage(async ({ commands }) => {
        await commands.run("curl");
        await commands.run("docker");
        commands.cancelAll(cause);
        for (const slug of ["curl", "docker"]) {
          const { watch } = commands.target(slug);
          assert.is(watch.state === "cancelled" && watch.cause, cause);
        }
      }));

  test("given a blocked test, refuses to start it and says what blocks it", () =>
    onStage(async (stage) => {
      const refusal = async (slug: string): Promise<string> => {
        try {
          await stage.commands.run(slug);
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
      assert.match(await refusal("curl"), "weir-ca.cer does not exist");
      assert.match(await refusal("no-such-target"), "no such target");
      assert.is(stage.commands.target("curl").watch.state, "idle");
    }));

  test("given a probe host from the settings, waits for it and reports if it cannot be captured", () =>
    onStage(async (stage) => {
      stage.settings = { ...DEFAULT_SETTINGS, probeHost: "Echo.test:8443", passThrough: ["*.test"] };
      const { conditions } = stage.commands.state();
      assert.ok(conditions.probeHostPassedThrough);
      assert.not(conditions.probeHostExcluded);
      await stage.commands.run("curl");
      const { watch } = stage.commands.target("curl");
      assert.is(watch.state === "watching" && watch.probe.url, "https://echo.test:8443/anything/weir/curl");
      stage.settings = { ...DEFAULT_SETTINGS, captureInclude: ["other.test"] };
      assert.ok(stage.commands.state().conditions.probeHostExcluded);
    }));

  test("given copied texts, stores the latest copy of each, with its port", () =>
    onStage((stage) => {
      const { commands } = stage;
      commands.noteCopy("curl", "command#sh");
      stage.now += 1;
      commands.noteCopy("curl", "environment#sh");
      stage.now += 1;
      commands.noteCopy("curl", "command#sh");
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
      assert.throws(() => commands.noteCopy("curl", "no such text"), "no such text");
      assert.throws(() => commands.noteCopy("__proto__", "command#sh"), "no such target");
    }));

  test("given a chosen folder, exports certificates without the key there, and keeps it after a restart", () =>
    onStage((stage) => {
      const { commands, folder } = stage;
      const chosen = join(folder, "Ada's files");
      assert.throws(() => commands.exportTo("relative"), "whole path");
      assert.throws(() => commands.exportTo(chosen), "is no folder");
      mkdirSync(chosen);
      commands.exportTo(` ${chosen} `);
      assert.is(commands.state().values.ca, join(chosen, "weir-ca.pem"));
      assert.is(stage.again().state().folder, chosen);
      assert.is(commands.state().values.keyHash, keyHashOf(pemOf(ROOT.certificate.raw)));
      assert.ok((commands.state().exportedAt ?? 0) > 0);
      for (const path of Object.values(commands.files)) assert.not.match(readFileSync(path, "latin1"), "PRIVATE");
    }));

  test("given no query of the system, trust is unknown; given one, the root is not trusted", () =>
    onStage(async ({ commands }) => {
      assert.is(commands.state().conditions.certificate.trustedBySystem, null);
      assert.is(commands.state().trustReadAt, null);
      assert.is(await commands.askTrust(), false);
      assert.is(commands.state().conditions.certificate.trustedBySystem, false);
      assert.is(commands.state().trustReadAt, 1_000);
    }));
});
