import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { formKeys } from "../../../../src/engine/hub/target.ts";
import { TARGETS } from "../../../../src/engine/hub/targets/index.ts";
import type { HubState, SnippetCopy } from "../../../../src/engine/messages/hub-messages.ts";
import {
  blocksOf,
  coloured,
  isOpened,
  type Reading,
  type SnippetBlock,
  sendingBlocksOf,
} from "../../../../src/ui/views/hub/snippet-block.ts";
import { anyCharacter, anyUrl } from "../../../support/any-character.ts";
import { describe } from "../../../support/describe.ts";
import { HUB, hubNow, NOON, UNTESTED } from "./hub-state.ts";

const URL_SHOWN = "https://example.com/";
const PROBE = "https://probe.weir.test/anything/weir/";

const chosen = (choices: SnippetBlock["variants"]) => choices.filter((one) => one.chosen).map(({ label }) => label);

function blocks(slug: string, change: Parameters<typeof hubNow>[1] = {}, hub: HubState = HUB): readonly SnippetBlock[] {
  return blocksOf(hubNow(slug, change), hub, URL_SHOWN, NOON);
}

const copy = (change: Partial<SnippetCopy> = {}): SnippetCopy => ({
  form: "requests",
  at: NOON,
  port: 8686,
  fingerprint: HUB.conditions.certificate.fingerprint,
  ...change,
});

describe("snippet blocks of the Setup Hub", (test) => {
  test("given a target, groups its variants by place and fills in the current values and the sample URL", () => {
    const [program, shell] = blocks("python");
    assert.is(program?.heading, "In the program");
    assert.equal(
      program?.variants.map(({ label }) => label),
      ["requests", "httpx", "aiohttp", "urllib3"],
    );
    assert.match(program?.text ?? "", 'session.verify = "/weir/weir-ca-bundle.pem"');
    assert.match(program?.text ?? "", '"https://example.com/"');
    assert.is(program?.ran, "Tested with requests 2.28");
    assert.equal(chosen(shell?.shells ?? []), ["bash, zsh"]);
    assert.match(shell?.undo ?? "", "unset HTTP_PROXY");
  });

  test("given a program whose file name matters, says the name beside what ran it", () => {
    const [program, ofFetch, shell] = blocks("nodejs");
    assert.is(program?.ran, "Save as request.mjs. Tested with axios 1.21 on Node.js 20, 22, 24 and 26");
    assert.match(ofFetch?.ran ?? "", /^Save as request\.mjs\. Tested with undici/);
    assert.match(shell?.ran ?? "", /^Tested with/);
  });

  test("given no chosen shell, shows the one usual on the system, and otherwise the chosen one", () => {
    const windows = { ...HUB, conditions: { ...HUB.conditions, platform: "win32" } };
    assert.equal(chosen(blocks("curl", { hub: windows }, windows)[0]?.shells ?? []), ["PowerShell"]);
    assert.equal(chosen(blocks("curl", { hub: windows, shell: "fish" }, windows)[0]?.shells ?? []), ["fish"]);
  });

  test("given a variant and a version chosen earlier, keeps both chosen", () => {
    const choices = { "python/In the program": "httpx", "python/In the program/httpx": "0.26 and newer" };
    const [block] = blocks("python", { choices });
    assert.equal(chosen(block?.variants ?? []), ["httpx"]);
    assert.equal(chosen(block?.versions ?? []), ["0.26 and newer"]);
    assert.is(block?.ran, "");
    assert.is(block?.form, "httpx@0.26 and newer");
  });

  test("given a place named like a variant, does keep its chosen variant apart from that variant's version", () => {
    const now = hubNow("python");
    const variants = now.target.variants.map((variant) =>
      variant.heading === "In the program" ? variant : { ...variant, heading: "httpx" },
    );
    const keys = blocks("python", {
      target: { ...now.target, variants },
      choices: { "python/In the program": "httpx" },
    }).flatMap(({ variantKey, versionKey }) => [variantKey, versionKey]);
    assert.is(new Set(keys).size, 4);
  });

  test("given a value that the shell cannot pass on, shows an explanation instead of a text", () => {
    const hub = { ...HUB, values: { ...HUB.values, bundle: "C:\\Users\\Ådå\\weir-ca-bundle.pem" } };
    const [block] = blocks("curl", { hub, shell: "cmd" }, hub);
    assert.is(block?.text, "");
    assert.match(block?.problem ?? "", "cmd cannot pass on");
  });

  test("given a copied text, says so beside that text alone, not beside the same snippet with another URL", () => {
    fc.assert(
      fc.property(anyUrl, (other) => {
        fc.pre(other !== URL_SHOWN);
        const state = { ...UNTESTED, copies: [copy()] };
        const text = blocks("python")[0]?.text ?? "";
        const now = hubNow("python", { state, copied: { "python/requests": text } });
        const copiedFor = (url: string) => blocksOf(now, HUB, url, NOON).map(({ copied }) => copied);
        assert.equal(copiedFor(URL_SHOWN), ["Copied 12:30", ""]);
        assert.equal(copiedFor(other), ["", ""]);
        assert.equal(
          sendingBlocksOf(now, HUB, `${PROBE}python`, NOON).map(({ copied }) => copied),
          ["", ""],
        );
      }),
    );
  });

  test("given a Node.js program that uses fetch, a heading names fetch", () => {
    assert.ok(blocks("nodejs").some(({ heading }) => /\bfetch\b/.test(heading)));
  });

  test("given a copy with another port or certificate, marks it as stale and underlines a changed port", () => {
    const state = { ...UNTESTED, copies: [copy()] };
    const [fresh] = blocks("python", { state });
    assert.is(fresh?.stale, "");
    const [port] = blocks("python", { state: { ...state, copies: [copy({ port: 8080 })] } });
    assert.is(port?.stale, "You copied requests at 12:30 with port 8080 (the proxy now listens on 8686).");
    const changed = port?.lines.flatMap(({ runs }) => runs.filter((run) => run.changed).map(({ text }) => text));
    assert.equal(changed, ["8686", "8686"]);
    const [other] = blocks("python", { state: { ...state, copies: [copy({ fingerprint: "00" })] } });
    assert.match(other?.stale ?? "", "a certificate that has since been replaced");
    assert.equal([fresh?.underlined, port?.underlined, other?.underlined], [false, true, false]);
  });

  test("given any block of any target, names a form that the engine knows and shows its text completely", () => {
    for (const target of TARGETS) {
      for (const block of blocks(target.slug)) {
        assert.ok(formKeys(target).includes(block.form), `${target.slug}: ${block.form}`);
        const shown = block.lines.map(({ runs }) => runs.map(({ text }) => text).join("")).join("\n");
        assert.is(shown, block.text.replace(/\n$/, ""));
      }
    }
  });

  test("given a target, offers only what sends the probe, and opens the URL itself where nothing sends it", () => {
    const sending = (slug: string) =>
      sendingBlocksOf(hubNow(slug), HUB, `${PROBE}${slug}`, NOON).map(({ heading: place }) => place);
    assert.equal(sending("python"), ["In the program", "From the shell, without touching code"]);
    assert.equal(sending("firefox"), ["Without a probe host"]);
    assert.equal(sending("ios-device"), []);
    const opened = TARGETS.filter(({ slug }) => isOpened(hubNow(slug), HUB, `${PROBE}${slug}`));
    assert.equal(
      opened.filter(({ support }) => support !== "Guide only").map(({ slug }) => slug),
      ["firefox"],
    );
  });

  test("given a certificate path that cmd cannot hold and any probe host, offers a way to test every target", () => {
    const folder = "C:\\Users\\José";
    const values = {
      ...HUB.values,
      ca: `${folder}\\ca.pem`,
      bundle: `${folder}\\bundle.pem`,
      der: `${folder}\\ca.cer`,
    };
    const hub = { ...HUB, values };
    for (const { slug, variants } of TARGETS) {
      const url = `https://999.1.1.1/anything/weir/${slug}`;
      const blocks = sendingBlocksOf(hubNow(slug, { hub, shell: "cmd" }), hub, url, NOON);
      assert.is(isOpened(hubNow(slug, { hub }), hub, url), variants.length === 0 || slug === "firefox", slug);
      assert.is(blocks.length > 0, variants.length > 0, slug);
    }
  });

  test("given a target whose text sends the probe, also offers the command, file or environment that the text needs", () => {
    const titles = (slug: string) =>
      sendingBlocksOf(hubNow(slug), HUB, `${PROBE}${slug}`, NOON).map(({ title }) => title);
    assert.equal(titles("postman"), ["weir-probe.postman_collection.json", "newman"]);
    assert.equal(titles("bruno"), ["bruno.json", "bru"]);
    assert.equal(titles("nextjs"), ["Route handler", "Environment"]);
    assert.equal(titles("dotnet"), ["HttpClient", "Environment"]);
  });
});

