import * as assert from "uvu/assert";
import { doctorCommand } from "../../../src/engine/hub/doctor-command.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

const OURS = "http://127.0.0.1:8686";

describe("shell command of the doctor", (test) => {
  for (const [shell, program] of [
    ["sh", "sh"],
    ["sh", "bash"],
    ["sh", "zsh"],
    ["fish", "fish"],
  ] as const) {
    test(
      `given ${program}, prints the proxy variables, an invalid certificate file and the Node.js version`,
      () =>
        withFolder(async (folder) => {
          const env = { https_proxy: OURS, SSL_CERT_FILE: "/gone.pem" };
          const { output } = await runTool([program, "-c", doctorCommand(shell)], folder, { env });
          assert.match(output, `https_proxy=${OURS}\n`);
          assert.match(output, "SSL_CERT_FILE is no pem\n");
          assert.match(output, /^node: v\d+\./m);
        }),
      { skip: needs(program, "grep") },
    );
  }

  test("given any shell, the command contains nothing that writes, sets or deletes", () => {
    for (const shell of ["sh", "fish", "powershell", "cmd"] as const)
      assert.not.match(doctorCommand(shell), /(?:^|[^2])>(?!&)|Remove-|Set-|New-|\brm\b|\bexport\b|\bsetx\b/m);
  });
});
