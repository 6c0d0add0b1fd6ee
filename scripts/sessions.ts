import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { absenceText } from "../extensions/proxy/export/opened-source.ts";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../extensions/proxy/process/exit-codes.ts";
import { defaultDataFolder } from "../extensions/proxy/storage/data-folder.ts";
import { takeLock } from "../extensions/proxy/storage/lock.ts";
import { type SessionFacts, writeFacts } from "../extensions/proxy/storage/session-facts.ts";
import { chosenSession, listSessions, sessionsFolder } from "../extensions/proxy/storage/stored-sessions.ts";
import { visibleText } from "../src/engine/interchange/table.ts";
import type { Command } from "../src/engine/messages/messages.ts";
import { sessionLabelOf, sessionNameProblem } from "../src/engine/model/session-name.ts";
import { complain, emptyAmong, writeText } from "./command.ts";
import { listedBy } from "./command-help.ts";
import type { ParsedFor } from "./command-table.ts";
import { runningOwner } from "./running-owner.ts";
import { RunningWeir } from "./running-weir.ts";

/** Lists the recordings of a data folder, the newest first, even while Weir runs; or begins or renames one. */
export async function main({ values, positionals }: ParsedFor<"sessions">): Promise<number> {
  const empty = emptyAmong(values);
  if (empty !== null) return complain(BAD_USAGE, empty);
  const folder = resolve(values["data-dir"] ?? defaultDataFolder());
  const [action, ...words] = positionals;
  const [first = "", second = ""] = words;
  if (action === "new" && words.length === 1) return await begin(folder, first);
  if (action === "rename" && words.length === 2) return await rename(folder, first, second);
  if (action !== undefined)
    return complain(
      BAD_USAGE,
      "weir sessions takes nothing, new NAME, or rename SESSION NAME. Put a name of several words into quotes.",
      listedBy("sessions"),
    );
  if (!existsSync(folder)) return complain(DATA_FOLDER_UNUSABLE, `There is no data folder ${folder}.`);
  const sessions = listSessions(folder);
  if (sessions.length === 0) return complain(DATA_FOLDER_UNUSABLE, `${folder} holds no recording yet.`);
  return (await writeText(sessions.toReversed().map(lineOf), null)) ?? 0;
}

/** Ends the session of the running Weir, and begins one with this name. */
async function begin(folder: string, name: string): Promise<number> {
  const problem = sessionNameProblem(name);
  if (problem !== null) return complain(BAD_USAGE, problem);
  const code = await sent(folder, { type: "new-session", name });
  if (code === null)
    return complain(DATA_FOLDER_UNUSABLE, `No Weir runs with the data folder ${folder}. Start Weir first: weir start.`);
  return code === 0 ? await said(`New session "${name}": it begins with the next request.`) : code;
}

/** Gives a session a name, also while no Weir runs. */
async function rename(folder: string, wanted: string, name: string): Promise<number> {
  const problem = sessionNameProblem(name);
  if (problem !== null) return complain(BAD_USAGE, problem);
  const sessions = listSessions(folder);
  const chosen = chosenSession(sessions, wanted);
  if (!chosen.ok) return complain(DATA_FOLDER_UNUSABLE, chosen.problem);
  const facts = chosen.value;
  if (facts === null) return complain(DATA_FOLDER_UNUSABLE, absenceText(sessions, folder, wanted));
  const { id } = facts;
  const command = { type: "describe-session", session: id, words: { name } } as const;
  const code = (await sent(folder, command)) ?? renamedOnDisk(folder, facts, name);
  return code === 0 ? await said(`Session ${id} is called "${name}".`) : code;
}

/** Executes a command in the running Weir. Returns the exit code; `null` if no Weir runs with the folder. */
async function sent(folder: string, command: Command): Promise<number | null> {
  const owner = runningOwner(folder);
  if (owner === null) return null;
  const weir = await RunningWeir.connect(owner, () => {});
  if (weir === null) return complain(DATA_FOLDER_UNUSABLE, "The running Weir does not answer. Try again in a moment.");
  const refusal = await weir.send(command);
  weir.close();
  return refusal === null ? 0 : complain(BAD_USAGE, refusal);
}

/** Renames a session while holding the folder's lock, so that no Weir starts meanwhile. Returns the exit code. */
function renamedOnDisk(folder: string, facts: SessionFacts, name: string): number {
  const taken = takeLock(folder);
  if (!taken.ok) return complain(DATA_FOLDER_UNUSABLE, taken.problem);
  if (taken.value.kind === "taken")
    return complain(DATA_FOLDER_UNUSABLE, "Weir is just starting with this data folder. Try again in a moment.");
  const problem = writeFacts(sessionsFolder(folder), { ...facts, name });
  taken.value.lock.release();
  return problem === null ? 0 : complain(DATA_FOLDER_UNUSABLE, problem);
}

async function said(sentence: string): Promise<number> {
  return (await writeText([`${visibleText(sentence)}\n`], null)) ?? 0;
}

function lineOf({ id, startedAt, state, exchanges, name, title, kept, imported }: SessionFacts): string {
  const start = new Date(startedAt).toISOString().replace(/\.\d+Z$/, "Z");
  // The exchanges of a running session are not counted yet.
  const count = state === "current" ? "" : `${exchanges} exchange${exchanges === 1 ? "" : "s"}`;
  const words = [...(imported ? ["imported"] : []), ...(kept ? [] : ["exchanges no longer kept"])];
  return `${[id, start, state.padEnd(9), count, ...words, visibleText(sessionLabelOf({ name, title }))].filter((part) => part !== "").join("  ")}\n`;
}