const sketch = (text: string, reading: Reading, changed: string | null = null): readonly string[] =>
  coloured(text, reading, changed).map(({ runs }) =>
    runs.map((run) => `${run.kind === "plain" ? "" : `${run.kind}:`}${run.text}${run.changed ? "!" : ""}`).join("|"),
  );

describe("syntax colouring of snippets", (test) => {
  test("given code, colours strings, numbers and keywords", () => {
    assert.equal(sketch('import a\nx = f("https://b/", 15)', "code"), [
      "keyword:import| a",
      'x = f(|string:"https://b/"|, |number:15|)',
    ]);
  });

  test("given shell text, colours assigned values as strings, and no numbers", () => {
    assert.equal(sketch("export A=http://127.0.0.1:8686\ncurl 'a b' 15", "shell"), [
      "keyword:export| A=|string:http://127.0.0.1:8686",
      "curl |string:'a b'| 15",
    ]);
  });

  test("given short options and strings, never breaks them at hyphens, and keeps a comment in one run", () => {
    const whole = (text: string, reading: Reading) =>
      coloured(text, reading, null).flatMap(({ runs }) => runs.filter((run) => run.whole).map((run) => run.text));
    assert.equal(whole(`curl -s --proxy http://a-b '${"x".repeat(39)}' 'a-b'`, "shell"), ["-s", "--proxy", "'a-b'"]);
    assert.equal(sketch('f("//a") // in a-b', "code"), ['f(|string:"//a"|) |comment:// in a-b']);
  });

  test("given plain values, colours nothing", () => {
    assert.equal(sketch('No proxy for: "x" 15', "plain"), ['No proxy for: "x" 15']);
  });

  test("given a changed value, marks it wherever it is a whole word", () => {
    assert.equal(sketch("a:80 8080 80", "plain", "80"), ["a:|80!| 8080 |80!"]);
  });

  test("given any text, shows all of it", () => {
    const reading = fc.constantFrom<Reading>("code", "shell", "plain");
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), reading, fc.constantFrom(null, "8686"), (text, kind, changed) => {
        const shown = coloured(text, kind, changed).map(({ runs }) => runs.map((run) => run.text).join(""));
        assert.is(shown.join("\n"), text.replace(/\n$/, ""));
      }),
    );
  });
});
