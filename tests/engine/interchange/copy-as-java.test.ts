import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { copyAs } from "../../../src/engine/interchange/copy-as.ts";
import { describe } from "../../support/describe.ts";
import { sendsAll } from "../../support/sent-requests.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { runTool } from "../../support/tool.ts";
import { needsVersion } from "../../support/which.ts";

const skip = needsVersion("javac", 12);

function textOf(target: string, headers: string, body: Uint8Array = new Uint8Array()): string {
  const head = `POST / HTTP/1.1\r\n${headers}\r\n\r\n`;
  const request = { method: "POST", origin: "https://a.test", target, protocol: "http/1.1", bodySize: body.length };
  const copied = copyAs({ ...request, head, body }, "java");
  return copied.ok ? copied.value : copied.problem;
}

/** Compiles the programs in one call, each under its own name, and runs them in one JVM, in order. */
async function ran(texts: readonly string[], folder: string): Promise<void> {
  const names = texts.map((text, index) => {
    writeFileSync(join(folder, `Request${index}.java`), text.replace("class Request {", `class Request${index} {`));
    return `Request${index}`;
  });
  const calls = names.map((name) => `${name}.main(args);`).join("\n");
  const all = `class All { public static void main(String[] args) throws Exception {\n${calls}\nSystem.exit(0); } }`;
  writeFileSync(join(folder, "All.java"), all);
  const built = await runTool(["javac", ...[...names, "All"].map((name) => `${name}.java`)], folder, {
    limit: 200_000,
  });
  assert.is(built.code, 0, built.output);
  const { code, output } = await runTool(["java", "-cp", folder, "All"], folder);
  assert.is(code, 0, output);
}

describe("copy as Java", (test) => {
  test(
    "given any request, the Java program sends its method, URL, headers and body",
    () =>
      withFolder(async (folder) => {
        const texts: string[] = [];
        await sendsAll(
          "java",
          async (text) => void texts.push(text),
          () => ran(texts, folder),
        );
      }),
    { skip },
  );

  test(
    "given a text longer than a constant may be, compiles, also as the file that its first line names",
    () =>
      withFolder(async (folder) => {
        for (const body of [Buffer.from("\u20ac".repeat(70_000)), Buffer.alloc(60_000, 255)]) {
          writeFileSync(join(folder, "Request.java"), textOf("/", "Host: a.test", body));
          const { code, output } = await runTool(["javac", "Request.java"], folder);
          assert.is(code, 0, output);
        }
      }),
    { skip },
  );

  test("given what java.net.http changes, is refused with a sentence", () => {
    assert.match(textOf("/a?b=1", "Host: a.test"), "class Request {");
    for (const target of ["/a|b", "/a[1]", "/%zz", "/a#b"])
      assert.match(textOf(target, ""), /^Java does not accept this URL\./);
    assert.match(textOf("/", "Host: b.test"), /^Java does not let programs set the header Host\./);
    assert.match(textOf("/", "X: \u00e9"), /^Java cannot send headers with characters outside ASCII\./);
  });
});
