import { gzipSync } from "node:zlib";
import * as assert from "uvu/assert";
import type { AnalysedSource } from "../../../../extensions/proxy/engine-thread/commands/analysis-work.ts";
import { execute } from "../../../../extensions/proxy/engine-thread/commands/execute.ts";
import type { OpenedSessions } from "../../../../extensions/proxy/engine-thread/commands/opened-sessions.ts";
import {
  compressionEstimateOf,
  ReadingCommands,
  requestToResend,
} from "../../../../extensions/proxy/engine-thread/commands/reading-commands.ts";
import { SessionInsights } from "../../../../extensions/proxy/engine-thread/commands/session-insights.ts";
import { ShownSession } from "../../../../extensions/proxy/engine-thread/commands/shown-session.ts";
import type { SessionReader } from "../../../../extensions/proxy/storage/session-reader.ts";
import type { Command, FromEngine } from "../../../../src/engine/messages/messages.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import { failure, success } from "../../../../src/engine/model/result.ts";
import { DEFAULT_SETTINGS } from "../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../../../src/engine/model/units.ts";
import { Baseline } from "../../../../src/engine/session/lists/history.ts";
import { Session } from "../../../../src/engine/session/session.ts";
import { describe } from "../../../support/describe.ts";
import { exchange } from "../../../support/exchange.ts";
import { inProcessAnalysis } from "../../../support/in-process-analysis.ts";
import { type Said, withStored } from "../../../support/stored.ts";
import { message } from "../../storage/story.ts";

type Reading = Extract<Command, { readonly type: keyof ReadingCommands["handlers"] }>;

/** The source is fixed, so the shown session does not matter. */
const SHOWN = new ShownSession({ isOpen: () => false } as unknown as OpenedSessions);

const id = (number: number) => number as ExchangeId;

const CONVERSATION: readonly Said[] = [
  {
    sketch: { id: 1, method: "POST", target: "/orders?x=1" },
    requestHeaders: ["Content-Type: application/json", "Authorization: Bearer t0ken-abc"],
    requestBody: '{"a":1}',
    responseHeaders: ["Content-Type: text/plain"],
    responseBody: "hay needle hay",
  },
  { sketch: { id: 2, start: 50, target: "/other" }, responseHeaders: ["X-Note: a Needle too"] },
];

/** More than a UI client is sent before it acknowledges a piece. */
const LONG: readonly Said[] = Array.from({ length: 20 }, (_, index) => ({
  sketch: { id: index + 1, start: index },
  responseBody: "long ".repeat(60_000),
}));

/** Requests without a response: one was sent completely, two perhaps not. */
const IN_FLIGHT: readonly Said[] = [
  { requestHeaders: ["Content-Length: 8"], requestBody: '{"q":11}' },
  { requestHeaders: ["Content-Length: 8"], requestBody: '{"q":' },
  { requestHeaders: ["Transfer-Encoding: chunked"], requestBody: "part" },
].map((said, index) => ({ sketch: { id: index + 1, method: "POST", end: null }, ...said }));

/** A WebSocket whose messages all have this length; `onRead` is called as each is read. */
function talking(length: number, onRead: () => void): AnalysedSource {
  const session = new Session();
  session.add(exchange({ id: 1, tags: ["websocket"] }));
  const bytes = Buffer.alloc(length, "said ");
  const reader = {
    headsOf: () => null,
    readBodyInTurns: async () => failure("there is none"),
    messageCount: () => 100,
    readMessages: (_, from, count) =>
      Array.from({ length: count }, (_, at) => ({ ...message(1, bytes), index: from + at, kept: length })),
    readMessage: () => {
      onRead();
      return success(bytes);
    },
  } satisfies Partial<SessionReader>;
  const baseline = new Baseline([]);
  return {
    session,
    reader: reader as unknown as SessionReader,
    baseline,
    settings: DEFAULT_SETTINGS,
    version: "1.2.3",
    insights: insightsOf(session, null),
  };
}

