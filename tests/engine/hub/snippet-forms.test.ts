import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { environmentForms } from "../../../src/engine/hub/snippet-forms.ts";
import type { Form, Target, Values } from "../../../src/engine/hub/target.ts";
import { problemOf } from "../../../src/engine/hub/target.ts";
import { chromium } from "../../../src/engine/hub/targets/chromium.ts";
import { docker } from "../../../src/engine/hub/targets/docker.ts";
import { electron } from "../../../src/engine/hub/targets/electron.ts";
import { SHELLS } from "../../../src/engine/quoting/shell.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const VALUES: Values = {
  host: "127.0.0.1",
  port: 8686,
  lan: null,
  ca: "/ada/weir-ca.pem",
  bundle: "/ada/weir-ca-bundle.pem",
  der: "/ada/weir-ca.cer",
  keyHash: "hash=",
  url: "https://example.com/",
  reverse: 9001,
  transparent: 8443,
};
const FORMS = environmentForms({ extra: [["SSL_CERT_FILE", (values) => values.bundle]], command: null, ran: {} });

describe("environment blocks", (test) => {
  for (const [shell, program] of [
    ["sh", "sh"],
    ["sh", "bash"],
    ["sh", "zsh"],
    ["fish", "fish"],
  ] as const) {
    test(
      `given any certificate path, ${program} sets the path unchanged and the undo line removes every variable`,
      async () => {
        const name = fc.string({ unit: "grapheme", maxLength: 12 }).filter((text) => !/[\0\ud800-\udfff]/.test(text));
        await fc.assert(
          fc.asyncProperty(name, async (text) => {
            const bundle = `/ada/${text}/weir-ca-bundle.pem`;
            const block = formFor(shell).text({ ...VALUES, bundle });
            assert.equal(await environmentAfter(program, block), {
              HTTP_PROXY: "http://127.0.0.1:8686",
              http_proxy: "http://127.0.0.1:8686",
              HTTPS_PROXY: "http://127.0.0.1:8686",
              https_proxy: "http://127.0.0.1:8686",
              NO_PROXY: "",
              no_proxy: "",
              SSL_CERT_FILE: bundle,
            });
          }),
          { numRuns: rounds(15) },
        );
        const both = `${formFor(shell).text(VALUES)}\n${formFor(shell).undo?.(VALUES)}`;
        assert.equal(await environmentAfter(program, both), {});
      },
      { skip: needs(program) },
    );
  }

  test("given a path with non-ASCII characters, reports a problem for cmd only", () => {
    const values = { ...VALUES, bundle: "C:\\Users\\José\\weir-ca-bundle.pem" };
    assert.match(
      problemOf(formFor("cmd"), values) ?? "",
      /^The certificate's path contains .* non-ASCII characters.* Choose/,
    );
    assert.is(problemOf(formFor("powershell"), values), null);
    assert.is(problemOf(formFor("cmd"), VALUES), null);
  });

  test("given a non-ASCII path that a snippet does not contain, reports no problem", () => {
    const values = { ...VALUES, ca: "C:\\José\\ca.pem", bundle: "C:\\José\\bundle.pem", der: "C:\\José\\ca.cer" };
    const problems = (target: Target) =>
      target.variants.flatMap(({ forms }) =>
        forms.filter(({ shell }) => shell === "cmd").map((form) => problemOf(form, values)),
      );
    assert.equal(new Set(problems(chromium)), new Set([null]));
    assert.equal(problems(electron), [null]);
    const atOther = { ...VALUES, ca: "C:\\José\\ca.pem" };
    assert.is(problemOf(formFor("cmd"), atOther), null, "it names the bundle alone");
  });

  test("given a snippet that needs the LAN address, reports a problem until there is an address", () => {
    const [run] = docker.variants;
    const forms = run?.forms.filter(({ version }) => version === "Host IPv4 address") ?? [];
    assert.is(forms.length, SHELLS.length);
    for (const form of forms) {
      assert.match(problemOf(form, VALUES) ?? "", "Reachable from the local network");
      assert.is(problemOf(form, { ...VALUES, lan: "192.168.1.20" }), null);
      assert.match(form.text({ ...VALUES, lan: "192.168.1.20" }), "http://192.168.1.20:8686");
    }
  });
});

function formFor(shell: string): Form {
  const form = FORMS.find((each) => each.shell === shell);
  if (form === undefined) throw new Error(`no form for ${shell}`);
  return form;
}

/** The variables that a program sees after the block ran in a shell with an inherited NO_PROXY. */
async function environmentAfter(program: string, block: string): Promise<Record<string, string>> {
  let stdout = "";
  await withFolder(async (folder) => {
    const ran = await runTool([program, "-c", `${block}\nenv -0`], folder, { env: { NO_PROXY: "*" } });
    stdout = ran.stdout.toString();
  });
  const pairs = stdout.split("\0").map((pair) => /^(\w+)=(.*)$/s.exec(pair));
  return Object.fromEntries(
    pairs.flatMap((pair) => (pair?.[1] !== undefined && /PROXY|SSL/i.test(pair[1]) ? [[pair[1], pair[2] ?? ""]] : [])),
  );
}
