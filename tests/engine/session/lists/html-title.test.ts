import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { htmlTitleOf } from "../../../../src/engine/session/lists/html-title.ts";
import { describe } from "../../../support/describe.ts";

const titleOf = (html: string) => htmlTitleOf(new TextEncoder().encode(html));

describe("the title of an HTML document", (test) => {
  test("given a title, resolves its references and blanks; given none, one in a comment or too late, is empty", () => {
    assert.is(
      titleOf("<!doctype html><html><head><TITLE lang=de>\n Käse &amp; Brot&#33;&#x2014;\t7 &euro; </title >"),
      "Käse & Brot!— 7 &euro;",
    );
    assert.is(titleOf("<!-- <title>No</title> --><title>Yes</title>"), "Yes");
    assert.is(titleOf("<titles>No</titles>"), "");
    assert.is(titleOf(`${" ".repeat(64 * 1024)}<title>Late</title>`), "");
    assert.is(titleOf("<title>&#99999999;&#1114112;</title>"), "&#99999999;&#1114112;");
  });

  test("given a page in Windows-1252, reads it", () => {
    assert.is(htmlTitleOf(Uint8Array.from(Buffer.from("<title>K\xe4se</title>", "latin1"))), "Käse");
  });

  test("given any text and no reference, is that text with its blanks joined", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const plain = text.replaceAll(/[&\ufffd]/g, "");
        assert.is(titleOf(`<p><title>${plain}</title>`), plain.replaceAll(/\s+/g, " ").trim());
      }),
    );
  });
});