async function readingCommands(
  act: (
    ask: (command: Reading) => Promise<unknown>,
    heard: <Type extends FromEngine["type"]>(type: Type) => Promise<readonly Extract<FromEngine, { type: Type }>[]>,
    source: AnalysedSource,
  ) => Promise<void>,
  conversation = CONVERSATION,
): Promise<void> {
  await withStored(conversation, async ({ session, reader }) => {
    const given = { session, reader, settings: DEFAULT_SETTINGS, baseline: new Baseline([]), version: "1.2.3" };
    const source = { ...given, insights: insightsOf(session, reader) };
    const said: FromEngine[] = [];
    let arrived = (): void => {};
    const send = (message: FromEngine) => {
      said.push(message);
      arrived();
    };
    const { handlers } = new ReadingCommands(() => source);
    await act(
      (command) => execute(handlers, command, { shown: SHOWN, send }),
      async (type) => {
        const isOver = () => said.some((message) => "done" in message && message.done);
        while (!isOver()) {
          await new Promise<void>((resolve) => {
            arrived = resolve;
          });
        }
        return said.filter((message) => message.type === type) as never;
      },
      source,
    );
  });
}

function insightsOf(session: Session, reader: SessionReader | null): SessionInsights {
  return new SessionInsights({
    session,
    reader: () => reader,
    wasCutOff: false,
    chainGap: () => 300,
    captured: () => 0,
    until: () => Number.POSITIVE_INFINITY as Instant,
    baseline: () => new Baseline([]),
    onTrouble: () => {},
    spawn: inProcessAnalysis,
  });
}

