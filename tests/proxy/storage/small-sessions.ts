import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { openSession } from "../../../extensions/proxy/storage/stored-sessions.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { exchange, moment } from "./story.ts";

export const PLENTY = 1024 ** 3;

/** A store with one ended session of `count` small exchanges. */
export function recorded(folder: string, count: number): SessionStore {
  const store = SessionStore.open(folder, PLENTY);
  addSession(store, count, 0);
  return store;
}

export function addSession(store: SessionStore, count: number, at: number): string {
  const id = store.startSession(moment(at));
  for (let number = 1; number <= count; number += 1) store.append(exchange(number));
  store.endSession(moment(at + 1_000), { endpoints: count });
  return id;
}

export function opened(folder: string, id: string): SessionReader {
  return unwrap(openSession(folder, id));
}

/** The number of exchanges it returns. */
export function countOf(reader: SessionReader): number {
  let count = 0;
  for (const event of reader.events(true)) if (event.type === "exchange-ended") count += 1;
  return count;
}
