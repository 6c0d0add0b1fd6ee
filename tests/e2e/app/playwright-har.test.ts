import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as assert from "uvu/assert";
import { needsChromium, withBrowser } from "../../support/browser.ts";
import { describe } from "../../support/describe.ts";
import { zipOf } from "../../support/made-zip.ts";
import { recipeIn } from "../../support/recipes.ts";
import { withFolder } from "../../support/temporary-folder.ts";

const WEIR = fileURLToPath(new URL("../../../scripts/weir.mjs", import.meta.url));

function weir(folder: string, ...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [WEIR, ...words], { cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

/** A page that requests a list, then each of its items: an N+1. */
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  const list = await (await fetch("/api/items", { method: "POST", body: '{"page":1}', headers: { "Content-Type": "application/json" } })).json();
  for (const id of list) await fetch("/api/items/" + id);
  document.title = "done";
</script>`;

describe("zipped HAR file of Playwright", (test) => {
  test(
    "given the recipe for Playwright, without proxy and certificate, reports the N+1 of a page by the bodies in the zip",
    () =>
      withFolder(async (folder) => {
        const ids = Array.from({ length: 12 }, (_, index) => `item-${index}-${index * 7919}`);
        const server = createServer(({ url }, response) => {
          response.setHeader("Content-Type", url === "/" ? "text/html" : "application/json");
          const body = url === "/api/items" ? JSON.stringify(ids) : JSON.stringify({ name: url });
          setTimeout(() => response.end(url === "/" ? PAGE : body), url === "/" ? 0 : 30);
        });
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        try {
          const recipe = recipeIn("Playwright", "js");
          const module = join(folder, "recipe.mjs");
          writeFileSync(module, `export async function record(browser, origin) {\n${recipe}\n}\n`);
          const { record } = await import(pathToFileURL(module).href);
          const before = process.cwd();
          process.chdir(folder);
          await withBrowser((browser) => record(browser, origin)).finally(() => process.chdir(before));
          const report = JSON.parse(weir(folder, "report", "run.zip", "--format", "json").stdout);
          const found = report.findings.find(({ kind }: { readonly kind: string }) => kind === "n-plus-one");
          assert.ok(found !== undefined, report.findings.map(({ kind }: { readonly kind: string }) => kind).join());
          const { log } = JSON.parse(weir(folder, "export", "run.zip", "--format", "har").stdout);
          const list = log.entries.find(({ request }: { readonly request: { url: string } }) =>
            request.url.endsWith("/items"),
          );
          assert.equal(
            [JSON.parse(list.request.postData.text), JSON.parse(list.response.content.text)],
            [{ page: 1 }, ids],
          );
          writeFileSync(join(folder, "weir.budget.json"), '{ "findings": { "no": ["n-plus-one"] } }');
          assert.is(weir(folder, "check", "run.zip").status, 1);
          writeFileSync(join(folder, "other.zip"), readFileSync(join(folder, "run.zip")));
          assert.match(weir(folder, "compare", "run.zip", "other.zip").stdout, /^run\.zip → other\.zip\n/);
        } finally {
          server.closeAllConnections();
          server.close();
        }
      }),
    { skip: needsChromium() },
  );

  test("given a body that the zip does not hold, reads the rest and names it; a .har file alone says what is missing", () =>
    withFolder((folder) => {
      const entry = (file: string) => ({
        startedDateTime: "2026-03-01T10:00:00.000Z",
        time: 20,
        request: { method: "GET", url: `https://api.test/${file}`, httpVersion: "HTTP/1.1", headers: [] },
        response: {
          status: 200,
          httpVersion: "HTTP/1.1",
          headers: [],
          content: { size: 7, mimeType: "application/json", _file: file },
        },
        timings: { send: 0, wait: 20, receive: 0 },
      });
      const har = Buffer.from(
        JSON.stringify({ log: { version: "1.2", entries: [entry("a.json"), entry("../b.json")] } }),
      );
      writeFileSync(join(folder, "run.zip"), zipOf([["har.har", har], ["a.json", Buffer.from('{"a":1}')]], 8)); // biome-ignore format: a table
      writeFileSync(join(folder, "run.har"), har);
      writeFileSync(join(folder, "b.json"), "secret");
      const { status, stdout, stderr } = weir(folder, "export", "run.zip", "--format", "har");
      assert.is(status, 0);
      assert.is(stderr, 'run.zip: 1 body could not be read. "../b.json": the zip archive has no such file.\n');
      const [first, second] = JSON.parse(stdout).log.entries;
      assert.equal([first.response.content.text, second.response.content.text], ['{"a":1}', ""]);
      const alone = weir(folder, "report", "run.har").stderr;
      assert.match(
        alone,
        /run\.har: 2 bodies could not be read\. "a\.json": a \.har file alone does not hold it; record/,
      );
    }));
});