async function refusalOf(asked: Promise<unknown>): Promise<string> {
  try {
    await asked;
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "was not refused";
}

describe("reading commands", (test) => {
  test("given ranges of the list, copies and an export take the requests in them, oldest first, and no others", async () => {
    const paths = ["/a", "/b?x=1", "/c", "/d"];
    const conversation = paths.map((target, at): Said => ({ sketch: { id: at + 1, start: at * 10, target } }));
    await readingCommands(async (ask, heard) => {
      const sort = { column: "startTime", descending: true } as const;
      const stretches = [{ from: id(3), to: id(2) }];
      const asked = (form: "url" | "curl" | "har") =>
        ask({ type: "copy-picked", filter: "", sort, stretches, form }) as Promise<string>;
      assert.equal(
        (await asked("url")).split("\n").map((url) => url.replace(/^https?:\/\/[^/]*/, "")),
        ["/b?x=1", "/c"],
      );
      const commands = (await asked("curl")).split("\n\n");
      assert.is(commands.length, 2);
      assert.ok(commands.every((command) => command.startsWith("curl")));
      assert.is(JSON.parse(await asked("har")).log.entries.length, 2);
      await ask({
        type: "export",
        format: "json",
        table: null,
        redact: false,
        filter: "",
        picked: { sort, stretches },
      });
      const text = (await heard("export-piece")).map((piece) => piece.text).join("");
      assert.equal(
        JSON.parse(text).map((each: { id: number }) => each.id),
        [2, 3],
      );
    }, conversation);
  });

  test("given ranges that hold nothing, or too much to copy at once, the copy says why", async () => {
    const many = Array.from({ length: 201 }, (_, at): Said => ({ sketch: { id: at + 1, start: at } }));
    await readingCommands(async (ask) => {
      const all = [{ from: null, to: null }];
      const sort = { column: "startTime", descending: false } as const;
      const problemOf = (stretches: typeof all, filter = "") =>
        ask({ type: "copy-picked", filter, sort, stretches, form: "url" }).then(String, ({ message: text }) => text);
      assert.match(await problemOf([]), /no longer in the list/);
      assert.match(await problemOf(all), /At most 200 requests .* Select fewer/);
      assert.match(await problemOf(all, "status:"), /not a status/);
    }, many);
  });

  test("given an offset and a count, reads that piece of the transferred body", () =>
    readingCommands(async (ask) => {
      const read = { type: "read-body", exchange: id(1), side: "response", form: "wire" } as const;
      const piece = (await ask({ ...read, from: 4, count: 6 })) as { readonly base64: string };
      assert.is(Buffer.from(piece.base64, "base64").toString(), "needle");
    }));

  test("given an export without redaction, its pieces make the whole HAR file with its secrets", () =>
    readingCommands(async (ask, heard) => {
      const started = await ask({ type: "export", format: "har", table: null, redact: false, filter: "" });
      assert.equal(started, { exportNumber: 1, fileName: "weir-session.har", mediaType: "application/json" });
      const pieces = await heard("export-piece");
      const { log } = JSON.parse(pieces.map(({ text }) => text).join(""));
      assert.is(log.entries.length, 2);
      assert.match(JSON.stringify(log), "t0ken-abc");
      assert.equal([pieces.at(-1)?.done, pieces.at(-1)?.problem, pieces.at(-1)?.progress], [true, null, 1]);
    }));

  test("given an export with redaction, it contains no secret", () =>
    readingCommands(async (ask, heard) => {
      await ask({ type: "export", format: "har", table: null, redact: true, filter: "" });
      const text = (await heard("export-piece")).map((piece) => piece.text).join("");
      assert.not.match(text, "t0ken-abc");
      assert.match(text, "REDACTED");
    }));

  test("given an export that waits for its UI client, is cancelled and says so", () =>
    readingCommands(async (ask, heard) => {
      await ask({ type: "export", format: "har", table: null, redact: false, filter: "" });
      await ask({ type: "cancel-export", exportNumber: 1 });
      const [last] = (await heard("export-piece")).slice(-1);
      assert.equal([last?.done, last?.problem], [true, "The export was cancelled."]);
    }, LONG));

  test("given an export with an invalid filter, refuses it with a sentence", () =>
    readingCommands(async (ask) => {
      const asked = ask({ type: "export", format: "csv", table: null, redact: true, filter: "status:abc" });
      assert.match(await refusalOf(asked), /^“status:abc” is not a status\./);
    }));

  test("given a copy as curl or HAR, keeps the request's secrets", () =>
    readingCommands(async (ask) => {
      for (const form of ["curl", "har"] as const) {
        assert.match((await ask({ type: "copy-as", exchange: id(1), form })) as string, "t0ken-abc", form);
      }
    }));

  test("given a search text in any case, finds headers and bodies, newest first", () =>
    readingCommands(async (ask, heard) => {
      assert.equal(await ask({ type: "search", text: "needle" }), { searchNumber: 1 });
      const hits = (await heard("search-hits")).flatMap((message) => message.hits);
      assert.equal(
        hits.map(({ exchange, part: place, match }) => [exchange, place, match]),
        [
          [2, "response-headers", "Needle"],
          [1, "response-body", "needle"],
        ],
      );
      assert.equal([hits[1]?.before, hits[1]?.after], ["hay ", " hay"]);
    }));

  test("given a captured exchange, sends its request again with the same origin, head and body", () =>
    readingCommands(async (_ask, _heard, source) => {
      const { origin, head, body } = requestToResend(source, id(1));
      assert.equal([origin, Buffer.from(body).toString()], ["https://api.test", '{"a":1}']);
      assert.match(head, /^POST \/orders\?x=1 HTTP\/1\.1\r\n.*Authorization: Bearer t0ken-abc\r\n/s);
    }));

  test("given a request in flight, copies and replays it only if its body is complete", () =>
    readingCommands(async (ask, _heard, source) => {
      const copy = (exchange: number) => ask({ type: "copy-as", exchange: id(exchange), form: "curl" });
      assert.match((await copy(1)) as string, '{"q":11}');
      assert.is(Buffer.from(requestToResend(source, id(1)).body).toString(), '{"q":11}');
      assert.match(await refusalOf(copy(2)), /^Weir kept only 5 of this body's 8 bytes/);
      assert.match(await refusalOf(copy(3)), /^This request may not be sent completely yet\./);
    }, IN_FLIGHT));

  test("given an exchange that is gone or an empty session, refuses with a sentence", () =>
    readingCommands(async (ask, _heard, source) => {
      assert.is(
        await refusalOf(ask({ type: "copy-as", exchange: id(99), form: "curl" })),
        "This exchange is no longer in the list.",
      );
      const session = new Session();
      const empty = { ...source, session, reader: null, insights: insightsOf(session, null) };
      const { handlers } = new ReadingCommands(() => empty);
      const sender = { shown: SHOWN, send: () => {} };
      for (const command of [
        { type: "read-message", exchange: id(1), index: 0 },
        { type: "export", format: "csv", table: null, redact: true, filter: "" },
      ] as const)
        assert.is(await refusalOf(execute(handlers, command, sender)), "Nothing has been captured yet.", command.type);
      const end = await new Promise<FromEngine>((resolve) => {
        void execute(handlers, { type: "search", text: "needle" }, { shown: SHOWN, send: resolve });
      });
      assert.equal(end, {
        type: "search-hits",
        searchNumber: 2,
        hits: [],
        progress: 1,
        done: true,
        cut: false,
        problem: "Nothing has been captured yet.",
      });
    }));

  test("given an exchange too long for the clipboard, stops reading and says to export it instead", async () => {
    for (const [length, taken] of [
      [1_000, 100],
      [100_000, 4],
    ] as const) {
      let read = 0;
      const source = talking(length, () => (read += 1));
      const { handlers } = new ReadingCommands(() => source);
      const sender = { shown: SHOWN, send: () => {} };
      const copying = execute(handlers, { type: "copy-as", exchange: id(1), form: "har" }, sender);
      const said = await copying.then(String, String);
      assert.is(read, taken);
      assert.is(said.includes("is too long for the clipboard. Export it instead."), taken < 100);
    }
  });
});

const TEXT = JSON.stringify(Array.from({ length: 500 }, (_, id) => ({ id, name: `Item ${id % 7}`, price: id * 1.1 })));

describe("compression estimate command", (test) => {
  test("given uncompressed text above 1 KB, estimates its size with gzip, br and zstd", () =>
    withStored([json(1, TEXT)], async ({ session, reader }) => {
      const { size, gzip, br, zstd } = await compressionEstimateOf(reader, exchangeOf(session, 1));
      assert.is(size, Buffer.byteLength(TEXT));
      assert.is(gzip, gzipSync(TEXT, { level: 6 }).length);
      for (const smaller of [gzip, br, zstd]) assert.ok(smaller > 100 && smaller < size / 3, `${smaller} of ${size}`);
    }));

  test("given a short body or an image, refuses the estimate", () =>
    withStored(
      [json(1, "{}"), { ...json(2, TEXT), sketch: { ...json(2, TEXT).sketch, contentType: "image/png" } }],
      async ({ session, reader }) => {
        for (const id of [1, 2]) assert.match(await refusal(reader, exchangeOf(session, id)), /uncompressed text/);
      },
    ));

  test("given a body that was not kept completely, refuses the estimate", () =>
    withStored([{ ...json(1, TEXT), sketch: { ...json(1, TEXT).sketch, encodedBodySize: 99_999 } }], async (stored) => {
      assert.match(await refusal(stored.reader, exchangeOf(stored.session, 1)), /not kept completely/);
    }));
});

function json(id: number, body: string) {
  return {
    sketch: { id, contentType: "application/json" },
    responseHeaders: ["Content-Type: application/json"],
    responseBody: body,
  };
}

function exchangeOf(session: Session, id: number): Exchange {
  const exchange = session.exchange(id as ExchangeId);
  if (exchange === null) throw new Error("no such exchange");
  return exchange;
}

async function refusal(reader: SessionReader, exchange: Exchange): Promise<string> {
  try {
    await compressionEstimateOf(reader, exchange);
    return "";
  } catch (error) {
    return String(error);
  }
}
