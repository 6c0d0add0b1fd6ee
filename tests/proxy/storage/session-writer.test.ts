import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { SessionReader } from "../../../extensions/proxy/storage/session-reader.ts";
import { SessionWriter } from "../../../extensions/proxy/storage/session-writer.ts";
import { NOTHING_LOST } from "../../../extensions/proxy/storage/store-status.ts";
import type { CaptureEvent, Side } from "../../../src/engine/capture/event.ts";
import { type Annotation, isBlank, MARKS } from "../../../src/engine/model/annotation.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { answered, ended, exchange, idOf, message, moment, piece, started } from "./story.ts";

const PLENTY = 1024 ** 3;

function readerOf(writer: SessionWriter): SessionReader {
  const reader = writer.reader();
  if (reader === null) throw new Error("nothing was written");
  return reader;
}

function bodyOf(reader: SessionReader, number: number, side: Side): string {
  const part = reader.readBody(idOf(number), side, 0, PLENTY);
  return part.ok ? part.value.toString("latin1") : `gone: ${part.problem}`;
}

/** One event of one of six exchanges, close to or far from each other; an impossible event is skipped. */
const happening = fc.record({
  number: fc.constantFrom(1, 2, 127, 128, 129, 5_000),
  what: fc.constantFrom("start", "join", "hold", "answer", "piece", "message", "end", "flush"),
  bytes: fc.oneof(
    fc.uint8Array(),
    fc.nat(150_000).map((size) => new Uint8Array(size).fill(size)),
  ),
  side: fc.constantFrom<Side>("request", "response"),
});

interface Expected {
  readonly told: CaptureEvent[];
  readonly bodies: Record<Side, Buffer>;
  readonly messages: Buffer[];
}

