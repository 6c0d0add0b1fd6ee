import * as assert from "uvu/assert";
import { endpointAt } from "../../../../src/engine/model/endpoint.ts";
import { destinationsOf, type PaletteState } from "../../../../src/ui/views/shell/palette-destinations.ts";
import { fittingEntries } from "../../../../src/ui/views/shell/palette-entries.ts";
import { describe } from "../../../support/describe.ts";

const orders = { method: "GET", origin: "https://shop.test", path: "/orders", operation: null };
const finding = {
  key: "k",
  kind: "n-plus-one",
  endpoint: orders,
  origin: null,
  time: 1_200,
  bytes: null,
  basis: "Measured.",
};
const sessions = [
  { id: "s-2", name: "", state: "current", kept: true, startedAt: 0 },
  { id: "s-1", name: "Before the cache", state: "completed", kept: true, startedAt: 0 },
  { id: "s-0", name: "Figures alone", state: "completed", kept: false, startedAt: 0 },
];
const KNOWN = {
  inspecting: false,
  picking: false,
  sessions: { sessions },
  endpoints: [{ endpoint: endpointAt("GET", "https://shop.test", "/orders", null), ...orders }],
  found: { findings: [finding] },
  targets: [{ slug: "nodejs", name: "Node.js" }],
} as unknown as PaletteState;

const names = (state: Partial<PaletteState> = {}) => destinationsOf({ ...KNOWN, ...state }).map(({ name }) => name);

/** Places, and what people type for them, separated by commas. */
const TYPED: readonly (readonly [name: string, typed: string])[] = [
  [
    "Performance: Findings",
    "why slow, bottleneck, causes, issues, what if, experiment, report, share, html, page load",
  ],
  ["Performance: Latency", "p95, p50, p99, percentile, median, endpoints, histogram, heat map, response time"],
  ["Performance: Slow requests", "slow, slowest, outlier, p95, tail"],
  ["Performance: Payload", "size, bytes, largest, compression"],
  ["Performance: Chains", "dependency, dependencies, repeats, n+1, sequence, initiator"],
  ["Performance: Trends", "slower than yesterday, regression, baseline, compare sessions"],
  ["Inspector: Timing", "waterfall, ttfb, dns, phases"],
  ["Inspector: Messages", "websocket, sse"],
  ["Inspector: TLS", "certificate, handshake"],
  ["Inspector: Response", "body, headers, cookies"],
  ["Theme: dark", "dark, dark mode"],
  ["Set up Node.js", "node, connect node"],
  ["Cause: Rate limit", "429"],
  ["Cause: Errors", "failed, 5xx"],
  ["Cause: CORS preflights", "cors, options"],
  ["Cause: Unchanged refetches", "cache, 304, etag"],
  ["Cause: Uncompressed responses", "gzip, compression"],
  ["Cause: Slow connection set-up", "dns, tls, handshake"],
  ["Cause: New connections", "keep-alive, pool"],
  ["Cause: Sequential requests", "waterfall, serial"],
  ["Cause: Slow server", "ttfb, backend"],
  ["Cause: Worse than before", "regression, slower than yesterday"],
  ["Finding: N+1 requests, GET /orders shop.test, 1.2 s lost", "n+1, loop, /orders"],
];

describe("places in the command palette", (test) => {
  test("given known places, lists tabs, themes, setup pages, openable sessions, endpoints and findings", () => {
    assert.equal(names().slice(6, 14), [
      "Theme: as the system",
      "Theme: light",
      "Theme: dark",
      "Set up Node.js",
      "Open session: Current session",
      "Open session: Before the cache",
      "Endpoint: GET /orders shop.test",
      "Finding: N+1 requests, GET /orders shop.test, 1.2 s lost",
    ]);
    assert.ok(names().includes("Cause: N+1 requests"));
    assert.equal(names().slice(0, 2), ["Performance: Findings", "Performance: Latency"]);
  });

  test("given the words of the trade, finds the tabs and causes that show it", () => {
    const entries = destinationsOf({ ...KNOWN, inspecting: true });
    for (const [name, typed] of TYPED)
      for (const text of typed.split(", ")) {
        const found = fittingEntries(entries, text).map((entry) => entry.name);
        assert.ok(found.includes(name), `"${text}" finds ${found.join()}`);
      }
  });

  test("given a closed inspector or unknown data, leaves out the entries that need them", () => {
    for (const name of ["Inspector: Timing", "Repeat request"]) assert.not(names().includes(name), name);
    const unknown = { sessions: undefined, endpoints: [], found: null, targets: [] };
    assert.ok(names({ ...unknown, inspecting: true }).includes("Inspector: Timing"));
    assert.ok(names({ ...unknown, inspecting: true }).includes("Repeat request"));
    assert.ok(names({ ...unknown, inspecting: true }).includes("Delete exchange"));
    assert.ok(names({ ...unknown, picking: true }).includes("Delete the selected exchanges"));
    assert.not(names().some((name) => name.startsWith("Delete")));
    assert.not(names(unknown).some((name) => /^(?:Set up|Open session|Endpoint|Finding)/.test(name)));
  });
});
