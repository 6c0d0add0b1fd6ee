import { execute } from "../../extensions/proxy/engine-thread/commands/execute.ts";
import { SessionCommands } from "../../extensions/proxy/engine-thread/commands/session-commands.ts";
import { ShownSession } from "../../extensions/proxy/engine-thread/commands/shown-session.ts";
import { CurrentSession } from "../../extensions/proxy/engine-thread/recording/current-session.ts";
import { HarImports } from "../../extensions/proxy/engine-thread/recording/har-imports.ts";
import { PathGrouping } from "../../extensions/proxy/engine-thread/recording/path-grouping.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../extensions/proxy/storage/settings-file.ts";
import type { Command } from "../../src/engine/messages/messages.ts";
import type { ImportProgress, ImportStarted } from "../../src/engine/messages/session-messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { instant } from "../support/capture.ts";
import { inProcessImport } from "../support/in-process-import.ts";
import { exchange, moment } from "./storage/story.ts";

/** More bytes than any test's data. */
export const PLENTY = 1024 ** 3;

type Asked = Extract<Command, { readonly type: keyof SessionCommands["handlers"] }>;

/** The commands as the engine thread has them, with a clock of its own. */
export interface RunningCommands {
  /** The clock's time in ms, which a test advances. */
  time: number;
  now(): Instant;
  readonly settings: SettingsFile;
  readonly store: SessionStore;
  readonly currentSession: CurrentSession;
  readonly commands: SessionCommands;
  readonly shown: ShownSession;
  /** The messages shown to the user. */
  readonly said: readonly string[];
  ask(command: Asked): Promise<unknown>;
  /** The reason why a command is refused; "" if it is accepted. */
  refusal(command: Asked): Promise<string>;
  /** Records this many exchanges, with ids from `from`, 2 s later. */
  record(from: number, count: number): void;
  /** Imports a file with this text in pieces, as a page does. */
  importFile(text: string, as: "opened" | "completed"): Promise<ImportProgress>;
  end(): void;
}

export function running(folder: string): RunningCommands {
  const store = SessionStore.open(folder, PLENTY);
  const settings = SettingsFile.open(folder);
  const grouping = new PathGrouping(() => settings.settings, folder);
  const currentSession = new CurrentSession(store, grouping);
  const said: string[] = [];
  const app = { time: Number(moment(0)) };
  const now = () => instant(app.time);
  const commands = new SessionCommands({
    store,
    currentSession,
    grouping,
    settings,
    clock: { now },
    onPruned: (text) => void said.push(text),
    onOver: (text) => void (text !== null && said.push(text)),
    onTrouble: () => {},
    endAnalysis: async () => {},
    cut: async (end) => end(now()),
    imports: new HarImports(store, inProcessImport),
  });
  const shown = new ShownSession(commands.opened);
  const ask = (command: Asked) => execute(commands.handlers, command, { shown, send: () => {} });
  return Object.assign(app, {
    settings,
    store,
    currentSession,
    commands,
    shown,
    said,
    now,
    ask,
    record: (from: number, count: number) => {
      app.time += 2_000;
      for (let number = from; number < from + count; number += 1) currentSession.addEvents(exchange(number));
      currentSession.tick(now());
    },
    refusal: async (command: Asked): Promise<string> => {
      try {
        await ask(command);
        return "";
      } catch (error) {
        return String(error);
      }
    },
    importFile: async (text: string, as: "opened" | "completed"): Promise<ImportProgress> => {
      const { importNumber } = (await ask({ type: "import-har", fileName: "recorded.har", as })) as ImportStarted;
      const PIECE = 5_000;
      const bytes = Buffer.from(text);
      const piece = (from: number, last: boolean) => {
        const base64 = bytes.subarray(from, from + PIECE).toString("base64");
        return ask({ type: "import-piece", importNumber, base64, last });
      };
      let from = 0;
      for (; from + PIECE < bytes.length; from += PIECE) await piece(from, false);
      return (await piece(from, true)) as ImportProgress;
    },
    end: () => {
      commands.finish();
      currentSession.finish(now());
    },
  });
}
