import * as assert from "uvu/assert";
import type { PayloadDetail, PayloadRecord } from "../../../../../src/engine/messages/payload-messages.ts";
import { endpointOf } from "../../../../../src/engine/model/endpoint.ts";
import { DEFAULT_SETTINGS } from "../../../../../src/engine/model/settings.ts";
import type { ExchangeId, Instant } from "../../../../../src/engine/model/units.ts";
import {
  estimateText,
  oversizedText,
  payloadFactsOf,
  payloadHeadersOf,
  payloadRowOf,
} from "../../../../../src/ui/views/performance/payload/payload-rows.ts";
import { describe } from "../../../../support/describe.ts";

const PRODUCTS: PayloadRecord = {
  endpoint: endpointOf("GET", "https://api.shop.test", "/v1/products"),
  method: "GET",
  origin: "https://api.shop.test",
  path: "/v1/products",
  operation: null,
  requests: 112,
  avgRequestSize: 47,
  avgResponseSize: 18_740,
  compressionRatio: 4.2,
  contentEncoding: "br",
  largest: 3_250_586,
  isCollecting: false,
  oversized: 3,
};

const detail = (change: Partial<PayloadDetail> = {}): PayloadDetail => ({
  record: PRODUCTS,
  avgDecodedSize: 78_700,
  sliceLength: 10_000,
  slices: [
    { at: 0 as Instant, requests: 2, avgRequestSize: 0, avgResponseSize: 10_240 },
    { at: 10_000 as Instant, requests: 1, avgRequestSize: 1_024, avgResponseSize: null },
  ],
  oversized: [7 as ExchangeId],
  shrinkable: null,
  ...change,
});

describe("payload table rows", (test) => {
  test("given the payload table, shows the specification's columns in order", () => {
    assert.equal(
      payloadHeadersOf({ column: "requests", descending: true }).map(({ label }) => label),
      ["Endpoint", "Requests", "Avg Request", "Avg Response", "Ratio", "Largest", "Oversized"],
    );
  });

  test("given an endpoint, shows its figures as text", () => {
    const row = payloadRowOf(PRODUCTS);
    assert.equal(
      [row.path, row.requests, row.request.value, row.response, row.ratio, row.largest.unit, row.oversized],
      ["/v1/products", "112", "47", { value: "18.3", unit: "KB" }, "76 % smaller (4.2x)", "MB", "3"],
    );
  });

  test("given oversized responses, links them to Traffic, and shows nothing without any", () => {
    const { oversizedFilter, oversizedLabel } = payloadRowOf(PRODUCTS);
    assert.is(oversizedFilter, 'oversized: endpoint:"GET https://api.shop.test/v1/products"');
    assert.is(oversizedLabel, "3 oversized responses, show in Traffic");
    assert.is(payloadRowOf({ ...PRODUCTS, oversized: 0 }).oversized, "");
  });

  test("given no compressed body, shows a dash and says that bodies were not compressed", () => {
    const row = payloadRowOf({ ...PRODUCTS, compressionRatio: null, contentEncoding: null });
    assert.equal([row.ratio, row.compressed, row.ratioTitle], ["–", false, "Bodies were not compressed"]);
  });

  test("given an encoding that cannot be decoded, does not call the bodies uncompressed", () => {
    const { ratioTitle } = payloadRowOf({ ...PRODUCTS, compressionRatio: null, contentEncoding: "compress" });
    assert.is(ratioTitle, "Content-Encoding compress, but no body has been decoded yet");
  });

  test("given sizes over time, picks a common unit, and leaves a gap for a slice without a response", () => {
    const { lines, unit, lineTitle, moments } = payloadFactsOf(detail());
    assert.equal([unit.name, lineTitle], ["KB", "Mean body in each 10 s of the session"]);
    assert.equal(lines.strong.points, [{ at: 0, value: 10 }]);
    assert.equal(lines.quiet.points, [
      { at: 0, value: 0 },
      { at: 10_000, value: 1 },
    ]);
    assert.equal(
      moments.map(({ response }) => response),
      ["10.0 KB", "–"],
    );
  });

  test("given bodies over time, they are two named lines", () => {
    const { lines } = payloadFactsOf(detail());
    assert.equal([lines.strong.name, lines.quiet.name], ["response", "request"]);
  });

  test("given a decoded size, shows it only if it differs from the transferred one", () => {
    const names = (size: number | null) =>
      payloadFactsOf(detail({ avgDecodedSize: size })).figures.map(({ name }) => name);
    assert.ok(names(78_700).includes("Decoded"));
    assert.not(names(PRODUCTS.avgResponseSize).includes("Decoded"));
    assert.not(names(null).includes("Decoded"));
  });

  test("given an estimate, names the encodings that would save something, or says that none would", () => {
    assert.is(estimateText({ size: 4_100, gzip: 1_000, br: 820, zstd: 4_099 }), "Would shrink: gzip 4.1x, br 5x");
    assert.is(estimateText({ size: 1_000, gzip: 1_000, br: 990, zstd: 1_020 }), "Compression would save nothing");
  });

  test("given the settings for oversized responses, the footer says what counts as oversized", () => {
    assert.match(oversizedText({ ...DEFAULT_SETTINGS, oversizedFactor: 3 }), "more than 3x the mean");
    assert.match(oversizedText(DEFAULT_SETTINGS), "at least 10.0 KB above it");
  });
});
