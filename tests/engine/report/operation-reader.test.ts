import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { CaptureEvent, ExchangeEnded } from "../../../src/engine/capture/event.ts";
import type { Operation } from "../../../src/engine/model/operation.ts";
import { OperationReader } from "../../../src/engine/report/operation-reader.ts";
import { answered, ended, piece, started } from "../../proxy/storage/story.ts";
import { describe } from "../../support/describe.ts";

interface Sent {
  readonly method?: string;
  readonly target?: string;
  readonly type?: string;
  readonly fields?: readonly string[];
  readonly body?: string | undefined;
  readonly answer?: string;
  readonly answerFields?: readonly string[];
}

function eventsOf(number: number, sent: Sent): readonly CaptureEvent[] {
  const { method = "POST", target = "/graphql", type = "application/json", fields = [], answerFields = [] } = sent;
  const head = [`${method} ${target} HTTP/1.1`, `Content-Type: ${type}`, ...fields, "", ""].join("\r\n");
  const [body, answer] = [sent.body ?? "", sent.answer ?? ""].map((text) => Buffer.from(text)) as [Buffer, Buffer];
  return [
    started(number, { method, target, head }),
    // In two pieces, as bodies arrive.
    piece(number, body.subarray(0, 7), "request"),
    piece(number, body.subarray(7), "request"),
    { ...answered(number), head: ["HTTP/1.1 200 OK", ...answerFields, "", ""].join("\r\n") } as CaptureEvent,
    piece(number, answer),
    ended(number),
  ];
}

function endOf(sent: Sent): ExchangeEnded {
  return new OperationReader().read(eventsOf(1, sent)).at(-1) as ExchangeEnded;
}

const GET_USER = JSON.stringify({ query: "query GetUser { user { id } }" });
const RPC = { jsonrpc: "2.0", method: "user.get", id: 1 };

describe("operation reader", (test) => {
  const cases: readonly (readonly [string, Sent, Operation | null])[] = [
    ["a GraphQL document", { body: GET_USER }, { kind: "graphql", name: "GetUser" }],
    [
      "a query in the URL",
      { method: "GET", target: "/graphql?query=query+GetUser%7Bid%7D" },
      { kind: "graphql", name: "GetUser" },
    ],
    ["a batch", { body: `[${GET_USER},${GET_USER}]` }, { kind: "graphql", name: "[GetUser, GetUser]" }],
    ["JSON-RPC", { body: JSON.stringify(RPC) }, { kind: "json-rpc", name: "user.get" }],
    ["SOAP", { type: "text/xml", fields: ['SOAPAction: "urn:get"'], body: "<x/>" }, { kind: "soap", name: "urn:get" }],
    ["another body", { body: '{"name":"Anna"}' }, null],
    ["a coded body", { fields: ["Content-Encoding: gzip"], body: GET_USER }, null],
    ["a body too long to read", { body: `${GET_USER.slice(0, -1)},"variables":"${"x".repeat(300_000)}"}` }, null],
    ["a form", { type: "application/x-www-form-urlencoded", body: GET_USER }, null],
  ];
  for (const [name, sent, operation] of cases) {
    test(`given ${name}, names ${operation?.name ?? "none"}`, () =>
      assert.equal(endOf(sent).operation ?? null, operation));
  }

  test("given a response that reports an error, tags the exchange, unless it is coded", () => {
    const failed = '{"errors":[{"message":"no"}]}';
    assert.equal(endOf({ body: GET_USER, answer: failed }).tags, ["application-error"]);
    assert.equal(endOf({ body: GET_USER, answer: '{"data":{}}' }).tags, []);
    assert.equal(endOf({ body: GET_USER, answer: failed, answerFields: ["Content-Encoding: br"] }).tags, []);
    assert.equal(endOf({ body: '{"a":1}', answer: failed }).tags, [], "no operation asked");
    const rpc = { body: JSON.stringify(RPC), answer: '{"jsonrpc":"2.0","error":{"code":1},"id":1}' };
    assert.equal(endOf(rpc).tags, ["application-error"]);
    const grpc = { target: "/pkg.Users/Get", type: "application/grpc", answerFields: ["grpc-status: 5"] };
    assert.equal([endOf(grpc).tags, endOf(grpc).operation ?? null], [["application-error"], null]);
  });

  test("given several at once, in any cut of the events, each gets its own; other events stay the same objects", () => {
    fc.assert(
      fc.property(
        fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 9 }),
        (named, size) => {
          const bodies = named.map((is, index) => (is ? JSON.stringify({ ...RPC, method: `m${index}` }) : "{}"));
          const stories = bodies.map((body, index) => eventsOf(index, { body }));
          const events = Array.from({ length: 6 }, (_, position) =>
            stories.map((story) => story[position] as CaptureEvent),
          ).flat();
          const reader = new OperationReader();
          const read: CaptureEvent[] = [];
          for (let from = 0; from < events.length; from += size)
            read.push(...reader.read(events.slice(from, from + size)));
          for (const [position, event] of events.entries()) {
            const found = read[position] as CaptureEvent;
            if (event.type !== "exchange-ended" || named[Number(event.id)] === false) assert.is(found, event);
            else assert.is((found as ExchangeEnded).operation?.name, `m${Number(event.id)}`);
          }
        },
      ),
    );
  });
});
