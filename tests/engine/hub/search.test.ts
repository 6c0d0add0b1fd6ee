import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { closestWord, highlightsOf, otherToolFor, otherToolOf, search } from "../../../src/engine/hub/search.ts";
import { CATEGORIES, SAMPLE } from "../../../src/engine/hub/target.ts";
import { TARGETS } from "../../../src/engine/hub/targets/index.ts";
import { terminal } from "../../../src/engine/hub/targets/terminal.ts";
import { describe } from "../../support/describe.ts";
import { someOf } from "../../support/rounds.ts";

describe("source search", (test) => {
  test("given a blank filter, lists every target under its category, in order", () => {
    const groups = search(TARGETS, "  ");
    assert.equal(
      groups.map(({ category }) => category),
      [...CATEGORIES],
    );
    assert.equal(
      groups.flatMap(({ found }) => found.map(({ target }) => target.slug)),
      TARGETS.map(({ slug }) => slug),
    );
  });

  test("given a part of a known error in any letter case, finds a target that knows the error", () => {
    for (const { slug, knownErrors } of someOf(TARGETS))
      for (const { text } of knownErrors) {
        const part = text.slice(0, 24).trim();
        if (part.length < 12) continue;
        const slugs = search(TARGETS, part.toUpperCase()).flatMap(({ found }) =>
          found.map(({ target }) => target.slug),
        );
        assert.ok(slugs.length > 0, part);
        if (
          !search(TARGETS, part).some(({ highlights, found }) => highlights.length + (found[0]?.name.length ?? 0) > 0)
        )
          assert.ok(slugs.includes(slug), `${slug}: ${part}`);
      }
    const found = search(TARGETS, "certificate_verify_failed").flatMap((group) => group.found);
    assert.ok(found.some(({ target }) => target.slug === "python"));
  });

  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["the name, in any case", "PYTHON", ["python", "httpie"]],
    ["the category", "browsers", ["firefox", "chromium"]],
    ["the summary", "keychain", ["rapidapi-mac"]],
    [
      "the label",
      "guide only",
      [
        "ios-device",
        "ios-simulator",
        "android-device",
        "android-emulator",
        "tvos-watchos",
        "visionos",
        "phone-socks",
        "flutter",
        "react-native",
      ],
    ],
    ["every word somewhere, in any field and order", "guide emulator 10.0", ["android-emulator"]],
    ["no target, as no target has both words", "python guide", []],
    ["another name of a target, as no shown text matches", "spring boot", ["java"]],
    ["a slug, as no shown text matches", "nodejs", ["nodejs"]],
    ["shown text only, not other names, where shown text matches", "java", ["java"]],
    ["no other name by its middle", "bernetes", []],
    ["another name together with a shown word", "k8s containers", ["docker"]],
    ["words with typos", "andriod emulater", ["android-device", "android-emulator"]],
    ["an unfinished other name with a typo", "kuberntes", ["docker"]],
    ["no word with a typo in its first letter", "zython", []],
    ["the known error of a target", "Error: connect ECONNREFUSED 127.0.0.1:8686", ["nodejs", "bruno"]],
    ["no known error by so short a part", "curl: (60)", []],
    ["exact text only, without typos", "go", ["nodejs", "go"]],
  ];
  for (const [what, filter, slugs] of cases) {
    test(`given the filter "${filter}", matches ${what}`, () => {
      assert.equal(
        search(TARGETS, filter).flatMap(({ found }) => found.map(({ target }) => target.slug)),
        slugs,
      );
    });
  }

  test("given a word with a typo, highlights the intended word", () => {
    assert.equal(search(TARGETS, "flutr")[0]?.found[0]?.name, [{ from: 0, to: 7 }]);
  });

  for (const word of "golang,k8s,podman,csharp,typescript,django,rails,kotlin,powershell,zsh,wsl,msedge,mozilla,xcode,expo,jest,conda,http_proxy,playwright,puppeteer,selenium,ruby on rails,aws cli,environment variables".split(
    ",",
  )) {
    test(`given the search word ${word}, finds a page`, () => assert.is.not(search(TARGETS, word).length, 0));
  }

  const WORDS =
    "kubectl uv pip poetry conda terraform gcloud aws vscode cypress playwright selenium gradle maven okhttp guzzle composer gem cargo wsl grpc dart swift .env";
  for (const word of WORDS.split(" ")) {
    test(`given the name of a tool, ${word}, finds a page`, () => assert.is.not(search(TARGETS, word).length, 0));
  }

  for (const word of ["kubectl", "uv", "poetry", "terraform", "gcloud", "VS Code", "cypress", "grpc", ".env"]) {
    test(`given ${word}, which has no page, finds the terminal page with a note about its block`, () => {
      assert.equal(
        search(TARGETS, word).flatMap(({ found }) => found.map(({ target, name }) => [target.slug, name])),
        [["terminal", []]],
      );
      assert.match(otherToolFor(TARGETS, word)?.note ?? "", /block/);
    });
  }

  test("given a word that matches a target or nothing, adds no note about another tool", () => {
    for (const word of ["", "kube", "pip", "zython", "python guide"]) assert.is(otherToolFor(TARGETS, word), null);
  });

  test("given the text of a known error, finds its target and highlights nothing", () => {
    assert.equal(
      search(TARGETS, "proxyConnectFailure").flatMap(({ found }) =>
        found.map(({ target, name }) => [target.slug, name]),
      ),
      [["firefox", []]],
    );
    const output = `${"x".repeat(100_000)} net::ERR_CERT_AUTHORITY_INVALID`;
    assert.equal(search(TARGETS, output)[0]?.highlights, []);
  });

  test("given a filtered group, states how many targets its category has in all", () => {
    const [group] = search(TARGETS, "firefox");
    assert.is(group?.found.length, 1);
  });

  test("given a word that spans two fields, matches nothing", () => {
    assert.equal(search(TARGETS, "pythonruntimes"), []);
  });

  test("given characters with a meaning in regular expressions, matches them literally", () => {
    for (const filter of [".*", "[a-z]", "\\w", "$^"]) assert.equal(search(TARGETS, filter), []);
  });

  test("given several words, highlights are in order, merged where they touch, and ignore letter case", () => {
    assert.equal(highlightsOf("Python, python", ["py", "yth", "on"]), [
      { from: 0, to: 6 },
      { from: 8, to: 14 },
    ]);
    assert.equal(highlightsOf("aaa", ["aa"]), [{ from: 0, to: 3 }]);
    const found = search(TARGETS, "py proven")[0]?.found[0];
    assert.equal(found?.name, [{ from: 0, to: 2 }]);
    assert.equal(found?.support, [{ from: 0, to: 6 }]);
  });
});

