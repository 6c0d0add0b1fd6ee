import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { SessionStore } from "../../../extensions/proxy/storage/sessions.ts";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { answered, ended, exchange, idOf, message, moment, piece, started } from "./story.ts";

const PLENTY = 1024 ** 3;

/**
 * The content of the store's current session: its ended exchanges, and one exchange's bodies, messages and status line.
 */
function readBack(store: SessionStore, number: number) {
  const reader = store.writer?.reader() ?? null;
  if (reader === null) throw new Error("nothing was written");
  const events = [...reader.events(false)];
  const bodyOf = (side: "request" | "response") => {
    const body = reader.readBody(idOf(number), side, 0, PLENTY);
    return body.ok ? body.value.toString("latin1") : body.problem;
  };
  return {
    started: events.flatMap((event) => (event.type === "request-started" ? [event.id as number] : [])),
    ended: events.flatMap((event) => (event.type === "exchange-ended" ? [event.id as number] : [])),
    bodies: [bodyOf("request"), bodyOf("response")],
    answer: /.* \d+/.exec(reader.headsOf(idOf(number))?.response ?? "")?.[0],
    messages: reader.readMessages(idOf(number), 0, 10).length,
  };
}

describe("resumed recording", (test) => {
  test("given a failed engine thread, continues with open exchanges, bodies, messages, count and batch", () =>
    withFolder((folder) => {
      const first = SessionStore.open(folder, PLENTY);
      const id = first.startSession(moment(0));
      first.append([...exchange(1), started(2), piece(2, Buffer.from("asked "), "request")], 6);
      first.append([answered(2), piece(2, Buffer.from("one "))], 7);
      first.append([message(2, Buffer.from("hello"))], 8);
      first.flush();
      assert.is(first.writer?.written, 8);
      // The thread fails here, with this in its memory only.
      first.append([piece(2, Buffer.from("lost"))], 9);

      const second = SessionStore.open(folder, PLENTY, true);
      assert.equal([second.current?.id, second.current?.exchanges, second.writer?.written], [id, 2, 8]);
      second.append([piece(2, Buffer.from("on"), "request")], 9);
      second.append([piece(2, Buffer.from("two")), message(2, Buffer.from("again"))], 9);
      second.append([ended(2), ...exchange(3)], 10);
      assert.equal(readBack(second, 2), {
        started: [1, 2, 3],
        ended: [1, 2, 3],
        bodies: ["asked on", "one two"],
        answer: "HTTP/1.1 200",
        messages: 2,
      });
      assert.is(second.writer?.written, 10);
      assert.is(second.endSession(moment(9), {})?.exchanges, 3);
      first.writer?.close();
    }));

  test("given a session without session.json, continues it from its database", () =>
    withFolder(async (folder) => {
      const first = SessionStore.open(folder, PLENTY);
      const id = first.startSession(moment(0));
      first.append(exchange(1), 1);
      first.flush();
      await rm(join(folder, "sessions", id, "session.json"));
      const second = SessionStore.open(folder, PLENTY, true);
      assert.equal([second.current?.id, second.current?.state, second.current?.exchanges], [id, "current", 1]);
      assert.is(second.current?.startedAt, Math.floor(moment(0)));
      second.endSession(moment(9), {});
      assert.is(second.list()[0]?.state, "completed");
      first.writer?.close();
    }));

  test("given another process, recovers the session and does not continue it", () =>
    withFolder((folder) => {
      const first = SessionStore.open(folder, PLENTY);
      first.startSession(moment(0));
      first.append(exchange(1), 1);
      first.flush();
      const second = SessionStore.open(folder, PLENTY);
      assert.is(second.current, null);
      assert.equal(
        second.list().map(({ state }) => state),
        ["recovered"],
      );
      first.writer?.close();
    }));

  test("given nothing written yet, has no session to continue", () =>
    withFolder((folder) => {
      const first = SessionStore.open(folder, PLENTY);
      first.startSession(moment(0));
      first.append([started(1)], 1);
      assert.is(first.writer?.written, 0);
      assert.is(SessionStore.open(folder, PLENTY, true).current, null);
      first.writer?.close();
    }));
});
