import * as assert from "uvu/assert";
import type { Command } from "../../../src/engine/messages/messages.ts";
import type { ExchangeId } from "../../../src/engine/model/units.ts";
import { Body } from "../../../src/ui/state/bodies.ts";
import type { Commands, Reply } from "../../../src/ui/state/commands.ts";
import { describe } from "../../support/describe.ts";

type ReadBody = Extract<Command, { type: "read-body" }>;

/** A body whose commands get their replies from `answer`. */
function body(answer: (command: ReadBody) => Reply) {
  const asked: ReadBody[] = [];
  const commands = {
    send: (command: ReadBody) => {
      asked.push(command);
      return Promise.resolve(answer(command));
    },
  };
  return { asked, body: new Body(commands as unknown as Commands, 1 as ExchangeId, "response") };
}

function serving(whole: Uint8Array) {
  return ({ from, count }: ReadBody): Reply => ({
    ok: true,
    value: {
      base64: Buffer.from(whole.subarray(from, from + count)).toString("base64"),
      from,
      total: whole.length,
      problem: null,
    },
  });
}

describe("body loading", (test) => {
  test("given a body, loads as much as is requested and later the rest, byte for byte", async () => {
    const whole = Uint8Array.from({ length: 700_000 }, (_, index) => (index * 31) % 256);
    const { body: read, asked } = body(serving(whole));
    await read.load(100);
    assert.equal(
      asked.map(({ exchange, side, from }) => [exchange, side, from]),
      [[1, "response", 0]],
    );
    assert.not(read.whole);
    await read.load(Number.POSITIVE_INFINITY);
    assert.ok(read.whole);
    assert.is(Buffer.compare(read.bytes, whole), 0);
  });

  test("given two concurrent loads of the same piece, sends one request", async () => {
    const { body: read, asked } = body(serving(new Uint8Array(10)));
    await Promise.all([read.load(10), read.load(10)]);
    assert.is(asked.length, 1);
  });

  test("given a deleted body, loads nothing and reports the reason after a single request", async () => {
    const problem = "it was deleted";
    const { body: read, asked } = body(() => ({ ok: true, value: { base64: "", from: 0, total: 0, problem } }));
    await read.load(10);
    assert.equal([asked.length, read.bytes.length, read.problem], [1, 0, "It was deleted."]);
  });

  test("given a partly decoded body, reports as a sentence why the rest is missing", async () => {
    const problem = "decoding was stopped at 64 MB";
    const { body: read } = body(() => ({ ok: true, value: { base64: "AA==", from: 0, total: 1, problem } }));
    await read.load(10);
    assert.is(read.problem, "Decoding was stopped at 64 MB.");
  });

  test("given a refused request, stops loading and reports the reason", async () => {
    const { body: read } = body(() => ({ ok: false, problem: "It is gone." }));
    await read.load(10);
    assert.is(read.problem, "It is gone.");
    assert.not(read.whole);
  });
});
