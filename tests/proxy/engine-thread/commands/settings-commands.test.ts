import * as assert from "uvu/assert";
import {
  RootCommands,
  SettingsCommands,
} from "../../../../extensions/proxy/engine-thread/commands/settings-commands.ts";
import { SettingsFile } from "../../../../extensions/proxy/storage/settings-file.ts";
import type { PublicRoot } from "../../../../extensions/proxy/threads.ts";
import { failure, success } from "../../../../src/engine/model/result.ts";
import type { Instant } from "../../../../src/engine/model/units.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

const PROXY = "http://user:secret@proxy.test:3128";

describe("settings commands", (test) => {
  test("given a proxy with a password, hides the password, and returns the same object until a change", () =>
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

  test("given the shown proxy sent back by a page, keeps the stored password, on disk too", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), {});
      commands.change("upstreamProxy", PROXY);
      assert.is(commands.change("upstreamProxy", commands.shown.upstreamProxy).upstreamProxy, PROXY);
      assert.is(SettingsFile.open(folder).settings.upstreamProxy, PROXY);
    }));

  test("given a wrong value, refuses it with a reason and changes nothing", () =>
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

  test("given an environment proxy with a password, offers it without, and stores it with the password", () =>
    withFolder(async (folder) => {
      const commands = new SettingsCommands(SettingsFile.open(folder), { HTTPS_PROXY: PROXY });
      const offered = commands.shownEnvironmentProxy;
      assert.not.match(offered ?? "", "secret");
      assert.is(commands.change("upstreamProxy", offered).upstreamProxy, PROXY);
      assert.is(new SettingsCommands(SettingsFile.open(folder), {}).shownEnvironmentProxy, null);
    }));
});

const DAY = 86_400_000;
const ENDS_AT = Date.UTC(2030, 0, 31);

function rootCalled(subject: string): PublicRoot {
  const said = { subject, issuer: subject, names: "", validFrom: "", validTo: "", fingerprint: "AA" };
  const files = { pem: "/data/weir.pem", bundle: "/data/bundle.pem", der: "/data/weir.der" };
  return {
    certificate: { ...said, ...files, endsAt: ENDS_AT as Instant, renewable: true },
    certificatePem: subject,
  };
}

describe("root certificate commands", (test) => {
  test("given two renewals at once, makes one root for both", async () => {
    let asked = 0;
    const commands = new RootCommands(rootCalled("old"), () => {
      asked += 1;
    });
    const both = [commands.renew(), commands.renew()];
    assert.is(asked, 1);
    commands.setRoot(success(rootCalled("new")));
    assert.equal(await Promise.all(both), [null, null]);
    assert.equal(commands.certificate, rootCalled("new").certificate);
    const another = commands.renew();
    assert.is(asked, 2);
    commands.setRoot(success(rootCalled("newer")));
    await another;
  });

  test("given a renewal that fails, tells the reason and keeps the old root", async () => {
    const commands = new RootCommands(rootCalled("old"), () => {});
    const refused = commands.renew().catch((error: Error) => error.message);
    commands.setRoot(failure("This root was given."));
    assert.is(await refused, "This root was given.");
    assert.equal(commands.certificate, rootCalled("old").certificate);
  });

  test("given a root that expires within 30 days, warns; after its renewal, no longer", () => {
    const commands = new RootCommands(rootCalled("old"), () => {});
    assert.is(commands.endWarning((ENDS_AT - 31 * DAY) as Instant), null);
    assert.match(commands.endWarning((ENDS_AT - 29 * DAY) as Instant) ?? "", "2030-01-31, in 29 days");
    commands.setRoot(
      success({
        ...rootCalled("new"),
        certificate: { ...rootCalled("new").certificate, endsAt: (ENDS_AT + 365 * DAY) as Instant },
      }),
    );
    assert.is(commands.endWarning((ENDS_AT - 29 * DAY) as Instant), null);
  });
});
