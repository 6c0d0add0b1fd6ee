import * as assert from "uvu/assert";
import type { HubConditions } from "../../../src/engine/hub/preflight.ts";
import { preflight } from "../../../src/engine/hub/preflight.ts";
import type { Target } from "../../../src/engine/hub/target.ts";
import { TARGETS, targetOf } from "../../../src/engine/hub/targets/index.ts";
import { describe } from "../../support/describe.ts";

const WELL: HubConditions = {
  platform: "darwin",
  proxy: { running: true, address: "127.0.0.1", port: 8686 },
  lan: null,
  recording: true,
  certificate: { fingerprint: "AA:BB", trustedBySystem: true, exportProblem: null },
  probeHost: "probe.weir.test",
  probeHostPassedThrough: false,
  probeHostExcluded: false,
  copied: null,
};
const STOPPED = { proxy: { running: false, address: "127.0.0.1", port: 8686 } };
const PAUSED = { recording: false };
const UNTRUSTED = { certificate: { ...WELL.certificate, trustedBySystem: false } };
const UNEXPORTED = { certificate: { ...WELL.certificate, exportProblem: "The folder is read-only." } };
const NEITHER = {
  certificate: { ...WELL.certificate, trustedBySystem: false, exportProblem: "The folder is read-only." },
};

describe("preflight check", (test) => {
  // The required order: proxy stopped, recording paused, certificate not trusted, certificate not exportable.
  const order: readonly (readonly [string, Partial<HubConditions>, string, string])[] = [
    ["proxy stopped", { ...STOPPED, ...PAUSED, ...NEITHER }, "proxy", "start-proxy"],
    ["recording paused", { ...PAUSED, ...NEITHER }, "recording", "resume-recording"],
    ["certificate not trusted", NEITHER, "trust", "show-trust-steps"],
    ["certificate not exportable", UNEXPORTED, "export", "export-certificate"],
  ];
  for (const [condition, conditions, name, action] of order) {
    test(`given ${condition}, reports that problem before later ones, with the matching action`, () => {
      const { blocking } = checked("electron", conditions);
      assert.is(blocking?.name, name);
      assert.is(blocking?.action?.kind, action);
    });
  }

  test("given no problem, lists all four checks in order as passed and blocks nothing", () => {
    const { blocking, checks, warnings } = checked("electron", {});
    assert.is(blocking, null);
    assert.equal(
      checks.map(({ name, state }) => `${name} ${state}`),
      ["proxy passed", "recording passed", "trust passed", "export passed"],
    );
    assert.equal(warnings, []);
  });

  test("given an IPv6 address, shows it in brackets before the port", () => {
    const { checks } = checked("python", { proxy: { running: true, address: "::1", port: 8686 } });
    assert.is(checks[0]?.text, "Running on [::1]:8686.");
  });

  test("given an untrusted certificate, blocks only targets that use a trust store readable on the system", () => {
    const blockedOn = (platform: string) =>
      TARGETS.filter(
        (target) => preflight(target, { ...WELL, ...UNTRUSTED, lan: "192.168.1.20", platform }).blocking !== null,
      ).map(({ slug }) => slug);
    assert.equal(blockedOn("darwin"), ["rapidapi-mac", "electron"]);
    assert.equal(blockedOn("win32"), ["electron"]);
    assert.equal(blockedOn("linux"), []);
  });

  test("given an untrusted certificate that does not block the target, a note says why", () => {
    for (const [slug, words] of [
      ["python", "names the certificate file"],
      ["chromium", "names the certificate's key"],
      ["firefox", "its own authority store"],
      ["ios-device", "The device has its own"],
    ] as const) {
      const trust = checked(slug, UNTRUSTED).checks[2];
      assert.is(trust?.state, "note", slug);
      assert.match(trust?.text ?? "", words);
    }
  });

  test("given a system trust state that could not be read, does not block", () => {
    const { blocking } = checked("electron", { certificate: { ...WELL.certificate, trustedBySystem: null } });
    assert.is(blocking, null);
  });

  test("given LAN listening off, blocks devices and remote containers, but not containers in the host's network", () => {
    const reach = (slug: string, conditions: Partial<HubConditions> = {}, isElsewhere?: boolean) => {
      const found = preflight(target(slug), { ...WELL, ...conditions }, isElsewhere);
      return `${found.checks.find(({ name }) => name === "reach")?.state} ${found.blocking?.action?.kind}`;
    };
    for (const slug of ["ios-device", "android-device"]) assert.is(reach(slug), "blocked open-to-network");
    for (const slug of ["docker", "flutter", "visionos"]) {
      assert.is(reach(slug), "note undefined");
      assert.is(reach(slug, {}, true), "blocked open-to-network");
      assert.is(reach(slug, { lan: "192.168.1.20" }, true), "passed undefined");
    }
    const everywhere = { proxy: { running: true, address: "0.0.0.0", port: 8686 } };
    assert.is(reach("ios-device", everywhere), "note undefined", "without a network nothing is to be switched");
    assert.is(reach("ios-device", STOPPED), "blocked start-proxy");
    for (const slug of ["curl", "android-emulator"]) assert.is(reach(slug, {}, true), "undefined undefined");
  });

  test("given a probe host that is passed through or out of scope, warns", () => {
    assert.match(checked("curl", { probeHostPassedThrough: true }).warnings.join(), "Pass through");
    assert.match(checked("curl", { probeHostExcluded: true }).warnings.join(), "capture scope");
  });

  test("given a snippet copied before the port or certificate changed, warns", () => {
    const copied = { port: 8686, fingerprint: "AA:BB" };
    assert.equal(checked("curl", { copied }).warnings, []);
    assert.match(checked("curl", { copied: { ...copied, port: 8080 } }).warnings.join(), "copied with port 8080");
    assert.match(
      checked("curl", { copied: { ...copied, fingerprint: "CC" } }).warnings.join(),
      "before the current certificate",
    );
  });
});

function checked(slug: string, conditions: Partial<HubConditions>) {
  return preflight(target(slug), { ...WELL, ...conditions });
}

function target(slug: string): Target {
  const found = targetOf(slug);
  if (found === null) throw new Error(`no target ${slug}`);
  return found;
}
