import * as assert from "uvu/assert";
import { describe } from "../../../support/describe.ts";
import { linksIn, type Talk } from "../../../support/linked.ts";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const OTHER = "00f067aa0ba902b7";

const parent = (span: string, trace = TRACE) => [`traceparent: 00-${trace}-${span}-01`];
const outer = (more: Partial<Talk> = {}): Talk => ({
  at: 0,
  lasts: 200,
  client: "10.0.0.1 page",
  sends: parent(SPAN),
  ...more,
});
const inner = (more: Partial<Talk> = {}): Talk => ({
  at: 50,
  lasts: 80,
  client: "10.0.0.2 gateway",
  target: "/inner",
  sends: parent(SPAN),
  ...more,
});

describe("links by trace", (test) => {
  test("given a span within another client's request of that span, links it", () => {
    assert.equal(linksIn([outer(), inner()]), ["1>2 trace"]);
  });

  test("given siblings, other traces, other spans and requests that outlast it, links nothing", () => {
    assert.equal(linksIn([outer(), inner({ client: "10.0.0.1 page" })]), []);
    assert.equal(linksIn([outer(), inner({ sends: parent(OTHER) })]), []);
    assert.equal(linksIn([outer(), inner({ sends: parent(SPAN, TRACE.replace("0", "1")) })]), []);
    assert.equal(linksIn([outer(), inner({ lasts: 400 })]), []);
    assert.equal(linksIn([outer({ lasts: 40 }), inner()]), []);
  });

  test("given two requests that both may be the outer one, links neither", () => {
    assert.equal(linksIn([outer(), outer({ at: 10, target: "/also" }), inner()]), []);
  });

  test("given the span that the server says it opened, links what carries it", () => {
    const gives = [`traceresponse: 00-${TRACE}-${OTHER}-01`];
    assert.equal(linksIn([outer({ gives }), inner({ sends: parent(OTHER) })]), ["1>2 trace"]);
  });

  test("given B3 headers, in one or in several, links by the parent's span", () => {
    const several = [`x-b3-traceid: ${TRACE}`, `x-b3-spanid: ${OTHER}`, `x-b3-parentspanid: ${SPAN}`];
    const single = [`b3: ${TRACE}-${OTHER}-1-${SPAN}`];
    const first = [`x-b3-traceid: ${TRACE}`, `x-b3-spanid: ${SPAN}`];
    assert.equal(linksIn([outer({ sends: first }), inner({ sends: several })]), ["1>2 trace"]);
    assert.equal(linksIn([outer({ sends: first }), inner({ sends: single })]), ["1>2 trace"]);
  });

  test("given nested requests in turn, the second also follows the first", () => {
    const found = linksIn([outer(), inner(), inner({ at: 135, lasts: 40, target: "/then" })]);
    assert.equal(found, ["1>2 trace", "1>3 trace", "2>3 order"]);
  });
});
