import { spawnSync } from "node:child_process";

// npm 7 to 10 remove the link to the Node that they have just installed (docs/decisions.md). `npm rebuild` only links
// programs here, and other package managers need nothing.
const [, major] = /^npm\/(\d+)\./.exec(process.env.npm_config_user_agent ?? "") ?? [];
const npm = process.env.npm_execpath;
if (major !== undefined && Number(major) <= 10 && npm !== undefined) {
  const { status } = spawnSync(process.execPath, [npm, "rebuild", "--ignore-scripts"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
