import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { decodeToEngine } from "../../../src/engine/messages/decode.ts";
import type { ToEngine } from "../../../src/engine/messages/messages.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const range = { from: 0, count: 50 };
const subscribe = (query: object): object => ({ type: "subscribe", subscription: 1, query });
const command = (body: object): object => ({ type: "command", number: 3, command: body });

const GOOD: readonly object[] = [
  subscribe({ view: "traffic", filter: "status:5xx", sort: { column: "latency", descending: true }, range }),
  subscribe({ view: "latency", filter: "", sort: { column: "p95", descending: false }, range }),
  subscribe({ view: "payload", filter: "", sort: { column: "largest", descending: true }, range }),
  subscribe({ view: "timeline", filter: "", between: { from: 0.5, to: 1e12 }, range }),
  subscribe({ view: "density", filter: "", between: null, slices: 400 }),
  subscribe({ view: "groups", sort: { column: "start", descending: false }, range }),
  subscribe({ view: "repeats", filter: "x", range }),
  subscribe({ view: "chains", filter: "x" }),
  subscribe({ view: "what-if", exchanges: [3, 4], endpoint: null, to: 0.5 }),
  subscribe({ view: "what-if", exchanges: [], endpoint: "GET https://a.test/", to: 3_600_000 }),
  subscribe({ view: "critical-path", filter: "", between: { from: 0.5, to: 1e12 }, exchange: 3 }),
  subscribe({ view: "critical-path", filter: "x", between: { from: 0, to: 1 }, exchange: null }),
  subscribe({
    view: "trends",
    filter: "",
    metric: "all",
    direction: "up",
    sort: { column: "change", descending: true },
    range,
  }),
  subscribe({
    view: "compare",
    left: "20261120T120000123-1a2b3c",
    right: null,
    filter: "",
    sort: { column: "p95", descending: true },
    range,
  }),
  ...(["baseline", "grouping", "sessions", "shown"] as const).map((view) => subscribe({ view })),
  subscribe({ view: "collecting", filter: "", range }),
  subscribe({ view: "collecting", filter: `slow: endpoint:"GET https://a.test/${"x".repeat(65_000)}"`, range }),
  subscribe({ view: "slow", filter: "", cause: "server", endpoint: null, group: null, range }),
  subscribe({ view: "slow", filter: "", cause: "weir", endpoint: "GET https://a.test/", group: "1 server", range }),
  subscribe({ view: "slow-groups", filter: "", cause: "all", endpoint: null, range }),
  subscribe({ view: "messages", exchange: 4, range }),
  subscribe({ view: "status" }),
  subscribe({ view: "summary" }),
  subscribe({ view: "position", exchange: 4, filter: "", sort: { column: "ttfb", descending: true } }),
  subscribe({ view: "paths", open: [{ host: "a.test", path: "/v1" }] }),
  subscribe({ view: "endpoint", endpoint: "GET https://a.test/" }),
  subscribe({ view: "exchange", exchange: 4 }),
  subscribe({ view: "findings", filter: "x" }),
  ...(["status", "finding", "req.", "resp.x-cache"] as const).map((key) => subscribe({ view: "occurring", key })),
  subscribe({ view: "finding", key: '["errors"]' }),
  subscribe({ view: "hub" }),
  subscribe({ view: "target", slug: "python" }),
  { type: "unsubscribe", subscription: 1 },
  { type: "ack", subscription: 1, revision: 9 },
  command({ type: "set-recording", on: false }),
  command({ type: "start-proxy" }),
  command({ type: "stop-proxy" }),
  command({ type: "set-reach", lan: true }),
  command({ type: "set-conditions", conditions: null }),
  command({
    type: "set-conditions",
    conditions: { name: null, roundTrip: 150, down: 1_600, up: 0, hosts: ["*.a.test"] },
  }),
  command({ type: "renew-certificate" }),
  command({ type: "clear" }),
  command({ type: "undo-clear", session: "20261120T120000123-1a2b3c" }),
  command({ type: "restore-session", session: "20261120T120000123-1a2b3c" }),
  command({ type: "delete-for-good", session: "20261120T120000123-1a2b3c" }),
  command({ type: "empty-trash" }),
  command({ type: "undo-annotations", change: 3 }),
  command({ type: "new-session" }),
  command({ type: "set-setting", key: "fixedThreshold", value: 500 }),
  command({ type: "set-setting", key: "passThrough", value: ["*.bank.test"] }),
  command({ type: "read-body", exchange: 4, side: "response", form: "decoded", from: 0, count: 65_536 }),
  command({ type: "read-message", exchange: 4, index: 0 }),
  command({ type: "read-model-call", exchange: 4 }),
  command({ type: "export", format: "har", table: null, redact: true, filter: "" }),
  command({ type: "export", format: "csv", table: "slow", redact: true, filter: "" }),
  command({ type: "export", format: "csv", table: null, redact: true, filter: "" }),
  command({ type: "export", format: "md", table: "trends", redact: true, filter: "" }),
  command({ type: "estimate-compression", exchange: 4 }),
  command({ type: "copy-findings", key: null }),
  command({ type: "copy-findings", key: '["errors"]' }),
  command({ type: "open-session", session: "20261120T120000123-1a2b3c" }),
  command({ type: "show-current" }),
  command({ type: "describe-session", session: "20261120T120000123-1a2b3c", words: { name: "Checkout", notes: "" } }),
  command({ type: "describe-session", session: "20261120T120000123-1a2b3c", words: { notes: "slow" } }),
  command({ type: "set-baseline", session: "20261120T120000123-1a2b3c", on: false }),
  command({ type: "delete-session", session: "20261120T120000123-1a2b3c" }),
  command({ type: "delete-captured" }),
  command({ type: "import-har", fileName: "a.har", as: "completed" }),
  command({ type: "import-piece", importNumber: 1, base64: "ewo=", last: false }),
  command({ type: "cancel-import", importNumber: 1 }),
  command({ type: "search", text: "token" }),
  command({ type: "cancel-search", searchNumber: 1 }),
  command({ type: "cancel-export", exportNumber: 2 }),
  command({ type: "took-piece", exportNumber: 2 }),
  command({ type: "copy-as", exchange: 4, form: "curl" }),
  ...(["run-test", "extend-test", "cancel-test"] as const).map((type) => command({ type, slug: "python" })),
  command({ type: "note-copy", slug: "curl", form: "command#sh" }),
  command({ type: "export-certificate", folder: "/home/ada/weir" }),
  command({ type: "check-trust" }),
  command({ type: "show-exchange", exchange: 4 }),
  command({
    type: "set-setting",
    key: "clientCertificates",
    value: [{ host: "api.example.com", file: "/client.pem", passphrase: null }],
  }),
  command({
    type: "set-setting",
    key: "hostAuthorities",
    value: [{ host: "api.example.com", file: "ca.pem", certificates: "-----BEGIN" }],
  }),
  subscribe({ view: "traffic", filter: "mark:", sort: { column: "ttfb", descending: true }, range }),
  command({ type: "mark-exchange", exchange: 4, mark: "star" }),
  command({ type: "mark-exchange", exchange: 4, mark: null }),
  command({
    type: "mark-picked",
    filter: "",
    sort: { column: "size", descending: true },
    stretches: [{ from: 3, to: null }],
    mark: "flag",
  }),
  command({ type: "comment-exchange", exchange: 4, comment: "é".repeat(4_000) }),
];

