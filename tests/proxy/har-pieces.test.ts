import * as assert from "uvu/assert";
import { harPieces } from "../../extensions/proxy/har-pieces.ts";
import type { SessionReader } from "../../extensions/proxy/storage/session-reader.ts";
import { DEFAULT_SETTINGS } from "../../src/engine/model/settings.ts";
import { Baseline } from "../../src/engine/session/history.ts";
import { Session } from "../../src/engine/session/session.ts";
import { describe } from "../support/describe.ts";
import { exchange } from "../support/exchange.ts";
import { message } from "./storage/story.ts";

describe("the pieces of a HAR document", (test) => {
  test("a message of which nothing was kept is said to be cut, and is not told as an empty one", async () => {
    const socket = exchange({ id: 1, tags: ["websocket"] });
    const said = Buffer.from("said");
    const reader = {
      headsOf: () => ({ request: "GET / HTTP/1.1\r\n\r\n", response: "HTTP/1.1 101 \r\n\r\n" }),
      readBody: () => ({ kind: "bytes", bytes: Buffer.alloc(0) }),
      messageCount: () => 2,
      readMessages: () => [0, 1].map((index) => ({ ...message(1, said), index, kept: said.length })),
      readMessage: (_, index) =>
        index === 0 ? { kind: "bytes", bytes: said } : { kind: "gone", reason: "the disk could not be written" },
    } satisfies Partial<SessionReader>;
    const source = {
      session: new Session(),
      reader: reader as unknown as SessionReader,
      baseline: new Baseline([]),
      settings: DEFAULT_SETTINGS,
      version: "1.2.3",
    };
    let text = "";
    for await (const piece of harPieces(source, [socket], false)) text += piece.text;
    const messages: readonly { data: string; _cut?: boolean }[] = JSON.parse(text).log.entries[0]._webSocketMessages;
    assert.equal(
      messages.map(({ data, _cut }) => [data, _cut === true]),
      [
        [said.toString("base64"), false],
        ["", true],
      ],
    );
  });
});
