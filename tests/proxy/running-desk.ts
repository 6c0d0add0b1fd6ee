import { Recordings } from "../../extensions/proxy/recordings.ts";
import { SessionDesk } from "../../extensions/proxy/session-desk.ts";
import { ShownSession } from "../../extensions/proxy/shown-session.ts";
import { SessionStore } from "../../extensions/proxy/storage/sessions.ts";
import { SettingsFile } from "../../extensions/proxy/storage/settings-file.ts";
import type { ImportProgress, ImportStarted } from "../../src/engine/messages/session-messages.ts";
import type { Instant } from "../../src/engine/model/units.ts";
import { instant } from "../support/capture.ts";
import { exchange, moment } from "./storage/story.ts";

/** Bytes that no test's data comes near to. */
export const PLENTY = 1024 ** 3;

type Asked = Parameters<SessionDesk["carryOut"]>[0];

/** The desk as the engine's thread has it, with a clock of its own. */
export interface RunningDesk {
  /** Of the clock, in ms; a test moves it on. */
  time: number;
  now(): Instant;
  readonly settings: SettingsFile;
  readonly recordings: Recordings;
  readonly desk: SessionDesk;
  readonly shown: ShownSession;
  /** What the user was told. */
  readonly said: readonly string[];
  ask(command: Asked): Promise<unknown>;
  /** The words by which a command is refused; "" if it is not. */
  refusal(command: Asked): Promise<string>;
  /** Records so many exchanges, numbered from `from`, 2 s later. */
  record(from: number, count: number): void;
  /** Imports a file of that text in pieces, as a page does. */
  importFile(text: string, as: "opened" | "completed"): Promise<ImportProgress>;
  end(): void;
}

export function running(folder: string): RunningDesk {
  const store = SessionStore.open(folder, PLENTY);
  const settings = SettingsFile.open(folder);
  const recordings = new Recordings(store, false);
  const said: string[] = [];
  const app = { time: Number(moment(0)) };
  const now = () => instant(app.time);
  const desk = new SessionDesk({
    store,
    recordings,
    settings,
    clock: { now },
    onPruned: (text) => void said.push(text),
    onOver: (text) => void (text !== null && said.push(text)),
  });
  const shown = new ShownSession(desk.opened);
  const ask = (command: Asked) => desk.carryOut(command, shown);
  return Object.assign(app, {
    settings,
    recordings,
    desk,
    shown,
    said,
    now,
    ask,
    record: (from: number, count: number) => {
      app.time += 2_000;
      for (let number = from; number < from + count; number += 1) recordings.take(exchange(number));
      recordings.tick(now());
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
      for (let from = 0; from + PIECE < text.length; from += PIECE) {
        await ask({ type: "import-piece", importNumber, text: text.slice(from, from + PIECE), last: false });
      }
      const rest = text.slice(Math.floor((text.length - 1) / PIECE) * PIECE);
      return (await ask({ type: "import-piece", importNumber, text: rest, last: true })) as ImportProgress;
    },
    end: () => {
      desk.end();
      recordings.end(now());
    },
  });
}
