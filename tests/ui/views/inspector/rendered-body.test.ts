import * as assert from "uvu/assert";
import type { Command } from "../../../../src/engine/messages/messages.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Body } from "../../../../src/ui/state/bodies.ts";
import type { Commands } from "../../../../src/ui/state/commands.ts";
import type { BodyMode } from "../../../../src/ui/views/inspector/body-kind.ts";
import { RenderedBody } from "../../../../src/ui/views/inspector/rendered-body.ts";
import { describe } from "../../../support/describe.ts";
import { resultOf } from "../../../support/slices.ts";

const PIECE = 7;

/** A body that an engine sends in pieces of seven bytes, of which `loaded` have arrived. */
async function drawn(
  bytes: Uint8Array,
  mode: BodyMode,
  loaded: number,
  contentType = "text/plain",
): Promise<RenderedBody> {
  const send = async (command: Command) => {
    if (command.type !== "read-body") throw new Error(command.type);
    const piece = bytes.subarray(command.from, command.from + Math.min(command.count, PIECE));
    return { ok: true, value: { base64: Buffer.from(piece).toString("base64"), total: bytes.length, problem: null } };
  };
  const body = new Body({ send } as unknown as Commands, 1 as ExchangeId, "response");
  await body.load(loaded);
  return new RenderedBody(body, mode, contentType);
}

/** Its first document, of at most that many bytes. */
const documentOf = (body: RenderedBody, most = 1_000) => resultOf(body.document(false, most));

/** The lines of a body, read to its end. */
async function readOn(body: RenderedBody): Promise<readonly string[]> {
  const lines = [...documentOf(body).lines];
  while (!body.isWhole) {
    const [first = "", ...rest] = (await body.more(20)) ?? [];
    lines.push(`${lines.pop()}${first}`, ...rest);
  }
  return lines;
}

describe("progressive body view", (test) => {
  const text = "grün 😀\r\nzwei\rdrei\n€€€€ und der Rest, länger als eine Zeile in hex";
  const bytes = new TextEncoder().encode(text);

  test("given a text cut at any byte, continues exactly where the text ended", async () => {
    for (let loaded = 1; loaded < bytes.length; loaded += 5) {
      assert.equal(await readOn(await drawn(bytes, "raw", loaded)), text.split(/\r\n|\r|\n/));
    }
  });

  test("given hex, continues by whole lines", async () => {
    const whole = await readOn(await drawn(bytes, "hex", bytes.length));
    assert.equal(await readOn(await drawn(bytes, "hex", 20)), whole);
    assert.is(whole.length, Math.ceil(bytes.length / 16));
  });

  test("given a partly loaded body, says how much is shown until all of it is", async () => {
    const body = await drawn(bytes, "raw", 14);
    documentOf(body);
    assert.is(body.problem, "The first 14 B are shown; scroll for more.");
    await body.more(1_000);
    assert.is(body.problem, "");
    assert.is(await body.more(1_000), null);
  });

  test("given complete JSON, indents it with folds; given other text, shows it unchanged and says so", async () => {
    const json = new TextEncoder().encode('{"a":{"b":1}}');
    const whole = await drawn(json, "pretty", json.length, "application/json");
    const { lines, folds, language } = documentOf(whole);
    assert.equal([lines.length, folds.length, language, whole.problem], [5, 2, "json", ""]);
    const broken = await drawn(json.subarray(0, 9), "pretty", 9, "application/json");
    assert.equal(documentOf(broken).lines, ['{"a":{"b"']);
    assert.match(broken.problem, /not a complete JSON document/);
    const larger = await drawn(json, "pretty", 7, "application/json");
    documentOf(larger);
    assert.match(larger.problem, /^Bodies over 8\S* MB are not indented\. The first 7 B/);
  });

  test("given a large body that is not JSON, shows it step by step and says why", async () => {
    const text = '{"a":'.repeat(40);
    const body = await drawn(new TextEncoder().encode(text), "pretty", text.length, "application/json");
    assert.equal(documentOf(body, 50).lines, [text.slice(0, 50)]);
    assert.match(body.problem, /^This body is not a complete JSON document.*as received\. The first 50 B are shown/);
    assert.equal(await body.more(1_000), [text.slice(50)]);
    assert.match(body.problem, /^This body is not a complete JSON document[^:]*It is shown as received\.$/);
  });
});
