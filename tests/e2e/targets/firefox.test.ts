import { existsSync } from "node:fs";
import * as assert from "uvu/assert";
import { setupOf, type Values } from "../../../src/engine/hub/target.ts";
import { firefox } from "../../../src/engine/hub/targets/firefox.ts";
import type { Watch } from "../../../src/engine/hub/watcher.ts";
import { describe } from "../../support/describe.ts";
import { shownByFirefox } from "../../support/marionette.ts";
import type { Place } from "../../support/proof.ts";
import { assertRefused, assertRejected, type Proof, proveWith } from "../../support/proof.ts";
import { runTool } from "../../support/tool.ts";
import { needs, needsVersion, which } from "../../support/which.ts";

const USER_JS = "firefox/network-settings@user.js of a separate profile";
const IMPORT = "firefox/authority-import@certutil, separate profile#sh";

const program = which("firefox") ?? which("firefox-esr") ?? "firefox";
const skip = needs("certutil") ?? (program === "firefox" ? "needs firefox" : null);
const START_LIMIT = 40_000;

const VALUES: Values = {
  host: "",
  port: 0,
  lan: null,
  ca: "",
  bundle: "",
  der: "",
  keyHash: "hash=",
  url: "",
  reverse: 0,
  transparent: 8443,
};

/** Firefox's texts, in the two archives that come with it. */
const STRINGS = ["/usr/lib/firefox-esr", "/usr/lib/firefox"]
  .flatMap((folder) => [`${folder}/browser/omni.ja`, `${folder}/omni.ja`])
  .filter((path) => existsSync(path));
/** Names in Setup and Certificate that must exist in Firefox's settings window. */
const NAMES = [
  ...["Configure proxy", "Manual proxy configuration", "HTTP Proxy", "Port", "Also use this proxy for HTTPS"],
  ...["No proxy for", "Use system proxy settings"],
  ...[
    "Privacy and security",
    "Certificates",
    "Manage certificates",
    "Authorities",
    "Import",
    "Trust this CA to identify websites",
  ],
];

/** A profile created by the hub's own commands and preferences. */
async function withProfile(place: Place, userJs: string): Promise<void> {
  const made = await runTool(["sh", "-c", place.textOf(IMPORT)], place.folder);
  assert.is(made.code, 0, made.output);
  place.saved("weir-firefox/user.js", userJs);
}

/** Firefox's error page for the probe, read by remote control on a port of Firefox's choice. */
async function shown(place: Place): Promise<string> {
  await withProfile(place, `${place.textOf(USER_JS)}user_pref("marionette.port", 0);\n`);
  return shownByFirefox(program, place.folder, "weir-firefox", place.values.url);
}

/** Keeps Firefox open until the watcher has seen enough. */
async function opened(place: Place, url: string, userJs: string, enough: (watch: Watch) => boolean): Promise<Watch> {
  await withProfile(place, userJs);
  const stop = new AbortController();
  const argv = [program, "--headless", "--no-remote", "--profile", "weir-firefox", url];
  const running = runTool(argv, place.folder, { limit: START_LIMIT, signal: stop.signal });
  const state = await place.until(enough, START_LIMIT);
  stop.abort();
  await running;
  return state;
}

const isConfirmed = (watch: Watch) => watch.state === "confirmed";
const hasSighting = (watch: Watch) => watch.state === "watching" && watch.sightings.length > 0;
const kinds = (watch: Watch) => (watch.state === "watching" ? watch.sightings.map(({ kind }) => kind) : watch.state);

describe("Firefox, headless, in a separate profile", (test) => {
  const proof: Omit<Proof, "form" | "run"> = { skip, version: [program, "--version"] };

  for (const form of [USER_JS, IMPORT]) {
    proveWith(test, { ...proof, form }, "ok", "is captured", async (place) => {
      assert.is((await opened(place, place.values.url, place.textOf(USER_JS), isConfirmed)).state, "confirmed");
    });
  }

  proveWith(test, { ...proof, form: IMPORT }, "wrong", "with another root fails as documented", async (place) => {
    await assertRejected(place, await shown(place));
  });

  proveWith(test, { ...proof, form: USER_JS }, "off", "with the proxy off fails as documented", async (place) => {
    assertRefused(place, await shown(place));
  });

  proveWith(
    test,
    { ...proof, form: "firefox/localhost-probe" },
    "ok",
    "is captured through the proxy",
    async (place) => {
      const url = place.text.split("\n").at(-1) ?? "";
      assert.is((await opened(place, url, place.textOf(USER_JS), isConfirmed)).state, "confirmed");
    },
  );

  proveWith(
    test,
    { ...proof, form: "firefox/localhost-probe" },
    "ok",
    "without the preference came directly",
    async (place) => {
      const url = place.text.split("\n").at(-1) ?? "";
      const userJs = place.textOf(USER_JS).replace(/.*allow_hijacking_localhost.*\n/, "");
      assert.equal(kinds(await opened(place, url, userJs, hasSighting)), ["direct"]);
    },
  );

  test(
    "given Firefox's own strings, Setup calls its settings by the same names",
    async () => {
      const { overview, variants } = firefox;
      const texts = variants.flatMap(({ forms }) => forms.map((form) => form.text(VALUES)));
      const told = [...setupOf(firefox, VALUES).map(({ text }) => text), ...texts, overview.undo].join("\n");
      let said = "";
      for (const path of STRINGS)
        said += (await runTool(["unzip", "-p", path, "localization/en-US/*.ftl"], "/")).output;
      for (const name of NAMES) {
        assert.ok(told.includes(name), `the hub does not say ${name}`);
        assert.match(said, new RegExp(`= ${name}[.…]?$`, "m"));
      }
    },
    {
      skip:
        skip ??
        (STRINGS.length === 0 ? "needs Firefox of the distribution" : (needs("unzip") ?? needsVersion(program, 153))),
    },
  );
});
