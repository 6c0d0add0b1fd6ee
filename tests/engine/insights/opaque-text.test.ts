import * as assert from "uvu/assert";
import { isOpaque } from "../../../src/engine/insights/opaque-text.ts";
import { describe } from "../../support/describe.ts";

describe("machine-made text detection", (test) => {
  for (const text of [
    "f81d4fae",
    "u-93ab21",
    "dQw4w9WgXcQ",
    "asiNzeHcgGSHUVUoTZ",
    "48151623",
    "item4815162",
    "2ndary",
    "id-7919f0a9b8c7",
    "qzxkvbnmpl",
  ])
    test(`given "${text}", says so`, () => assert.ok(isOpaque(text)));

  for (const text of [
    "active",
    "out-for-delivery",
    "getHTTPResponse",
    "summer2024",
    "eu-west-1",
    "v2024-11-03",
    "10-tips",
    "10px",
    "2nd",
    "Q3",
    "",
  ])
    test(`given "${text}", says that it is of words`, () => assert.not.ok(isOpaque(text)));
});
