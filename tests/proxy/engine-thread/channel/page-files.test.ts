import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { pageFiles } from "../../../../extensions/proxy/engine-thread/channel/page-files.ts";
import { describe } from "../../../support/describe.ts";
import { withFolder } from "../../../support/temporary-folder.ts";

describe("files of the page", (test) => {
  test("are those of a page's kinds, by the path they are asked for, and the index by / too", () =>
    withFolder(async (folder) => {
      await mkdir(join(folder, "icons", "folder.js"), { recursive: true });
      for (const name of [
        "index.html",
        "hub.html",
        "main.js",
        "app.css",
        "icons/a.svg",
        "icons/a.png",
        "weir-ca.key",
        "js",
      ])
        await writeFile(join(folder, name), `of ${name}`);
      // The folder may be given with a trailing separator.
      for (const named of [folder, join(folder, "/")]) {
        const files = pageFiles(named);
        assert.equal([...files].map(([path, { type, html, bytes }]) => [path, type, html, bytes.toString()]).sort(), [
          ["/", "text/html; charset=utf-8", true, "of index.html"],
          ["/app.css", "text/css; charset=utf-8", false, "of app.css"],
          ["/hub.html", "text/html; charset=utf-8", true, "of hub.html"],
          ["/icons/a.png", "image/png", false, "of icons/a.png"],
          ["/icons/a.svg", "image/svg+xml", false, "of icons/a.svg"],
          ["/index.html", "text/html; charset=utf-8", true, "of index.html"],
          ["/main.js", "text/javascript; charset=utf-8", false, "of main.js"],
        ]);
      }
    }));

  test("links are left out, and a folder without an index has no /", () =>
    withFolder(async (folder) => {
      await writeFile(join(folder, "secret.html"), "secret");
      await mkdir(join(folder, "page"));
      await symlink(join(folder, "secret.html"), join(folder, "page", "link.html"), "file");
      assert.equal([...pageFiles(join(folder, "page")).keys()], []);
    }));
});