const KNOWN = ["android", "python", "pythons", "ruby"];

describe("typo correction in the source search", (test) => {
  for (const [what, typed, meant] of [
    ["two letters swapped", "andriod", "android"],
    ["a missing letter", "pyton", "python"],
    ["an extra letter", "rubby", "ruby"],
    ["a wrong letter", "pythom", "python"],
    ["a missing last letter", "pytho", "python"],
    ["a typo for a whole word", "pythns", "pythons"],
    ["an unfinished word with a typo", "andoi", "android"],
    ["a wrong first letter", "tuby", null],
    ["two typos", "adnriod1", null],
    ["too short a word", "rub", null],
    ["an unrelated word", "banana", null],
    ["no text", "", null],
  ] as const) {
    test(`given ${what} ("${typed}"), finds the intended word, if any`, () =>
      assert.is(closestWord(typed, KNOWN), meant));
  }
});

describe("tools without a target", (test) => {
  test("given a note that names variables of the terminal block, the block contains them", () => {
    const values = {
      host: "127.0.0.1",
      port: 1,
      lan: null,
      ca: "/ca",
      bundle: "/bundle",
      der: "/der",
      keyHash: "hash=",
      url: SAMPLE,
      reverse: 1,
      transparent: 8443,
    };
    const block = terminal.variants.flatMap(({ forms }) => forms.map(({ text }) => text(values))).join("\n");
    for (const name of ["kubectl", "uv", "poetry", "terraform", "gcloud", "vscode", "cypress", "grpc", ".env"]) {
      const named = (otherToolOf(name)?.note ?? "").match(/\b\w+_\w+\b/g) ?? [];
      const missing = named.filter((word) => !block.includes(word));
      assert.equal([name, missing.filter((word) => word !== "custom_ca_certs_file")], [name, []]);
    }
  });

  test("given the beginning of a tool's name in any case and spacing, finds the tool", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.boolean(), (length, upper) => {
        const typed = "terraform".slice(0, length);
        const found = otherToolOf(`  ${upper ? typed.toUpperCase() : typed} `);
        assert.is(found?.names[0], "terraform");
      }),
    );
    assert.is(otherToolOf("vs  code")?.names[0], "vscode");
    for (const word of ["", " ", "erraform", "terraforms"]) assert.is(otherToolOf(word), null);
  });
});
