import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import type { SessionFacts } from "../extensions/proxy/storage/session-facts.ts";
import { listSessions } from "../extensions/proxy/storage/stored-sessions.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import { sessionLabelOf } from "../src/engine/model/session-label.ts";
import { complain, emptyAmong, writeText } from "./command.ts";
import type { ParsedFor } from "./command-table.ts";

/** Lists the recordings in a data folder, the newest first, even while Weir runs. */
export async function main({ values }: ParsedFor<"sessions">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  if (!existsSync(folder)) return complain(DATA_FOLDER_UNUSABLE, `There is no data folder ${folder}.`);
  const sessions = listSessions(folder);
  if (sessions.length === 0) return complain(DATA_FOLDER_UNUSABLE, `${folder} holds no recording yet.`);
  return (await writeText(sessions.toReversed().map(lineOf), null)) ?? 0;
}

function lineOf({ id, startedAt, state, exchanges, name, title, kept, imported }: SessionFacts): string {
  const start = new Date(startedAt).toISOString().replace(/\.\d+Z$/, "Z");
  // The exchanges of a running session are not counted yet.
  const count = state === "current" ? "" : `${exchanges} exchange${exchanges === 1 ? "" : "s"}`;
  const words = [...(imported ? ["imported"] : []), ...(kept ? [] : ["exchanges no longer kept"])];
  return `${[id, start, state.padEnd(9), count, ...words, visibleText(sessionLabelOf({ name, title }))].filter((part) => part !== "").join("  ")}\n`;
}
