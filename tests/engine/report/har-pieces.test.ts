import * as assert from "uvu/assert";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { harEnd } from "../../../src/engine/interchange/har.ts";
import { failure, success } from "../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../src/engine/model/settings.ts";
import { harPieces } from "../../../src/engine/report/har-pieces.ts";
import { Baseline } from "../../../src/engine/session/lists/history.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { message } from "../../proxy/storage/story.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";

const SAID = Buffer.from("said");

/** The pieces of a session's HAR, with one WebSocket of that many messages. */
function piecesOf(count: number, changes: Partial<SessionReader>) {
  const kept = Array.from({ length: count }, (_, index) => ({ ...message(1, SAID), index, kept: SAID.length }));
  const reader = {
    headsOf: () => ({ target: "/", request: "GET / HTTP/1.1\r\n\r\n", response: "HTTP/1.1 101 \r\n\r\n" }),
    readBody: () => success(Buffer.alloc(0)),
    messageCount: () => count,
    readMessages: (_, from, most) => kept.slice(from, from + most),
    readMessage: () => success(SAID),
  } satisfies Partial<SessionReader>;
  const source = {
    session: new Session(),
    reader: Object.defineProperties(reader, Object.getOwnPropertyDescriptors(changes)) as unknown as SessionReader,
    baseline: new Baseline([]),
    settings: DEFAULT_SETTINGS,
    version: "1.2.3",
  };
  return harPieces(source, [exchange({ id: 1, tags: ["websocket"] })], false);
}

describe("the pieces of a HAR document", (test) => {
  test("messages are pieces of their own, so that neither a piece nor the time for one grows with them", async () => {
    const pieces: string[] = [];
    for await (const { text } of piecesOf(250, {})) pieces.push(text);
    assert.is(Math.max(...pieces.map((text) => text.split("opcode").length)), 2);
    assert.is(JSON.parse(pieces.join("")).log.entries[0]._webSocketMessages.length, 250);
  });

  test("a session that is closed in the midst of them ends it, which is asked once for them all", async () => {
    let isClosed = false;
    let asked = 0;
    let text = "";
    const all = async () => {
      for await (const piece of piecesOf(3, {
        get isClosed() {
          asked += 1;
          return isClosed;
        },
      })) {
        text += piece.text;
        isClosed ||= piece.text.includes("opcode");
      }
    };
    assert.match(await all().then(() => "", String), "closed before its export was complete");
    assert.equal([asked, text.endsWith(harEnd(0))], [1, false]);
  });

  test("a message of which nothing was kept is said to be cut, and is not told as an empty one", async () => {
    const readMessage: SessionReader["readMessage"] = (_, index) =>
      index === 0 ? success(SAID) : failure("the disk could not be written");
    let text = "";
    for await (const piece of piecesOf(2, { readMessage })) text += piece.text;
    const messages: readonly { data: string; _cut?: boolean }[] = JSON.parse(text).log.entries[0]._webSocketMessages;
    assert.equal(
      messages.map(({ data, _cut }) => [data, _cut === true]),
      [
        [SAID.toString("base64"), false],
        ["", true],
      ],
    );
  });
});
