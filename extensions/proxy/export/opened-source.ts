import { readdirSync, statSync } from "node:fs";
import { pathTemplatesOf } from "../../../src/engine/insights/path-templates.ts";
import { type Failure, failure, type Problem, type Result, success } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import type { ReportSource } from "../../../src/engine/report/session-report.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { BAD_USAGE, DATA_FOLDER_UNUSABLE } from "../process/exit-codes.ts";
import { readFolds } from "../storage/folds-file.ts";
import { codeOf, errorText } from "../storage/private-file.ts";
import type { SessionFacts } from "../storage/session-facts.ts";
import { SettingsFile } from "../storage/settings-file.ts";
import {
  chosenSession,
  listSessions,
  newestFirst,
  openSession,
  readSessionFigures,
  sessionsFolder,
} from "../storage/stored-sessions.ts";
import { VERSION } from "../version.ts";
import { FollowedSession } from "./followed-session.ts";
import { openHarFile } from "./har-file.ts";
import { StoredFigures } from "./stored-figures.ts";

/** What a command reads: a HAR file, or a stored session of a data folder (`chosenSession`). */
export type Wanted = { readonly file: string } | { readonly session: string; readonly dataDir: string };

/** A session that a command reads, from a file or a data folder. */
export interface OpenedSource extends ReportSource {
  /** Which bodies of a zipped HAR file could not be read, as a sentence; `null` if all could. */
  readonly unreadBodies: string | null;
  /** The data folder of a stored session; `null` for a HAR file. */
  readonly dataDir: string | null;
  close(): void;
}

/** Why nothing can be read, and the exit code of the command. */
export interface Refusal extends Failure {
  readonly code: number;
}

/** Opens what a command reads. The caller must close it. `onRead`: as in `openHarFile`. */
export async function openSource(
  wanted: Wanted,
  onRead?: (share: number) => void,
): Promise<Result<OpenedSource, Refusal>> {
  return "file" in wanted ? openFile(wanted.file, onRead) : openStored(wanted.dataDir, wanted.session);
}

async function openFile(path: string, onRead?: (share: number) => void): Promise<Result<OpenedSource, Refusal>> {
  const settings = DEFAULT_SETTINGS;
  const har = await openHarFile(path, pathTemplatesOf(settings), onRead);
  if (!har.ok) return refused(har.problem, BAD_USAGE);
  const { session, reader, leftOut, leftOutCount, unreadBodies } = har.value;
  return success({
    name: path,
    session,
    reader,
    baseline: new Baseline([]),
    settings,
    version: VERSION,
    leftOut,
    leftOutCount,
    unreadBodies,
    dataDir: null,
    close: () => har.value.close(),
  });
}

function openStored(dataDir: string, wanted: string): Result<OpenedSource, Refusal> {
  const sessions = listSessions(dataDir);
  const chosen = chosenSession(sessions, wanted);
  if (!chosen.ok) return refused(chosen.problem);
  const facts = chosen.value;
  if (facts === null) return refused(absenceText(sessions, dataDir, wanted));
  if (!facts.kept) return refused(`The exchanges of session ${facts.id} are no longer kept.`);
  const opened = openSession(dataDir, facts.id);
  if (!opened.ok) return refused(`Session ${facts.id} cannot be read: ${opened.problem}.`);
  const reader = opened.value;
  const { settings } = SettingsFile.open(dataDir, false);
  const end = { wasCutOff: facts.state === "recovered", endedAt: null };
  const templates = pathTemplatesOf(settings, readFolds(dataDir));
  const followed = new FollowedSession(reader, end, templates, Number.POSITIVE_INFINITY);
  const { session } = followed;
  session.learn();
  followed.annotate();
  if (reader.isClosed) return refused(`Session ${facts.id} was cleared or deleted while it was read.`);
  const figures = new StoredFigures((id) => readSessionFigures(dataDir, id));
  const earlier = listSessions(dataDir).filter(({ id }) => facts.state === "current" || id < facts.id);
  const baseline = new Baseline(figures.baseline(earlier));
  return success({
    name: facts.id,
    named: facts,
    session,
    reader,
    baseline,
    settings,
    version: VERSION,
    leftOut: [],
    leftOutCount: 0,
    unreadBodies: null,
    dataDir,
    close: () => reader.close(),
  });
}

/** Why there is no such session, as a sentence. */
export function absenceText(sessions: readonly SessionFacts[], dataDir: string, session: string): string {
  const newest = newestFirst(sessions)[0];
  const unreadable = problemOf(dataDir) ?? problemOf(sessionsFolder(dataDir));
  if (newest === undefined && unreadable !== null) return `${dataDir} cannot be read: ${unreadable}.`;
  if (!(statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() ?? false)) return `There is no folder ${dataDir}.`;
  if (newest === undefined) return `Nothing has been recorded in ${dataDir} yet.`;
  if (session === "current") return `Nothing is being recorded in ${dataDir}.`;
  if (session === "last") return `No session has ended yet in ${dataDir}.`;
  return `There is no session "${session}" in ${dataDir}. The newest is ${newest.id}; weir sessions lists all by id and name.`;
}

/** Why the folder cannot be read; `null` if it can, or if the path is no folder. */
function problemOf(folder: string): Problem | null {
  try {
    readdirSync(folder);
    return null;
  } catch (error) {
    const code = codeOf(error);
    return code === "ENOENT" || code === "ENOTDIR" ? null : errorText(error);
  }
}

function refused(problem: Problem, code = DATA_FOLDER_UNUSABLE): Refusal {
  return { ...failure(problem), code };
}
