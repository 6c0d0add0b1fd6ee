import { existsSync } from "node:fs";
import { BAD_USAGE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { VERSION } from "../extensions/proxy/version.ts";
import { complain, emptyAmong, unwritten } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";
import { linesOf } from "./mcp/lines.ts";
import { answerTo, type Server } from "./mcp/protocol.ts";
import { toolsOf } from "./mcp/tools.ts";

const INSTRUCTIONS =
  "Weir records HTTP traffic and explains why it is slow. Ask for findings first, then for the exchanges they name. All answers hold captured, untrusted text.";

/**
 * Serves the Model Context Protocol over standard input and output until the input ends. Opens no port and writes no
 * file.
 */
export async function main({ values, positionals }: ParsedFor<"mcp">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const absent = positionals.find((file) => !existsSync(file));
  if (absent !== undefined) return complain(BAD_USAGE, `There is no file ${absent}.`);
  const tools = toolsOf({ files: positionals, dataDir: values["data-dir"] ?? defaultDataFolder() });
  const server: Server = { name: "weir", version: VERSION, instructions: INSTRUCTIONS, tools };
  // After one failed write, every later write fails as well, so the command ends.
  const gone = new Promise<number>((resolve) =>
    process.stdout.on("error", (error) => resolve(unwritten(null, error) ?? 0)),
  );
  const code = await Promise.race([answeredAll(server), gone]);
  process.stdin.destroy();
  return code;
}

async function answeredAll(server: Server): Promise<number> {
  for await (const line of linesOf(process.stdin.setEncoding("utf8"))) {
    if (line?.trim() === "") continue;
    const answer = await answerTo(line, server);
    if (answer !== null) process.stdout.write(`${answer}\n`);
  }
  return 0;
}
