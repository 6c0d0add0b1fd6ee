import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { openUnpacker } from "../../../extensions/proxy/decoding/unpacker.ts";
import { openHarFile } from "../../../extensions/proxy/export/har-file.ts";
import type { ContentReader } from "../../../src/engine/capture/content-reader.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { HarSession } from "../../../src/engine/report/har-session.ts";
import { HarText } from "../../../src/engine/report/har-text.ts";
import { MemoryContent } from "../../../src/engine/report/memory-content.ts";
import { Session } from "../../../src/engine/session/session.ts";
import { describe } from "../../support/describe.ts";
import { someOf } from "../../support/rounds.ts";

const FIXTURES = new URL("../../fixtures/", import.meta.url);

const HAR_FILES = readdirSync(FIXTURES, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".har"))
  .map((name) => new URL(name, FIXTURES));

const gzipSizeOf = async (bytes: Uint8Array) => gzipSync(bytes).length;

describe("in-memory content of a session", (test) => {
  test("given a HAR file, holds what a stored session of it holds", async () => {
    assert.ok(HAR_FILES.length > 5);
    for (const file of someOf(HAR_FILES)) {
      const content = new MemoryContent(gzipSizeOf);
      const har = new HarSession(new Session(), new HarText(openUnpacker), (events) => content.append(events));
      const problem = (await har.read(readFileSync(file), false)) ?? (await har.read(new Uint8Array(0), true));
      har.close();
      const opened = await openHarFile(decodeURIComponent(file.pathname), null);
      if (!opened.ok) {
        assert.ok(opened.problem.endsWith(problem ?? "nothing"), opened.problem);
        continue;
      }
      assert.is(problem, null);
      assert.equal(contentOf(content, har.session), contentOf(opened.value.reader, opened.value.session));
      opened.value.close();
    }
  });

  test("given bytes, hashes them by their value", () => {
    const content = new MemoryContent(gzipSizeOf);
    const hashes = new Map<string, string>();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(39), (bytes, at) => {
        const hash = content.hashOf(bytes);
        assert.is(content.hashOf(bytes.slice()), hash);
        const known = hashes.get(hash);
        assert.ok(known === undefined || known === bytes.toString());
        hashes.set(hash, bytes.toString());
        const index = at % Math.max(1, bytes.length);
        const old = bytes[index];
        if (old !== undefined) assert.is.not(content.hashOf(bytes.with(index, old ^ 1)), hash);
      }),
    );
  });

  test("given a missing message or exchange, says that it is missing", () => {
    const content = new MemoryContent(gzipSizeOf);
    const id = 1 as ExchangeId;
    assert.equal([content.headsOf(id), content.fieldsOf(id), content.messageCount(id)], [null, null, 0]);
    assert.not(content.readMessage(id, 0).ok);
    assert.equal(content.readBody(id, "response", 0, 9), { ok: true, value: new Uint8Array(0) });
  });
});

/** Everything that a reader gives of a session, as comparable values. */
function contentOf(reader: ContentReader, { table }: Session): readonly unknown[] {
  return Array.from({ length: table.nextRow }, (_, row) => {
    const id = table.ids.at(row) as ExchangeId;
    const bodies = (["request", "response"] as const).map((side) => {
      const whole = reader.readBody(id, side, 0, Number.MAX_SAFE_INTEGER);
      const part = reader.readBody(id, side, 3, 5);
      return [...[whole, part].map((read) => (read.ok ? [...read.value] : read.problem)), reader.keptOf(id, side)];
    });
    const count = reader.messageCount(id);
    const messages = Array.from({ length: count }, (_, index) => {
      const read = reader.readMessage(id, index);
      return read.ok ? [...read.value] : read.problem;
    });
    return [reader.headsOf(id), reader.fieldsOf(id), bodies, messages, reader.readMessages(id, 0, count)];
  });
}
