import * as assert from "uvu/assert";
import { languageNameOf, modesOf } from "../../../../src/ui/views/inspector/body-kind.ts";
import { describe } from "../../../support/describe.ts";

describe("body kind and display modes", (test) => {
  test("given a content type, decides in which modes and in which language a body is shown", () => {
    for (const [type, modes, language] of [
      ["application/json", "pretty raw hex", "json"],
      ["application/problem+json; charset=utf-8", "pretty raw hex", "json"],
      ["text/html; charset=utf-8", "raw hex", "html"],
      ["application/xhtml+xml", "raw hex", "html"],
      ["application/atom+xml", "raw hex", "xml"],
      ["image/svg+xml", "raw hex", "xml"],
      ["text/css", "raw hex", "css"],
      ["text/javascript", "raw hex", "javascript"],
      ["application/x-javascript", "raw hex", "javascript"],
      ["text/plain", "raw hex", null],
      ["multipart/form-data; boundary=x", "parts raw hex", null],
      ["image/png", "image hex", null],
      ["application/octet-stream", "hex raw", null],
      [null, "hex raw", null],
    ] as const) {
      assert.equal([modesOf(type).join(" "), languageNameOf(type)], [modes, language], String(type));
    }
  });
});
