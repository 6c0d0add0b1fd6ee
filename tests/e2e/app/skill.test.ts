import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { describe } from "../../support/describe.ts";
import { builtApp } from "../../support/running-weir.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { needs } from "../../support/which.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SKILL = readFileSync(join(ROOT, "skills", "weir", "SKILL.md"), "utf8");

/** The blocks of commands, in their order. */
const BLOCKS = [...SKILL.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block);

/**
 * A program that fetches its configuration before each of 30 jobs, and once after it has been changed. Its Node.js
 * reads the proxy from the environment.
 */
const PROGRAM = `import { get } from "node:http";
import { existsSync } from "node:fs";
const ask = (path) => new Promise((resolve, reject) => {
  const url = "http://shop.localhost:" + process.env.PORT + path;
  get(url, (response) => {
    let text = "";
    response.on("data", (piece) => { text += piece; }).on("end", () => resolve(JSON.parse(text)));
  }).on("error", reject);
});
for (let job = 0; job < 30; job += 1) {
  if (job === 0 || !existsSync("changed")) await ask("/config");
  await ask("/jobs/" + job);
}
`;

describe("skill for agents", (test) => {
  test("given the file, has a name, a description, at most 60 lines, and its seven blocks of commands", () => {
    const [, head = ""] = /^---\n(.*?)^---$/ms.exec(SKILL) ?? [];
    const { name, description } = parse(head);
    assert.is(name, "weir");
    assert.ok(description.length > 50 && description.length < 1_024);
    assert.ok(SKILL.trimEnd().split("\n").length <= 60);
    assert.is(BLOCKS.length, 7);
  });

  test(
    "given its commands in order, and a program that is mended between the two runs, finds what was wrong, and finds it gone",
    async () => {
      await builtApp();
      await withFolder(async (folder) => {
        const server = createServer(({ url }, response) => {
          const body = JSON.stringify(url === "/config" ? { colour: "blue" } : { done: url });
          response.setHeader("Content-Type", "application/json");
          setTimeout(() => response.end(body), 15);
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const bin = join(folder, "bin");
        mkdirSync(bin);
        const weir = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "scripts", "weir.mjs")}" "$@"\n`;
        writeFileSync(join(folder, "program.mjs"), PROGRAM);
        writeFileSync(join(bin, "program"), `#!/bin/sh\nexec "${process.execPath}" "${join(folder, "program.mjs")}"\n`);
        writeFileSync(join(bin, "weir"), weir);
        for (const name of ["program", "weir"]) chmodSync(join(bin, name), 0o755);
        const changeAt = BLOCKS.findIndex((block) => block.includes("sessions new after"));
        const script = BLOCKS.map((block, index) => `${index === changeAt ? "touch changed\n" : ""}${block}`).join("");
        const { port } = server.address() as AddressInfo;
        const child = spawn("bash", ["-euo", "pipefail", "-c", script], {
          cwd: folder,
          env: {
            ...process.env,
            PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
            HOME: folder,
            PORT: String(port),
            PROGRAM: "program",
            ENDPOINT: "/config",
          },
        });
        let text = "";
        for (const stream of [child.stdout, child.stderr])
          stream.on("data", (chunk: Buffer) => {
            text += chunk.toString();
          });
        const code = await new Promise((resolve) => child.once("close", resolve));
        // If a command failed, Weir still runs.
        spawnSync(join(bin, "weir"), ["stop", "--data-dir", join(folder, "weir-data")]);
        server.closeAllConnections();
        server.close();
        assert.is(code, 0, text);
        const [reports = "", comparison = ""] = text.split(/^(?=# )/m).slice(1);
        assert.match(reports, /^## \d+\. .*Duplicate requests, GET \S+\/config/m);
        assert.match(reports, "What if GET /config took 50 ms");
        assert.match(
          comparison,
          /^## Findings that are gone: \d+\n\n(?:- .*\n)*- .*Duplicate requests, GET \S+\/config/m,
        );
      });
    },
    { skip: needs("bash") },
  );
});