const BAD: readonly unknown[] = [
  command({ type: "run-test", slug: 3 }),
  command({ type: "set-reach", lan: "yes" }),
  command({ type: "set-conditions", conditions: { name: null, roundTrip: "150", down: 0, up: 0, hosts: [] } }),
  command({ type: "note-copy", slug: "curl", form: "x".repeat(201) }),
  command({ type: "export-certificate", folder: "x".repeat(4_097) }),
  null,
  [],
  7,
  {},
  { type: "hello", ticket: "x" },
  { type: "ack", subscription: 1 },
  { type: "ack", subscription: -1, revision: 0 },
  { type: "ack", subscription: 1.5, revision: 0 },
  { type: "ack", subscription: "1", revision: 0 },
  subscribe({ view: "everything" }),
  subscribe({ view: "collecting", filter: "", range: { from: 0, count: 501 } }),
  subscribe({ view: "collecting", filter: "", range: { from: -1, count: 5 } }),
  subscribe({ view: "collecting", filter: "x".repeat(71_001), range }),
  subscribe({ view: "traffic", filter: "", sort: { column: "__proto__", descending: true }, range }),
  subscribe({ view: "exchange", exchange: 1e300 }),
  subscribe({ view: "occurring", key: "path" }),
  subscribe({ view: "occurring", key: `resp.${"x".repeat(300)}` }),
  command({ type: "copy-findings", key: "x".repeat(3_000) }),
  subscribe({ view: "payload", filter: "", sort: { column: "p95", descending: true }, range }),
  subscribe({ view: "timeline", filter: "", between: { from: Number.NaN, to: 1 }, range }),
  subscribe({ view: "density", filter: "", between: null, slices: 0 }),
  subscribe({ view: "density", filter: "", between: null, slices: 2_001 }),
  command({ type: "import-piece", importNumber: 1, base64: "x".repeat(150_001), last: false }),
  command({ type: "import-piece", importNumber: 1, base64: "{}", last: false }),
  command({ type: "import-har", fileName: "a.har", as: "baseline" }),
  command({ type: "describe-session", session: "a", words: { name: "x".repeat(201), notes: "" } }),
  command({ type: "search", text: "" }),
  command({ type: "export", format: "har", table: "slow", redact: true, filter: "" }),
  command({ type: "set-setting", key: "theme", value: { deep: {} } }),
  command({ type: "read-body", exchange: 4, side: "both", form: "wire", from: 0, count: 1 }),
  command({ type: "read-body", exchange: 4, side: "request", form: "wire", from: 0, count: 1e9 }),
  command({ type: "copy-as", exchange: 4, form: "sh" }),
  command({ type: "mark-exchange", exchange: 4, mark: "blue" }),
  command({ type: "mark-exchange", exchange: 4 }),
  command({ type: "mark-picked", filter: "", sort: { column: "size", descending: true }, stretches: null, mark: null }),
  command({ type: "comment-exchange", exchange: 4, comment: "x".repeat(4_001) }),
  command({ type: "comment-exchange", exchange: 4, comment: null }),
];

