import { spawnSync } from "node:child_process";
import * as assert from "uvu/assert";
import { doctorCommand } from "../../../src/engine/hub/doctor-command.ts";
import { describe } from "../../support/describe.ts";
import { needs } from "../../support/which.ts";

const OURS = "http://127.0.0.1:8686";

describe("the doctor's command", (test) => {
  for (const [shell, program] of [
    ["sh", "sh"],
    ["sh", "bash"],
    ["sh", "zsh"],
    ["fish", "fish"],
  ] as const) {
    test(
      `in ${program} it prints what is explained, and changes nothing`,
      () => {
        const env = { PATH: process.env["PATH"], HOME: "/nonexistent", https_proxy: OURS, SSL_CERT_FILE: "/gone.pem" };
        const { stdout } = spawnSync(program, ["-c", doctorCommand(shell)], { env, encoding: "utf8", timeout: 15_000 });
        assert.match(stdout, `https_proxy=${OURS}\n`);
        assert.match(stdout, "SSL_CERT_FILE is no pem\n");
        assert.match(stdout, /^node: v\d+\./m);
      },
      { skip: needs(program, "node") },
    );
  }

  test("writes, sets and deletes nothing in any shell", () => {
    for (const shell of ["sh", "fish", "powershell", "cmd"] as const)
      assert.not.match(doctorCommand(shell), /(?:^|[^2])>(?!&)|Remove-|Set-|New-|\brm\b|\bexport\b|\bsetx\b/m);
  });
});