describe("session writer", (test) => {
  test("given any events in any order, reads them again as they were written", () =>
    withFolder((folder) => {
      let round = 0;
      fc.assert(
        fc.property(fc.array(happening, { maxLength: 60 }), fc.boolean(), (happenings, atOnce) => {
          round += 1;
          const writer = new SessionWriter(join(folder, String(round)), PLENTY);
          const expected = new Map<number, Expected>();
          const events: CaptureEvent[] = [];
          for (const { number, what, bytes, side } of happenings) {
            const known = expected.get(number);
            const last = known?.told.at(-1)?.type;
            const isOpen = known !== undefined && last !== "exchange-ended";
            if (what === "start" && known === undefined) {
              events.push(started(number));
              expected.set(number, {
                told: [started(number)],
                bodies: { request: Buffer.alloc(0), response: Buffer.alloc(0) },
                messages: [],
              });
            }
            const isAnswered = known?.told.some(({ type }) => type === "response-started") ?? false;
            const next: CaptureEvent[] = [];
            if (isOpen && what === "answer" && !isAnswered) next.push(answered(number));
            const id = idOf(number);
            if (isOpen && what === "join")
              next.push({ type: "unit-joined", id, unit: bytes.length, block: null, level: null });
            if (isOpen && what === "hold") next.push({ type: "response-held", id, at: moment(number), level: 100 });
            if (isOpen && what === "end") next.push(ended(number, isAnswered ? null : "server-reset"));
            known?.told.push(...next);
            events.push(...next);
            if (isOpen && what === "piece") {
              known.bodies[side] = Buffer.concat([known.bodies[side], bytes]);
              events.push(piece(number, bytes, side));
            }
            if (isOpen && what === "message") {
              known.messages.push(Buffer.from(bytes));
              events.push(message(number, bytes, side));
            }
            if (!atOnce) writer.append(events.splice(0));
            if (what === "flush") assert.equal(writer.flush(), { problem: null, lost: NOTHING_LOST });
          }
          writer.append(events);
          fc.pre(expected.size > 0);
          const reader = readerOf(writer);
          const read = [...reader.events(false)];
          for (const [number, { told }] of expected)
            assert.equal(
              read.filter((event) => "id" in event && event.id === number),
              told,
            );
          for (const [number, { bodies, messages }] of expected) {
            for (const side of ["request", "response"] as const) {
              assert.is(bodyOf(reader, number, side), bodies[side].toString("latin1"));
              assert.is(reader.keptOf(idOf(number), side), bodies[side].length);
            }
            assert.is(reader.messageCount(idOf(number)), messages.length);
            const listed = reader.readMessages(idOf(number), 1, 3).map(({ index, size, kept }) => [index, size, kept]);
            assert.equal(
              listed,
              messages.slice(1, 4).map(({ length }, index) => [index + 1, length, length]),
            );
            for (const [index, bytes] of messages.entries()) {
              const part = reader.readMessage(idOf(number), index);
              assert.ok(part.ok && part.value.equals(bytes));
            }
          }
          assert.is(reader.problem, null);
          writer.close();
        }),
        { numRuns: rounds(40) },
      );
    }));

  test("given several annotations of an exchange, keeps the last one and no blank one", () =>
    withFolder((folder) => {
      const annotation = fc.record(
        { mark: fc.constantFrom(null, ...MARKS), comment: fc.string({ unit: anyCharacter }) },
        { noNullPrototype: true },
      );
      const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), annotation, fc.boolean()), { maxLength: 30 });
      let round = 0;
      fc.assert(
        fc.property(steps, (told) => {
          round += 1;
          const writer = new SessionWriter(join(folder, `r${round}`), PLENTY);
          const expected = new Map<number, Annotation>();
          for (const number of [1, 2, 3, 4, 5]) writer.append(exchange(number));
          for (const [number, said, flush] of told) {
            writer.annotate(idOf(number), said);
            expected.set(number, said);
            if (flush) assert.equal(writer.flush(), { problem: null, lost: NOTHING_LOST });
          }
          const kept = [...expected].filter(([, said]) => !isBlank(said)).sort(([a], [b]) => a - b);
          assert.equal([...readerOf(writer).annotations()], kept);
          writer.close();
        }),
        { numRuns: rounds(30) },
      );
    }));

  test("given exchanges in flight and ended, reads their heads at once", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      assert.is(writer.reader(), null);
      writer.append([started(1)]);
      assert.equal(readerOf(writer).headsOf(idOf(1)), {
        target: started(1).target,
        request: started(1).head,
        response: null,
      });
      writer.append([answered(1), ended(1), ...exchange(2)]);
      for (const number of [1, 2]) {
        const { target } = started(number);
        const whole = { target, request: started(number).head, response: answered(number).head };
        assert.equal(readerOf(writer).headsOf(idOf(number)), whole);
      }
      assert.is(readerOf(writer).headsOf(idOf(3)), null);
      assert.is(readerOf(writer).keptOf(idOf(3), "response"), 0);
      writer.close();
    }));

  test("given connections, names, decoded sizes and drops, reads them in their order", () =>
    withFolder((folder) => {
      const certificate = {
        subject: "s",
        issuer: "i",
        names: "DNS:a",
        validFrom: "f",
        validTo: "t",
        fingerprint: "AA",
      };
      const tls = { version: "TLSv1.3", cipher: "c", alpn: null, resumed: false, certificates: [certificate] };
      const opened: CaptureEvent = { type: "connection-opened", id: 7, at: moment(0), address: "10.0.0.1:443", tls };
      const plain: CaptureEvent = { type: "connection-opened", id: 8, at: moment(0), address: "[::1]:80", tls: null };
      const decoded: CaptureEvent = { type: "body-decoded", id: idOf(1), size: 99 };
      const unknown: CaptureEvent = { type: "body-decoded", id: idOf(2), size: null };
      const named: CaptureEvent = { type: "client-named", connection: 2, program: "curl" };
      const dropped: CaptureEvent = { type: "events-dropped", at: moment(3), count: 4 };
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append([started(1), opened, named, dropped, decoded, plain, unknown, ended(1)]);
      assert.equal(
        [...readerOf(writer).events(false)],
        [started(1), opened, named, dropped, decoded, plain, unknown, ended(1)],
      );
      writer.close();
    }));

  test("given an exchange without an end, ends it with its session as proxy-stopped", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append([started(1), answered(1), started(2)]);
      const told = [...readerOf(writer).events(true)];
      const ends = told.filter((event) => event.type === "exchange-ended");
      assert.equal(
        ends.map(({ id, at, outcome }) => [id, at, outcome.kind === "failed" && outcome.errorType, outcome.status]),
        [
          [1, answered(1).at, "proxy-stopped", 200],
          [2, started(2).at, "proxy-stopped", null],
        ],
      );
      writer.close();
    }));

  test("given an exchange without an end, reports the body sizes that were kept", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      const pieces = ["asked", " again"].map((text) => piece(1, Buffer.from(text), "request"));
      writer.append([started(1, { method: "POST" }), ...pieces, answered(1), piece(1, Buffer.from("half"))]);
      const end = [...readerOf(writer).events(true)].find((event) => event.type === "exchange-ended");
      assert.equal([end?.requestBodySize, end?.encodedBodySize], [11, 4]);
      writer.close();
    }));

  test("given a range of messages, lists them without their payload", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append([started(1), ...[0, 1, 2, 3].map((size) => message(1, Buffer.alloc(size), "response"))]);
      const { bytes: _, type: __, ...third } = message(1, Buffer.alloc(2), "response");
      assert.equal(readerOf(writer).readMessages(idOf(1), 2, 1), [{ ...third, index: 2, kept: 2 }]);
      assert.is(readerOf(writer).readMessages(idOf(1), 0, 10).length, 4);
      writer.close();
    }));

  test("given events of an unknown exchange, leaves them out", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append([answered(1), piece(1, Buffer.from("x")), ended(1), ...exchange(2)]);
      assert.equal(
        [...readerOf(writer).events(false)].map((event) => "id" in event && event.id),
        [2, 2, 2],
      );
      writer.close();
    }));

  test("given no event, creates no file; given one, creates files that only the owner can read", () =>
    withFolder(async (folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.flush();
      assert.equal(await readdir(folder), []);
      writer.append(exchange(1));
      writer.flush();
      for (const name of await readdir(join(folder, "s"))) {
        assert.is((await stat(join(folder, "s", name))).mode & 0o077, 0, name);
      }
      writer.close();
      assert.equal((await readdir(join(folder, "s"))).sort(), ["session.sqlite"]);
    }));

  test("given a locked database, reports the problem and writes the events once it is unlocked", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append(exchange(1));
      assert.is(writer.flush().problem, null);
      const other = new DatabaseSync(join(folder, "s", "session.sqlite"));
      other.exec("BEGIN IMMEDIATE");
      writer.append(exchange(2));
      assert.match(writer.flush().problem ?? "", /cannot be written.*database is locked/);
      other.exec("COMMIT");
      other.close();
      assert.equal(writer.flush(), { problem: null, lost: NOTHING_LOST });
      assert.is([...readerOf(writer).events(false)].length, 6);
      assert.is(bodyOf(readerOf(writer), 2, "response"), "body 2");
      writer.close();
    }));

  test(
    "given much, writes it as it comes; while the disk cannot be written, only a flush tries again",
    () =>
      withFolder((folder) => {
        const path = join(folder, "s");
        const writer = new SessionWriter(path, PLENTY);
        const large = Buffer.alloc(1024 * 1024);
        const append = (from: number) => {
          for (let number = from; number < from + 9; number += 1) writer.append(exchange(number, large), number);
        };
        writer.append(exchange(1));
        writer.flush();
        const other = new DatabaseSync(join(path, "session.sqlite"));
        other.exec("BEGIN IMMEDIATE");
        append(10);
        other.exec("COMMIT");
        other.close();
        append(20);
        assert.is(writer.written, 0);
        assert.is(writer.flush().problem, null);
        assert.is(writer.written, 28);
        append(30);
        assert.ok(writer.written >= 37, "nine large bodies are more than waits");
        writer.close();
      }),
    { isLong: true },
  );

  test(
    "given a disk that cannot be written, bounds and counts what waits, and writes what was kept later",
    () =>
      withFolder(async (folder) => {
        const path = join(folder, "s");
        await mkdir(join(path, "session.sqlite"), { recursive: true });
        const writer = new SessionWriter(path, PLENTY);
        const count = 3_000;
        const head = (number: number) =>
          `HTTP/1.1 200 OK\r\nx: ${randomBytes(12_000).toString("base64")}\r\nn: ${number}\r\n\r\n`;
        const heads = new Map<number, string>();
        for (let number = 1; number <= count; number += 1) {
          heads.set(number, head(number));
          writer.append([started(number), { ...answered(number), head: heads.get(number) ?? "" }, ended(number)]);
          if (number % 500 === 0) writer.flush();
        }
        const { problem, lost } = writer.flush();
        assert.match(problem ?? "", /is not a file/);
        // Base64 compresses to three quarters.
        const held = (count - lost.exchanges) * (heads.get(count)?.length ?? 0) * 0.75;
        assert.ok(held > 0 && held <= 34 * 1024 * 1024, `${held} bytes are held`);
        await rm(join(path, "session.sqlite"), { recursive: true });
        assert.is(writer.flush().problem, null);
        const stored = [...readerOf(writer).events(false)].filter(({ type }) => type === "exchange-ended");
        assert.is(stored.length, count - lost.exchanges);
        assert.is(readerOf(writer).headsOf(idOf(count))?.response, heads.get(count));
        writer.close();
      }),
    { isLong: true },
  );

  test(
    "given bodies and messages that do not fit in memory, counts each once, and lists the messages without content",
    () =>
      withFolder(async (folder) => {
        const path = join(folder, "s");
        await mkdir(join(path, "session.sqlite"), { recursive: true });
        const writer = new SessionWriter(path, PLENTY);
        const large = Buffer.alloc(1024 * 1024);
        writer.append([started(1), message(1, large), piece(1, large), message(1, large), started(2)]);
        for (let number = 0; number < 40; number += 1) writer.append([piece(2, large)]);
        assert.equal(writer.flush().lost, { exchanges: 0, messages: 2, bodies: 2 });
        writer.append([message(1, Buffer.from("later"))]);
        await rm(join(path, "session.sqlite"), { recursive: true });
        assert.is(writer.flush().problem, null);
        const reader = readerOf(writer);
        assert.is(reader.messageCount(idOf(1)), 3);
        assert.equal(
          [0, 1, 2]
            .map((index) => reader.readMessage(idOf(1), index))
            .map((part) => (part.ok ? part.value.toString() : part.problem)),
          [...Array(2).fill("the disk could not be written when it was captured"), "later"],
        );
        assert.match(bodyOf(reader, 1, "response"), "gone: the disk could not be written when it was captured");
        assert.is(reader.keptOf(idOf(1), "response"), 0);
        writer.close();
      }),
    { isLong: true },
  );

  test(
    "given whole batches that do not fit in memory, the numbers of later messages have no gap",
    () =>
      withFolder(async (folder) => {
        const path = join(folder, "s");
        await mkdir(join(path, "session.sqlite"), { recursive: true });
        const writer = new SessionWriter(path, PLENTY);
        writer.append([started(1), message(1, Buffer.from("lost"))]);
        const head = () => `HTTP/1.1 200 OK\r\nx: ${randomBytes(20_000).toString("base64")}\r\n\r\n`;
        for (let number = 2; number < 2_000; number += 1)
          writer.append([started(number), { ...answered(number), head: head() }, ended(number)]);
        assert.is(writer.flush().lost.messages, 1);
        writer.append([message(1, Buffer.from("kept")), ended(1)]);
        await rm(join(path, "session.sqlite"), { recursive: true });
        assert.is(writer.flush().problem, null);
        const reader = readerOf(writer);
        assert.is(reader.headsOf(idOf(1))?.request, started(1).head, "the start is stored again");
        assert.equal(
          reader.readMessages(idOf(1), 0, 5).map(({ index, kept }) => [index, kept]),
          [[0, 4]],
        );
        const part = reader.readMessage(idOf(1), 0);
        assert.is(part.ok && part.value.toString(), "kept");
        writer.close();
      }),
    { isLong: true },
  );

  test("given a lower cap, deletes the oldest bodies with the next flush", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      writer.append(exchange(1, Buffer.alloc(4 * 1024 * 1024)));
      writer.append(exchange(2));
      assert.is(writer.flush().problem, null);
      writer.cap = 1024 * 1024;
      assert.is(writer.flush().problem, null);
      assert.ok(writer.stored <= 1024 * 1024);
      assert.match(bodyOf(readerOf(writer), 1, "response"), "it was deleted");
      assert.is.not(readerOf(writer).headsOf(idOf(1)), null);
      writer.close();
    }));

  test(
    "given a writable disk and much at once, loses nothing",
    () =>
      withFolder((folder) => {
        const writer = new SessionWriter(join(folder, "s"), PLENTY);
        const much = Buffer.alloc(10 * 1024 * 1024, "much");
        const both: Side[] = ["request", "response"];
        writer.append([
          started(1),
          ...both.map((side) => piece(1, much, side)),
          ...both.map((side) => message(1, much, side)),
          ended(1),
        ]);
        const reader = readerOf(writer);
        for (const [index, side] of both.entries())
          for (const part of [reader.readBody(idOf(1), side, 0, PLENTY), reader.readMessage(idOf(1), index)])
            assert.ok(part.ok && part.value.equals(much), side);
        writer.close();
      }),
    { isLong: true },
  );

  test("given a damaged batch, says so and reads the others", () =>
    withFolder((folder) => {
      const path = join(folder, "s");
      const writer = new SessionWriter(path, PLENTY);
      for (let number = 1; number <= 300; number += 1) {
        writer.append(exchange(number));
        if (number % 100 === 0) writer.flush();
      }
      writer.close();
      const database = new DatabaseSync(join(path, "session.sqlite"));
      const frame = database.prepare("SELECT log FROM batches WHERE number = 2").get()?.["log"] as Uint8Array;
      const damaged = frame.with(frame.length / 2, (frame[Math.floor(frame.length / 2)] ?? 0) ^ 1);
      database.prepare("UPDATE batches SET log = ? WHERE number = 2").run(damaged);
      database.prepare("UPDATE bytes SET checksum = 1 WHERE batch = 3").run();
      database.close();
      const reader = unwrap(SessionReader.open(path));
      const ids = [...reader.events(true)]
        .filter(({ type }) => type === "exchange-ended")
        .map((event) => "id" in event && event.id);
      assert.equal([ids.length, ids[99], ids[100], ids.at(-1)], [200, 100, 201, 300]);
      assert.is(reader.problem, "some exchanges are damaged");
      assert.is(reader.headsOf(idOf(150)), null);
      assert.is(reader.headsOf(idOf(250))?.request, started(250).head);
      assert.is(bodyOf(reader, 50, "response"), "body 50");
      assert.is(bodyOf(reader, 250, "response"), "gone: its bytes on disk are damaged");
      reader.close();
    }));

  test("given an exchange in flight whose start is in a deleted batch, keeps the start", () =>
    withFolder((folder) => {
      const cap = 2 * 1024 * 1024;
      const writer = new SessionWriter(join(folder, "s"), cap);
      writer.append([started(1), answered(1)]);
      for (let number = 2; number < 200; number += 1) {
        const head = `HTTP/1.1 200 OK\r\nx: ${randomBytes(20_000).toString("base64")}\r\n\r\n`;
        writer.append([started(number), { ...answered(number), head }, ended(number)]);
        if (number % 20 === 0) writer.flush();
      }
      const reader = readerOf(writer);
      assert.is(reader.headsOf(idOf(2)), null);
      assert.is(reader.headsOf(idOf(1))?.response, answered(1).head);
      writer.close();
    }));

  test(
    "given floods of heads, messages and connections, keeps the session within its cap, and the latest exchanges",
    () =>
      withFolder((folder) => {
        const cap = 2 * 1024 * 1024;
        const body = cap / 2 - 100_000;
        const floods: Record<string, (number: number) => CaptureEvent[]> = {
          heads: (number) => {
            const head = `HTTP/1.1 200 OK\r\nx: ${randomBytes(20_000).toString("base64")}\r\n\r\n`;
            return [started(number), { ...answered(number), head }, ended(number)];
          },
          connections: (number) => {
            const names = randomBytes(10_000).toString("base64");
            return [{ type: "connection-opened", id: number, at: moment(number), address: names, tls: null }];
          },
          messages: (number) => [
            started(number),
            ...Array.from({ length: 300 }, () => message(number, new Uint8Array(0))),
            ended(number),
          ],
        };
        for (const [name, flood] of Object.entries(floods)) {
          const place = join(folder, name);
          const writer = new SessionWriter(place, cap);
          writer.append([started(1), piece(1, randomBytes(body)), ended(1)]);
          writer.flush();
          for (let number = 2; number < 150; number += 1) {
            writer.append(flood(number));
            if (number % 20 === 0) writer.flush();
            assert.ok(writer.stored <= cap + 1024 * 1024, `${name}: ${writer.stored}`);
          }
          const reader = readerOf(writer);
          if (name !== "connections") assert.is.not(reader.headsOf(idOf(149)), null);
          assert.is(writer.close().problem, null);
          assert.ok(statSync(join(place, "session.sqlite")).size <= cap + 17 * 1024 * 1024);
        }
      }),
    { isLong: true },
  );

  test("given a head above 32 KiB, stores a part of it, and the rest of the exchange whole", () =>
    withFolder((folder) => {
      const writer = new SessionWriter(join(folder, "s"), PLENTY);
      const head = `HTTP/1.1 200 OK\r\na: 1\r\nx: ${"v".repeat(100_000)}\r\nb: 2\r\n\r\n`;
      writer.append([started(1), { ...answered(1), head }, ended(1)]);
      assert.is(readerOf(writer).headsOf(idOf(1))?.response, "HTTP/1.1 200 OK\r\na: 1\r\nb: 2\r\n");
      writer.close();
    }));
});