describe("message decoding", (test) => {
  test("given any valid query or command, decodes to the same message", () => {
    for (const message of GOOD) assert.equal(decodeToEngine(JSON.stringify(message)), message as ToEngine);
  });

  test("given an invalid message or broken JSON, decodes to null", () => {
    for (const message of BAD) assert.is(decodeToEngine(JSON.stringify(message)), null, JSON.stringify(message));
    for (const text of ["", "{", "nul", '{"type":']) assert.is(decodeToEngine(text), null);
  });

  test("given unknown keys such as __proto__, drops them", () => {
    const text =
      '{"type":"ack","subscription":1,"revision":2,"more":1,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const message = decodeToEngine(text);
    assert.equal(Object.keys(message ?? {}), ["type", "subscription", "revision"]);
    assert.is(Object.getPrototypeOf(message), Object.prototype);
    assert.is("polluted" in {}, false);
  });

  test("given drawn strings, refuses a message with more than 20,000 of them unparsed, whatever is escaped in them", () =>
    fc.assert(
      fc.property(fc.string(), fc.constantFrom(-1, 0, 1), (drawn, more) => {
        const known = { type: "unsubscribe", subscription: 1 };
        // The known fields have four strings; each further field has two.
        const rest = Array.from({ length: (20_000 - 4) / 2 + more }, (_, index) => [`${drawn}\\${index}"`, drawn]);
        const text = JSON.stringify({ ...known, last: 1, ...Object.fromEntries(rest) });
        const { parse } = JSON;
        let parsed = 0;
        JSON.parse = (...all) => {
          parsed += 1;
          return parse(...all);
        };
        try {
          assert.equal(decodeToEngine(text), more > 0 ? null : known);
        } finally {
          JSON.parse = parse;
        }
        assert.is(parsed, more > 0 ? 0 : 1);
      }),
      { numRuns: rounds(20) },
    ));
});
