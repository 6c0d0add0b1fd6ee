import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import { Searches, type SearchSource } from "../../../extensions/proxy/analysis-thread/search.ts";
import type { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import type { FromEngine } from "../../../src/engine/messages/messages.ts";
import type { SearchHit, SearchHits } from "../../../src/engine/messages/session-messages.ts";
import { failure, success } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { exchange } from "../../support/exchange.ts";
import { recorded } from "../../support/recorded.ts";
import { type Said, withStored } from "../../support/stored.ts";

const CONVERSATION: readonly Said[] = [
  { sketch: { id: 1, target: "/find/Needle" } },
  { sketch: { id: 2 }, requestHeaders: ["X-Id: needle"] },
  { sketch: { id: 3 }, responseHeaders: ["X-Id: NEEDLE"] },
  { sketch: { id: 4, method: "POST" }, requestBody: "a needle in it" },
  {
    sketch: { id: 5, contentEncoding: "gzip" },
    responseHeaders: ["Content-Encoding: gzip", "Content-Type: text/plain"],
    responseBody: gzipSync(`${"hay ".repeat(50)}needle${" hay".repeat(50)}`),
  },
  { sketch: { id: 6 }, responseHeaders: ["Content-Type: image/png"], responseBody: "needle" },
  { sketch: { id: 7 }, responseBody: "only hay" },
];

describe("full-text search", (test) => {
  test("given a text in any case, finds it in URLs, headers and decoded bodies, newest first", () =>
    withStored(CONVERSATION, async (stored) => {
      const hits = await found(stored, "needle");
      assert.equal(
        hits.map(({ exchange: id, part: place }) => [id, place]),
        [
          [5, "response-body"],
          [4, "request-body"],
          [3, "response-headers"],
          [2, "request-headers"],
          [1, "url"],
        ],
      );
      const [inBody] = hits;
      assert.equal([inBody?.before.length, inBody?.match, inBody?.after.length], [80, "needle", 80]);
      assert.is(hits.at(-1)?.match, "Needle");
    }));

  test("given header lines in UTF-8 and in Latin-1, finds the text of both", () =>
    withStored(
      [
        {
          sketch: { id: 1 },
          requestHeaders: ["X-A: \u00e9", `X-B: ${Buffer.from("na\u00efve \u4f60\u597d").toString("latin1")}`],
        },
        {
          sketch: { id: 2 },
          responseHeaders: [`X-B: ${Buffer.from("\u00dcBER").toString("latin1")}`, "X-A: na\u00efve"],
        },
      ],
      async (stored) => {
        const idsOf = async (text: string) => (await found(stored, text)).map(({ exchange: id }) => id);
        assert.equal(
          [await idsOf("na\u00efve"), await idsOf("\u4f60\u597d"), await idsOf("\u00fcber"), await idsOf("\u00e9")],
          [[2, 1], [1], [2], [1]],
        );
      },
    ));

  test("given a body whose size is unknown or too small, in flight or from a file, searches all of it", () => {
    const imported = { tags: ["imported"], contentEncoding: "gzip" } as const;
    const conversation: readonly Said[] = [
      { sketch: { id: 1, method: "POST", end: null }, requestBody: "a needle on its way" },
      { sketch: { id: 2, ...imported, encodedBodySize: 0 }, responseBody: "a needle from a cache" },
      { sketch: { id: 3, ...imported, encodedBodySize: 300 }, responseBody: `${"hay ".repeat(200)}needle` },
    ];
    return withStored(conversation, async (stored) => {
      assert.equal(
        (await found(stored, "needle")).map(({ exchange: id, part: place }) => [id, place]),
        [
          [3, "response-body"],
          [2, "response-body"],
          [1, "request-body"],
        ],
      );
    });
  });

  test("given characters that are special in a pattern, finds them as plain text", () =>
    withStored([{ sketch: { id: 1, target: "/a.c" } }, { sketch: { id: 2, target: "/abc" } }], async (stored) => {
      assert.equal(
        (await found(stored, "a.c")).map((hit) => hit.exchange),
        [1],
      );
    }));

  test("given 1,500 matches, streams 1,000 of them and says that there may be more", async () => {
    const session = recorded(Array.from({ length: 1_500 }, (_, index) => exchange({ id: index + 1, target: "/x" })));
    const messages: SearchHits[] = [];
    await finished({ session, reader: null }, "/x", (message) => messages.push(message));
    assert.ok(messages.length > 2);
    assert.is(messages.flatMap(({ hits }) => hits).length, 1_000);
    assert.equal([messages.at(-1)?.done, messages.at(-1)?.cut, messages.at(-1)?.progress], [true, true, 1]);
    assert.ok(messages.slice(0, -1).every(({ done, progress }) => !done && progress < 1));
  });

  test("given a short search, sends its result only after the reply", async () => {
    const heard: FromEngine[] = [];
    new Searches().start(1, { session: recorded([]), reader: null }, "x", (message) => heard.push(message));
    for (let step = 0; step < 1_000; step += 1) await null;
    assert.equal(heard, []);
    while (heard.length === 0) await setImmediate();
    assert.equal(heard, [
      { type: "search-hits", searchNumber: 1, hits: [], progress: 1, done: true, cut: false, problem: null },
    ]);
  });

  test("given a cancelled search, ends it at once", async () => {
    const session = recorded(Array.from({ length: 3_000 }, (_, index) => exchange({ id: index + 1, target: "/x" })));
    const searches = new Searches();
    const last = await new Promise<SearchHits>((resolve) => {
      searches.start(1, { session, reader: null }, "/x", (message) => {
        if (message.type !== "search-hits") return;
        if (message.done) resolve(message);
        else searches.cancel(1);
      });
    });
    assert.is(last.cut, false);
  });

  test("given a search through many messages, runs other work between two of them", async () => {
    let turn = 0;
    const read = new Map<number, number>();
    const reader = {
      headsOf: () => null,
      readBodyInTurns: async () => failure("there is none"),
      messageCount: () => 3,
      readMessage: (_, index) => {
        for (const began = performance.now(); performance.now() - began < 10; ) read.set(index, turn);
        return success(Buffer.from("hay"));
      },
    } satisfies Partial<SessionReader>;
    const session = recorded([exchange({ id: 1, tags: ["websocket"] })]);
    const ended = found({ session, reader: reader as unknown as SessionReader }, "needle");
    for (let isOver = false; !isOver; turn += 1)
      isOver = await Promise.race([ended.then(() => true), setImmediate(false)]);
    assert.is(new Set(read.values()).size, 3);
  });
});

async function found(source: SearchSource, text: string): Promise<readonly SearchHit[]> {
  const hits: SearchHit[] = [];
  await finished(source, text, (message) => hits.push(...message.hits));
  return hits;
}

async function finished(source: SearchSource, text: string, take: (message: SearchHits) => void): Promise<void> {
  await new Promise<void>((resolve) => {
    new Searches().start(1, source, text, (message) => {
      if (message.type !== "search-hits") return;
      take(message);
      if (message.done) resolve();
    });
  });
}
