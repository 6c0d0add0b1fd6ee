import * as fc from "fast-check";
import * as assert from "uvu/assert";
import type { ExchangeFacts } from "../../../../src/engine/insights/exchange-facts.ts";
import { filesIn, namedUrlsOf } from "../../../../src/engine/insights/links/named-urls.ts";
import { describe } from "../../../support/describe.ts";
import { rounds } from "../../../support/rounds.ts";
import { Scene } from "../../../support/scene.ts";

/** The name of a file, with at most 127 characters before its extension, not within a longer name. */
const FILE = /(?<![\w.-])[\w-][\w.-]{2,126}\.[a-z\d]{2,5}(?=["'`?#])/gi;

const PIECES = ["app", "main.js", ".css", ".", "-", "_", "/", '"', "'", "?", " ", "é", "A1", "x".repeat(63)];

function answered(type: string): ExchangeFacts {
  const scene = new Scene();
  scene.ask({ at: 0, response: { "content-type": type } });
  return scene.facts[0] as ExchangeFacts;
}

describe("files named in a response", (test) => {
  test("given any text, are the names before a quote or a query, each once", () => {
    const facts = answered("text/javascript");
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        assert.equal(filesIn(facts, text), [...new Set(text.match(FILE) ?? [])]);
      }),
      { numRuns: rounds(500) },
    );
  });

  test("given a response that is no script, page or JSON, are none", () => {
    for (const [type, files] of [
      ["application/json", ["main.js"]],
      ["text/css", []],
    ] as const)
      assert.equal(filesIn(answered(type), '"main.js"'), files);
  });
});

describe("URLs named in a response", (test) => {
  test("given JSON whose strings are escaped in any way, finds the same URLs", () => {
    const facts = answered("application/json");
    const unicode = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const reference of ["https://b.test/image", "HTTP://b.test/image", "/image"]) {
      const written = [
        reference,
        reference.replaceAll("/", "\\/"),
        unicode(reference.charAt(0)) + reference.slice(1),
        Array.from(reference, unicode).join(""),
      ];
      for (const text of written)
        assert.equal(namedUrlsOf(facts, "https://b.test/list", `{"about":"x","picture":"${text}"}`), [
          { url: `http${reference.startsWith("HTTP") ? "" : "s"}://b.test/image`, by: "text" },
        ]);
    }
  });
});
