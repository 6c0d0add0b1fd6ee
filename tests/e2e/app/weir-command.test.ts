import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { COMMANDS } from "../../../scripts/command-table.ts";
import { manPage } from "../../../scripts/man-page.ts";
import { SAMPLE } from "../../../src/engine/hub/target.ts";
import { terminal } from "../../../src/engine/hub/targets/terminal.ts";
import { addSession, PLENTY } from "../../proxy/storage/small-sessions.ts";
import { describe } from "../../support/describe.ts";
import { runningWeir } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { needs } from "../../support/which.ts";
import { valueInPowerShell } from "../../support/windows-shells.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

function run(script: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words], { cwd: ROOT, encoding: "utf8" });
  return { status, stdout, stderr };
}

function weir(...words: readonly string[]) {
  return run("scripts/weir.mjs", ...words);
}

describe("the weir command", (test) => {
  test("given help, lists every command and explains each", () => {
    const { status, stdout, stderr } = weir("help");
    assert.equal([status, stderr], [0, ""]);
    for (const { name, summary } of COMMANDS) {
      assert.ok(stdout.includes(`${name} `) && stdout.includes(summary));
      const explained = weir("help", name);
      assert.equal([explained.status, explained.stderr], [0, ""]);
      assert.ok(explained.stdout.startsWith(`weir ${name}`));
      assert.equal(weir(name, "--help").stdout, explained.stdout);
    }
  });

  test("given a command that npm runs in the clone, reads files relative to the folder in which npm was called", () =>
    withFolder((folder) => {
      writeFileSync(join(folder, "mine.json"), "{");
      const env = { ...process.env, npm_package_json: join(ROOT, "package.json"), INIT_CWD: folder };
      const output = (cwd: string) =>
        spawnSync(process.execPath, [join(ROOT, "scripts/weir.mjs"), "check", "--budget", "mine.json"], {
          cwd,
          env,
          encoding: "utf8",
        }).stderr;
      assert.match(output(ROOT), /^mine\.json: /);
      // A program that npm started may run the command in any other folder.
      assert.match(output(join(ROOT, "docs")), /There is no budget .*docs/);
    }));

  for (const name of ["start", "report", "export", "check"])
    test(`given a wrong value, ${name} says which values it takes`, () => {
      const wrong = weir(name, name === "start" ? "--port=x" : "--format=x");
      assert.equal([wrong.status, wrong.stdout], [2, ""]);
      assert.match(
        wrong.stderr,
        new RegExp(`(^|\\n)--(port|format) takes [^\\n]*\\nweir help ${name} lists its options\\.\\n$`),
      );
    });

  test("given npm start -- --help, prints what weir help start prints", () =>
    assert.is(run("scripts/start.mjs", "--help").stdout, weir("help", "start").stdout));

  test("given a misspelt command or option, suggests the closest one", () => {
    const command = weir("reprot");
    assert.equal([command.status, command.stdout], [2, ""]);
    assert.match(command.stderr, /^Weir has no command "reprot"\. Did you mean report\? [^\n]*\n$/);
    const option = weir("report", "--fromat", "md");
    assert.equal([option.status, option.stdout], [2, ""]);
    assert.match(option.stderr, /^weir report has no option --fromat\. Did you mean --format\? [^\n]*\n$/);
    assert.equal(weir("version", "now").status, 2);
  });

  test("given a running Weir, env prints the hub's terminal setup for each shell, which sh can evaluate", async () => {
    const running = await runningWeir();
    const { proxy, ca, caBundle, dataDir } = running;
    try {
      const values = {
        ...proxy,
        lan: null,
        ca,
        bundle: caBundle,
        der: "",
        keyHash: "hash=",
        url: SAMPLE,
        reverse: 0,
        transparent: 8443,
      };
      for (const { shell, text } of terminal.variants[0]?.forms ?? []) {
        const { status, stdout, stderr } = weir("env", "--data-dir", dataDir, "--shell", String(shell));
        assert.equal([status, stderr], [0, ""]);
        assert.equal(stdout, `${text(values).split("\n").slice(0, -1).join("\n")}\n`);
      }
      const wrong = weir("env", "--data-dir", dataDir, "--shell", "ksh");
      assert.equal([wrong.status, wrong.stdout], [2, ""]);
      assert.match(wrong.stderr, /^--shell takes sh, fish, powershell, cmd, not "ksh"\.\n$/);
      const script = 'eval "$("$0" "$1" env --data-dir "$2")" && printf "%s %s" "$https_proxy" "$SSL_CERT_FILE"';
      const words = ["-c", script, process.execPath, "scripts/weir.mjs", dataDir];
      const shell = spawnSync("sh", words, { cwd: ROOT, encoding: "utf8" });
      assert.equal(shell.stdout, `http://${proxy.host}:${proxy.port} ${caBundle}`);
    } finally {
      await running.stop();
    }
  });

  test("given no running Weir, env says so and leaves the folder empty", () =>
    withFolder(async (folder) => {
      const { status, stdout, stderr } = weir("env", "--data-dir", folder);
      assert.equal([status, stdout], [4, ""]);
      assert.match(stderr, /^No Weir runs with the data folder /);
      assert.equal(readdirSync(folder), []);
    }));

  test("given a running Weir, stop ends it with code 0; given none, stop says so with code 4", async () => {
    const running = await runningWeir();
    try {
      const ended = once(running.process, "exit");
      const { status, stdout, stderr } = weir("stop", "--data-dir", running.dataDir);
      assert.equal([status, stdout, stderr], [0, "", ""]);
      assert.equal((await ended)[0], 0);
      const again = weir("stop", "--data-dir", running.dataDir);
      assert.equal([again.status, again.stdout], [4, ""]);
      assert.match(again.stderr, /^No Weir runs with the data folder /);
    } finally {
      await running.stop();
    }
  });

  test("given a certificate, prints its paths and fingerprint; given none or a broken one, exits with 4 or 5", () =>
    withFolder(async (folder) => {
      const none = weir("certificate", "--data-dir", folder);
      assert.equal([none.status, none.stdout], [4, ""]);
      const pem = join(folder, "weir-ca.pem");
      writeFileSync(pem, "nothing");
      const broken = weir("certificate", "--data-dir", folder);
      assert.equal([broken.status, broken.stdout], [5, ""]);
      const running = await runningWeir();
      try {
        const { status, stdout, stderr } = weir("certificate", "--data-dir", running.dataDir);
        assert.equal([status, stderr], [0, ""]);
        const { fingerprint256 } = new X509Certificate(readFileSync(running.ca));
        for (const text of [running.ca, running.caBundle, fingerprint256]) assert.ok(stdout.includes(text), text);
      } finally {
        await running.stop();
      }
      assert.equal(readdirSync(folder), ["weir-ca.pem"]);
    }));

  test("given bash, completion offers commands and options", () => {
    const script = weir("completion", "bash").stdout;
    const typed = (...words: readonly string[]) => {
      const line = `${script}\nCOMP_WORDS=(${words.join(" ")} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _weir; echo "\${COMPREPLY[@]}"`;
      return spawnSync("bash", ["-c", line], { encoding: "utf8" }).stdout.trim().split(" ");
    };
    const names = COMMANDS.map(({ name }) => name);
    assert.equal(typed("weir"), names);
    assert.equal(typed("weir", "help"), names);
    for (const { name, options } of COMMANDS)
      if (name !== "help")
        assert.equal(
          typed("weir", name).filter((word) => word.startsWith("--")),
          [...options.map((option) => `--${option.name}`), "--help"],
        );
  });

  test(
    "given zsh, completion offers commands and options",
    () => {
      const script = weir("completion", "zsh").stdout;
      // Replaces zsh's completion system, which works only interactively: prints what it would offer.
      const stage = `_describe() { print -rl -- \${(P)2}; }; _arguments() { print -rl -- "$@"; }`;
      const typed = (...words: readonly string[]) => {
        const line = `${stage}\n${script}\nwords=(${words.join(" ")} ''); CURRENT=$#words; _weir`;
        const { stdout, stderr } = spawnSync("zsh", ["-f", "-c", line], { encoding: "utf8" });
        assert.is(stderr, "");
        return stdout.trim().split("\n");
      };
      for (const words of [["weir"], ["weir", "help"]])
        assert.equal(
          typed(...words),
          COMMANDS.map(({ name, summary }) => `${name}:${summary}`),
        );
      for (const { name, options } of COMMANDS)
        if (name !== "help")
          assert.equal(
            typed("weir", name)
              .filter((spec) => spec.startsWith("--"))
              .map((spec) => spec.split("[")[0]),
            [...options.map((option) => `--${option.name}`), "--help"],
          );
    },
    { skip: needs("zsh") },
  );

  test(
    "given fish, completion offers commands and options",
    () => {
      const script = weir("completion", "fish").stdout;
      const run = spawnSync("fish", ["-c", `${script}\ncomplete -C 'weir '; complete -C 'weir report --'`], {
        encoding: "utf8",
      });
      for (const { name } of COMMANDS) assert.ok(run.stdout.includes(`${name}\t`), name);
      for (const { name } of COMMANDS.find((one) => one.name === "report")?.options ?? [])
        assert.ok(run.stdout.includes(`--${name}\t`), name);
    },
    { skip: needs("fish") },
  );

  test("given PowerShell, the completion script contains each command and option with its note (not run)", () => {
    const script = weir("completion", "powershell").stdout;
    const entries = [...script.matchAll(/('(?:[^']|'')*') = ('(?:[^']|'')*')/g)].map(([, name = "", note = ""]) => {
      return `${valueInPowerShell(name)} ${valueInPowerShell(note)}`;
    });
    const wanted = COMMANDS.flatMap(({ name, options }) =>
      name === "help" ? [] : [...options.map((option) => `--${option.name} ${option.note}`), "--help explain it"],
    );
    assert.equal(entries, [...COMMANDS.map(({ name, summary }) => `${name} ${summary}`), ...wanted]);
    assert.match(script, /^# Not run in Weir's tests\.\nRegister-ArgumentCompleter -Native -CommandName weir /);
  });

  test(
    "given groff, formats the manual page without a warning, with every command and option",
    () => {
      const run = spawnSync("groff", ["-man", "-Tascii", "-P-cbou", "-ww", "-rHY=0"], {
        input: manPage(),
        encoding: "utf8",
      });
      assert.equal([run.status, run.stderr], [0, ""]);
      const text = run.stdout.replaceAll(/\s+/g, " ");
      for (const { name, summary, options } of COMMANDS) {
        for (const part of [`weir ${name}`, summary, ...options.map((option) => `--${option.name}`)])
          assert.ok(text.includes(part.replaceAll("\u2026", "...")), part);
        for (const { note } of options) assert.ok(text.includes(note.replaceAll("\u2026", "...")), note);
      }
    },
    { skip: needs("groff") },
  );

  test("given package.json, lists the manual page in the form from which npm makes links", () => {
    assert.equal(JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).man, ["./build/weir.1"]);
  });

  test("given a shell without completion, exits with code 2", () => assert.equal(weir("completion", "ksh").status, 2));

  test("given sessions, lists them from the newest on; given none, exits with code 4", () =>
    withFolder(async (folder) => {
      assert.equal(weir("sessions", "--data-dir", folder).status, 4);
      assert.equal(weir("sessions", "--data-dir", `${folder}/absent`).status, 4);
      const store = SessionStore.open(folder, PLENTY);
      const older = addSession(store, 1, 0);
      const newer = addSession(store, 3, 5_000);
      const { status, stdout, stderr } = weir("sessions", "--data-dir", folder);
      assert.equal([status, stderr], [0, ""]);
      const lines = stdout.trimEnd().split("\n");
      assert.equal(
        lines.map((line) => line.split("  ")[0]),
        [newer, older],
      );
      assert.match(stdout, /completed {2}3 exchanges\n.*completed {2}1 exchange\n$/);
    }));

  test("given a command, passes on its arguments and its exit code", () => {
    const { status, stdout, stderr } = weir("report", "no-such-file.har");
    assert.equal([status, stdout], [2, ""]);
    assert.match(stderr, /no-such-file\.har/);
    assert.match(weir("version").stdout, /^\d+\.\d+\.\d+\n$/);
  });
});
