import * as assert from "uvu/assert";
import { SettingsCommands } from "../../../../extensions/proxy/engine-thread/commands/settings-commands.ts";
import { SettingsFile } from "../../../../extensions/proxy/storage/settings-file.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const PROXY = "http://user:secret@proxy.test:3128";

describe("settings as pages have them", (test) => {
  test("are without the passwords in them, and the same object until one is changed", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), {});
      commands.change("upstreamProxy", PROXY);
      const { shown } = commands;
      assert.match(shown.upstreamProxy ?? "", "proxy.test");
      assert.not.match(JSON.stringify(shown), "secret");
      assert.is(commands.shown, shown);
      commands.change("bodyCap", shown.bodyCap + 1);
      assert.is.not(commands.shown, shown);
    }));

  test("what a page sends back as it saw it stays what it was, on disk too", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), {});
      commands.change("upstreamProxy", PROXY);
      assert.is(commands.change("upstreamProxy", commands.shown.upstreamProxy).upstreamProxy, PROXY);
      assert.is(SettingsFile.open(folder).settings.upstreamProxy, PROXY);
    }));

  test("a wrong value is refused in words, and nothing changes", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), {});
      const { shown } = commands;
      assert.throws(() => commands.change("upstreamProxy", "ftp://proxy.test"), /proxy/i);
      assert.throws(() => commands.change("no such setting", 1));
      const certificates = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
      const damaged = [{ host: "a.test", file: "ca.pem", certificates }];
      assert.throws(
        () => commands.change("hostAuthorities", damaged),
        /ca\.pem contains no certificate that can be read/,
      );
      assert.equal(SettingsFile.open(folder).settings.hostAuthorities, []);
      assert.equal(commands.shown, shown);
    }));

  test("the environment's proxy is offered without its password, and taken with it", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), { HTTPS_PROXY: PROXY });
      const offered = commands.shownEnvironmentProxy;
      assert.not.match(offered ?? "", "secret");
      assert.is(commands.change("upstreamProxy", offered).upstreamProxy, PROXY);
      assert.is(new SettingsCommands(SettingsFile.open(folder), {}).shownEnvironmentProxy, null);
    }));
});
