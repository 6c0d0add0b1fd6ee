import * as assert from "uvu/assert";
import { endpointAt } from "../../../../src/engine/model/endpoint.ts";
import { type Places, placesOf } from "../../../../src/ui/views/shell/palette-places.ts";
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
} as unknown as Places;

const names = (places: Partial<Places> = {}) => placesOf({ ...KNOWN, ...places }).map(({ name }) => name);

describe("the places of the palette", (test) => {
  test("tabs, sessions that can be opened, endpoints and findings", () => {
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

  test("tabs of the inspector only while it is open, and nothing of what is not known yet", () => {
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
