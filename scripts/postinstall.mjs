import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

// npm 7 to 10 remove the link to the Node that they have just installed (docs/decisions.md). `npm rebuild` only links
// programs here, and other package managers need nothing. An npm that another one started has that one's user agent.
const npm = process.env.npm_execpath ?? "";
const facts = new URL("../package.json", pathToFileURL(npm));
const { name, version = "" } = npm !== "" && existsSync(facts) ? JSON.parse(readFileSync(facts, "utf8")) : {};
if (name === "npm" && Number(version.split(".")[0]) <= 10) {
  const { status } = spawnSync(process.execPath, [npm, "rebuild", "--ignore-scripts"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
