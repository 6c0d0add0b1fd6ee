import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { closestWord, highlightsOf, otherToolFor, otherToolOf, search } from "../../../src/engine/hub/search.ts";
import { CATEGORIES, SAMPLE } from "../../../src/engine/hub/target.ts";
import { TARGETS } from "../../../src/engine/hub/targets/index.ts";
import { terminal } from "../../../src/engine/hub/targets/terminal.ts";
import { describe } from "../../support/describe.ts";

describe("the filter above the source list", (test) => {
  test("an empty filter shows every target under its category, in order", () => {
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

  test("a part of an error that a target knows leads to the target, in any letter case", () => {
    for (const { slug, knownErrors } of TARGETS)
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
    ["what is nowhere", "python guide", []],
    ["what else it is called, where nothing else matches", "spring boot", ["java"]],
    ["its slug, likewise", "nodejs", ["nodejs"]],
    ["no other name where something shown matches", "java", ["java"]],
    ["another name by its beginning alone", "bernetes", []],
    ["a name beside a word that is shown", "k8s containers", ["docker"]],
    ["a slip of the keyboard", "andriod emulater", ["android-device", "android-emulator"]],
    ["a slip in another name, still being typed", "kuberntes", ["docker"]],
    ["no slip in the first letter", "zython", []],
    [
      "an error that the troubles of a target tell of",
      "Error: connect ECONNREFUSED 127.0.0.1:8686",
      ["nodejs", "bruno"],
    ],
    ["no part of such an error", "curl: (60)", []],
    ["no slip where something is spelled so", "go", ["nodejs", "go"]],
  ];
  for (const [what, filter, slugs] of cases) {
    test(`matches ${what}: "${filter}"`, () => {
      assert.equal(
        search(TARGETS, filter).flatMap(({ found }) => found.map(({ target }) => target.slug)),
        slugs,
      );
    });
  }

  test("what was meant is what is marked", () => {
    assert.equal(search(TARGETS, "flutr")[0]?.found[0]?.name, [{ from: 0, to: 7 }]);
  });

  for (const word of "golang,k8s,podman,csharp,typescript,django,rails,kotlin,powershell,zsh,wsl,msedge,mozilla,xcode,expo,jest,conda,http_proxy,playwright,puppeteer,selenium,ruby on rails,aws cli,environment variables".split(
    ",",
  )) {
    test(`somebody who looks for ${word} finds a page`, () => assert.is.not(search(TARGETS, word).length, 0));
  }

  const WORDS =
    "kubectl uv pip poetry conda terraform gcloud aws vscode cypress playwright selenium gradle maven okhttp guzzle composer gem cargo wsl grpc dart swift .env";
  for (const word of WORDS.split(" ")) {
    test(`the name of a tool, ${word}, leads to a page`, () => assert.is.not(search(TARGETS, word).length, 0));
  }

  for (const word of ["kubectl", "uv", "poetry", "terraform", "gcloud", "VS Code", "cypress", "grpc", ".env"]) {
    test(`${word}, which has no page, leads to the terminal's with a note that names what it reads`, () => {
      assert.equal(
        search(TARGETS, word).flatMap(({ found }) => found.map(({ target, name }) => [target.slug, name])),
        [["terminal", []]],
      );
      assert.match(otherToolFor(TARGETS, word)?.note ?? "", /block/);
    });
  }

  test("a word that finds a target by its own name gets no note of another tool", () => {
    for (const word of ["", "kube", "pip", "zython", "python guide"]) assert.is(otherToolFor(TARGETS, word), null);
  });

  test("words come before an error that stands among them, and nothing of an error is marked", () => {
    assert.equal(
      search(TARGETS, "proxyConnectFailure").flatMap(({ found }) =>
        found.map(({ target, name }) => [target.slug, name]),
      ),
      [["firefox", []]],
    );
    const output = `${"x".repeat(100_000)} net::ERR_CERT_AUTHORITY_INVALID`;
    assert.equal(search(TARGETS, output)[0]?.highlights, []);
  });

  test("a group says how many targets its category has in all", () => {
    const [group] = search(TARGETS, "firefox");
    assert.is(group?.found.length, 1);
    assert.is(group?.total, 2);
  });

  test("a word does not match across two fields", () => {
    assert.equal(search(TARGETS, "pythonruntimes"), []);
  });

  test("characters that mean something in patterns are only characters", () => {
    for (const filter of [".*", "[a-z]", "\\w", "$^"]) assert.equal(search(TARGETS, filter), []);
  });

  test("highlights are in order, merged where they touch, and in the text's own case", () => {
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

describe("a slip of the keyboard", (test) => {
  for (const [what, typed, meant] of [
    ["two letters swapped", "andriod", "android"],
    ["one missing", "pyton", "python"],
    ["one too many", "rubby", "ruby"],
    ["another one", "pythom", "python"],
    ["the last one missing", "pytho", "python"],
    ["a whole word before one that only begins so", "pythns", "pythons"],
    ["a word that is still being typed", "andoi", "android"],
    ["another first letter", "tuby", null],
    ["two slips", "adnriod1", null],
    ["a word too short to tell", "rub", null],
    ["another word", "banana", null],
    ["nothing", "", null],
  ] as const) {
    test(`${what}: "${typed}"`, () => assert.is(closestWord(typed, KNOWN), meant));
  }
});

describe("tools without a page", (test) => {
  test("every variable that a note says the block has is in the block", () => {
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

  test("a tool is found by the beginning of its name, in any case and spacing", () => {
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
