import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { exchangeJsonOf } from "../../../src/engine/interchange/exchange-json.ts";
import type { Instant } from "../../../src/engine/model/units.ts";
import { describe } from "../../support/describe.ts";
import { entryText, harSource } from "../../support/har-source.ts";
import { leaksIn, nestedSecret } from "../../support/nested-secret.ts";

type Sketch = NonNullable<Parameters<typeof harSource>[0]>;

/** Where a text can occur in an exported exchange. */
const PLACES: Readonly<Record<string, (text: string) => Sketch>> = {
  query: (text) => ({ target: `/a?b=1&c=${encodeURIComponent(text)}` }),
  path: (text) => ({ target: `/a/${encodeURIComponent(text)}` }),
  "query as it is": (text) => ({ target: `/a?c=${/[\r\n<]|\\r/.test(text) ? encodeURIComponent(text) : text}` }),
  location: (text) => ({ responseHeaders: [`Location: https://a.test/?next=${encodeURIComponent(text)}`] }),
  refresh: (text) => ({ responseHeaders: [`Refresh: 0; url=/a?next=${encodeURIComponent(text)}`] }),
  "request header": (text) => ({ requestHeaders: [`X-Data: ${line(text)}`] }),
  "request body": (text) => ({ requestBody: text }),
  form: (text) => ({
    requestHeaders: ["Content-Type: application/x-www-form-urlencoded"],
    requestBody: `$a=1&b=${encodeURIComponent(text)}`,
  }),
  "UTF-16": (text) => ({ requestBody: Buffer.from(`\ufeff${text}`, "utf16le") }),
  "response body": (text) => ({ responseBody: text }),
  "cut response body": (text) => ({ responseBody: `${text.slice(0, -1)}\u00e9`.slice(0, -1), cutAt: 9 }),
  events: (text) => ({
    responseHeaders: ["Content-Type: text/event-stream"],
    responseBody: `event: a\n${text
      .split(/\r?\n/)
      .map((each) => `data: ${each}\n`)
      .join("")}\n`,
  }),
  message: (text) => ({
    tags: ["websocket"],
    messages: [{ at: 0 as Instant, side: "request", kind: "text", bytes: Buffer.from(text), cut: false }],
  }),
  "binary message": (text) => ({
    tags: ["websocket"],
    messages: [{ at: 0 as Instant, side: "request", kind: "binary", bytes: Buffer.from(text), cut: false }],
  }),
  comment: (text) => ({ annotation: { mark: null, comment: text } }),
};

describe("export redaction", (test) => {
  for (const [place, sketchOf] of Object.entries(PLACES)) {
    test(`given a secret nested in any way, holds none of its forms: ${place}`, () => {
      fc.assert(
        fc.property(nestedSecret, ({ text }) => {
          const source = harSource(sketchOf(text));
          const entry = entryText(source, true);
          assert.equal(leaksIn(entry), [], entry);
          // Base64 content does not contain the secret either.
          for (const [, base64 = ""] of entry.matchAll(/"(?:text|data)":"([A-Za-z0-9+/]{8,}={0,2})"/g)) {
            const bytes = Buffer.from(base64, "base64");
            assert.equal([...leaksIn(bytes.toString("latin1")), ...leaksIn(bytes.toString("utf16le"))], []);
          }
          assert.equal(leaksIn(JSON.stringify(exchangeJsonOf(source.exchange, source.annotation))), []);
        }),
      );
    });
  }
});

/** The text; as a JSON string if it has line breaks, which would end the line. */
function line(text: string): string {
  return /[\r\n]/.test(text) ? JSON.stringify(text) : text;
}
