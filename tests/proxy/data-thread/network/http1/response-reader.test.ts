import { Buffer } from "node:buffer";
import * as assert from "uvu/assert";
import { LIMITS } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { ResponseReader } from "../../../../../extensions/proxy/data-thread/network/http1/response-reader.ts";
import { describe } from "../../../../support/describe.ts";
import { BAD_RESPONSES } from "./corpus.ts";
import { opinionOn } from "./llhttp.ts";
import { REPAIRED_RESPONSES } from "./repaired.ts";
import { forwardedOf, responsesIn } from "./transcript.ts";
import { GOOD_RESPONSES } from "./valid.ts";

describe("invalid responses in the response reader", (test) => {
  for (const { title, bytes, status, method } of BAD_RESPONSES) {
    test(`given ${title}, refuses it with ${status}`, () => {
      const { messages, problem } = responsesIn([Buffer.from(bytes, "latin1")], method);
      assert.is(problem?.status, status, JSON.stringify(problem));
      assert.ok(
        messages.every(({ head, ending }) => ending === null || head.status < 200),
        "no final message of it ends",
      );
    });
  }
});

describe("repaired responses in the response reader", (test) => {
  for (const { title, bytes, method, forwarded, repairs } of REPAIRED_RESPONSES) {
    test(`given ${title}, names the repair and forwards a strictly valid response`, () => {
      const told = responsesIn([Buffer.from(bytes, "latin1")], method);
      assert.is(told.problem, null, told.problem?.reason);
      assert.is(forwardedOf(told), forwarded);
      assert.equal([...told.repairs].sort(), [...repairs].sort());
      assert.ok(told.messages.every(({ ending }) => ending !== null));
      const again = responsesIn([Buffer.from(forwarded, "latin1")], method);
      assert.equal([again.problem, [...again.repairs], forwardedOf(again)], [null, [], forwarded]);
      const { messages, error } = opinionOn(Buffer.from(forwarded, "latin1"), method);
      assert.is(error, null);
      assert.ok(messages.every(({ isComplete }) => isComplete));
    });
  }

  test("given a repair that leaves the body's end in doubt, does not keep the connection", () => {
    for (const { title, bytes, method, repairs } of REPAIRED_RESPONSES) {
      const { messages } = responsesIn([Buffer.from(bytes, "latin1")], method);
      const isDoubtful = repairs.some((repair) => /length|transfer-encoding/.test(repair));
      const head = messages.at(-1)?.head;
      assert.is(head?.keepAlive, !isDoubtful && head?.framing.kind !== "until-close" && head?.version === "1.1", title);
    }
  });
});

describe("valid responses in the response reader", (test) => {
  for (const { title, bytes, to, headers, body, ending, ...seen } of GOOD_RESPONSES) {
    test(`given ${title}, reads the whole response`, () => {
      const { messages, problem } = responsesIn([Buffer.from(bytes, "latin1")], to);
      assert.is(problem, null);
      assert.is(messages.length, 1);
      const [message] = messages;
      if (message === undefined) return;
      const { head } = message;
      const { status, reason, version, framing, keepAlive } = head;
      assert.equal({ status, reason, version, framing, keepAlive }, seen);
      assert.equal(
        head.headers.map(({ name, value }) => [name, value]),
        headers,
      );
      assert.is(message.data, body);
      assert.is(message.ending, ending);
      assert.is(head.text + message.wire + message.ending, bytes, "every byte is told, once");
    });
  }
});
describe("consecutive responses in the response reader", (test) => {
  const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  test("given interim responses, emits each with its end before the final response", () => {
    const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    const { messages, problem } = responsesIn([Buffer.from(interim + OK)], "GET");
    assert.is(problem, null);
    assert.equal(
      messages.map(({ head, data, ending }) => [head.status, data, ending]),
      [
        [100, "", ""],
        [103, "", ""],
        [200, "ok", ""],
      ],
    );
  });

  test("given an interim response to HEAD, still reads the final response without a body", () => {
    const head = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n";
    const { messages } = responsesIn([Buffer.from(head)], "HEAD");
    assert.equal(
      messages.map(({ head, ending }) => [head.status, head.framing.kind, ending]),
      [
        [100, "none", ""],
        [200, "none", ""],
      ],
    );
  });

  test("given bytes without a request, leaves them unread", () => {
    const reader = new ResponseReader(LIMITS);
    reader.feed(Buffer.from(OK));
    assert.is(reader.next(), null);
    reader.expect("GET");
    assert.equal([reader.next()?.kind, reader.next()?.kind, reader.next()?.kind], ["head", "body", "end"]);
    reader.feed(Buffer.from(OK));
    assert.is(reader.next(), null);
    assert.is(reader.rest().toString(), OK);
  });

  test("given status 101, leaves the bytes behind it to the other protocol", () => {
    const reader = new ResponseReader(LIMITS);
    reader.expect("GET");
    reader.feed(Buffer.from("HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x00", "latin1"));
    assert.equal([reader.next()?.kind, reader.next()?.kind, reader.next()], ["head", "end", null]);
    assert.is(reader.rest().toString("latin1"), "\x81\x00");
  });

  test("given a body without a length, ends it when the connection ends", () => {
    const reader = new ResponseReader(LIMITS);
    reader.expect("GET");
    reader.feed(Buffer.from("HTTP/1.1 200 OK\r\n\r\nabc"));
    assert.equal([reader.next()?.kind, reader.next()?.kind, reader.next()], ["head", "body", null]);
    assert.is(reader.finish(), "complete");
    assert.is(reader.next()?.kind, "end");
    assert.is(reader.finish(), "between");
  });

  for (const part of [
    "H",
    OK.slice(0, 20),
    OK.slice(0, -1),
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1",
  ]) {
    test(`given an end of the connection after ${JSON.stringify(part.slice(-12))}, reports truncated`, () => {
      const reader = new ResponseReader(LIMITS);
      reader.expect("GET");
      reader.feed(Buffer.from(part));
      while (reader.next() !== null);
      assert.is(reader.finish(), "truncated");
    });
  }

  test("given an end of the connection before or after a whole response, reports between", () => {
    const reader = new ResponseReader(LIMITS);
    reader.expect("GET");
    assert.is(reader.finish(), "between");
    reader.feed(Buffer.from(OK));
    while (reader.next() !== null);
    assert.is(reader.finish(), "between");
  });
});
