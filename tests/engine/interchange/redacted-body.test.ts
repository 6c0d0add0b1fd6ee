import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { redactedBody } from "../../../src/engine/interchange/redacted-body.ts";
import { encodeUtf16 } from "../../../src/engine/interchange/redaction/utf16.ts";
import { redactedText, redactedUrl } from "../../../src/engine/interchange/redaction.ts";
import { bytesOfLatin1 } from "../../../src/engine/quoting/utf8.ts";
import { describe } from "../../support/describe.ts";
import { layers, leaksIn, nestedSecret } from "../../support/nested-secret.ts";
import { processorTimeOf } from "../../support/processor-time.ts";

const FORM = "application/x-www-form-urlencoded";

describe("a redacted body", (test) => {
  test("a form loses secrets behind a dollar and behind a flag", () => {
    assert.is(shownOf("$top=1&token=x&y=2"), "$top=1&token=REDACTED&y=2");
    assert.is(shownOf("flag&token=x&y=2"), "flag&token=REDACTED&y=2");
    assert.is(shownOf("a b\r\nc&token=x y&z=1", FORM), "a b\r\nc&token=REDACTED&z=1");
    assert.is(shownOf('{"token":"x","a":1}', FORM), '{"token":"REDACTED","a":1}');
    assert.is(
      shownOf('data={"a":"x&y","token":"z","b":1}', FORM),
      'data={"a":"x&y%22%2C%22token%22%3A%22REDACTED%22%2C%22b%22%3A1%7D',
    );
  });

  test("what is compressed without a header that says so is left out", () => {
    const long = `{"token":"x","a":"${"é\u0001\u{1f600}".repeat(9)}"}`;
    for (const compress of [gzipSync, zstdCompressSync, brotliCompressSync, deflateSync]) {
      const bytes = compress(long);
      for (const type of [
        "application/json",
        "application/vnd.a+json; charset=utf-8",
        "application/x-ndjson",
        "application/yaml",
        "application/javascript; charset=utf-8",
        "application/graphql",
        FORM,
        "text/plain",
      ])
        assert.ok("leftOut" in redactedBody(bytes, type), type);
      for (const type of ["application/gzip", "application/zip", "image/png"])
        assert.not("leftOut" in redactedBody(bytes, type), type);
    }
    for (const type of ["application/octet-stream", "binary/octet-stream", null]) {
      for (const compress of [gzipSync, zstdCompressSync, deflateSync])
        assert.ok("leftOut" in redactedBody(compress(long), type), String(type));
      // Without a magic number it may be any data.
      assert.not("leftOut" in redactedBody(brotliCompressSync(long), type), String(type));
      for (const text of ["x^2 + 1", "x\u0001"]) assert.not("leftOut" in redactedBody(Buffer.from(text), type), text);
    }
  });

  test("parts are known without quotes, behind a preamble, and by any name that their head may have", () => {
    const parts = (value: string, kept: string) =>
      [
        "This is a preamble.\r\n--b0",
        `Content-Disposition: form-data; name=password\r\n\r\n${value}`,
        `Content-Type: text/plain\r\ncontent-disposition: form-data;\r\n name='api_key'\r\n\r\n${value}\r\nmore`.replace(
          "\r\nmore",
          "",
        ),
        `Content-Disposition: form-data; filename="name=x"; name*=UTF-8''t%6Fken\r\n\r\n${value}`,
        `Content-Disposition: form-data; name="user"\r\n\r\n${kept}`,
        `Content-Disposition: form-data; name="j"\r\nContent-Type: application/json\r\n\r\n{"token":"${value}","n":"${kept}"}`,
      ]
        .join("\r\n--b0\r\n")
        .replace("--b0\r\n--b0", "--b0")
        .concat("\r\n--b0--\r\n");
    for (const type of [null, 'multipart/form-data; boundary="b0"', "multipart/mixed; boundary=b0"])
      assert.is(shownOf(parts("hunter2", "me"), type), parts("REDACTED", "me"));
    const lines = parts("hunter2", "me").replaceAll("\r\n", "\n");
    assert.is(shownOf(lines), parts("REDACTED", "me").replaceAll("\r\n", "\n"));
  });

  test("UTF-16 is read and written in its own order, with a mark, a charset, or none", () => {
    const [text, redacted] = ['{"token":"x","n":"\u00e9"}', '{"token":"REDACTED","n":"\u00e9"}'];
    for (const order of ["le", "be"] as const) {
      for (const mark of ["", "\ufeff"]) {
        assert.equal(redactedBody(encodeUtf16(mark + text, order), null), encodeUtf16(mark + redacted, order));
      }
    }
    assert.equal(
      redactedBody(encodeUtf16("token=x", "le"), `${FORM}; charset=utf-16le`),
      encodeUtf16("token=REDACTED", "le"),
    );
  });

  test("bytes of another charset stay as they were, and a body without a secret is the same", () => {
    const body = bytesOfLatin1('{"token":"x","n":"\u00e9"}');
    assert.equal(redactedBody(body, null), bytesOfLatin1('{"token":"REDACTED","n":"\u00e9"}'));
    const escaped = bytesOfLatin1('{"n":"\u00e9","u":"\\u4e2d token=x"}');
    assert.equal(redactedBody(escaped, null), bytesOfLatin1('{"n":"\u00e9","u":"\u00e4\u00b8\u00ad token=REDACTED"}'));
    const plain = bytesOfLatin1("\u00ff\u00d8 a=1&b=\u00e9");
    assert.is(redactedBody(plain, "image/jpeg"), plain);
  });

  test("what looks like JSON or parts, cannot be read and names a secret is left out, and says why", () => {
    const left = [
      ["{token: 5}", null],
      ["{'token': [x]}", "application/json"],
      ['{"a":"one\nline","token" => "x"}', null],
      ["no boundary", "multipart/form-data; boundary=b0"],
      ["no boundary", "multipart/form-data"],
      ["token=x", `${FORM}; charset=utf-7`],
    ] as const;
    for (const [text, type] of left) {
      const shown = redactedBody(Buffer.from(text), type);
      assert.ok("leftOut" in shown && /^Left out, because it may contain secrets\. ./.test(shown.leftOut), text);
    }
    for (const text of ["{{name}}, your order", "[INFO] started", "{a:1,}", "body{color:red}"])
      assert.is(shownOf(text), text);
  });

  test("events lose the secrets in their data, over several lines too", () => {
    const text =
      'event: a\ndata: {"token":\ndata: "x","n":1}\n\nid: 1\r\ndata: token=y&b=2\r\n\r\n: ping\n\ndata: kept';
    assert.is(
      shownOf(text, "text/event-stream"),
      'event: a\ndata: {"token":\ndata: "REDACTED","n":1}\n\nid: 1\r\ndata: token=REDACTED&b=2\r\n\r\n: ping\n\ndata: kept',
    );
  });

  test("a secret is found in whatever it is put, and what is beside it stays", () => {
    fc.assert(
      fc.property(nestedSecret, ({ text, neighbours }) => {
        const shown = shownOf(text);
        assert.equal(leaksIn(shown), [], shown);
        for (const word of neighbours) assert.match(shown, word);
      }),
      { numRuns: 500 },
    );
  });

  test("text without a secret name stays as it is, however nested", () => {
    fc.assert(
      fc.property(layers, (wraps) => {
        const text = wraps.reduce((inner, wrap) => wrap(inner), '{"name":"value","n":[1,true,null]}');
        assert.is(shownOf(text), text);
      }),
    );
  });

  test("any text and any bytes are redacted without a failure", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'{}[]":,\\=&?;/#%@-. \r\n', "token", "ey", "25", "a") }),
        (text) => {
          assert.type(redactedText(text) + redactedUrl(text), "string");
        },
      ),
      { numRuns: 2_000 },
    );
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void redactedBody(bytes, null)));
  });

  test("hostile text of half a megabyte costs no more than text of its length may", () => {
    const pieces = [
      '"',
      '\\"',
      '"a":',
      '{"a":',
      '{"token":',
      "[",
      '{"token":[',
      '"a":"',
      "a=",
      "a&",
      "&a=",
      "?a=",
      ";a=",
      "/",
      "//@",
      "%3D",
      "%253D",
      "=",
      "#",
      "a=%26",
      "\n\n",
      '"\n',
      "-eyJabcdefg",
      "eyJabcdefg.",
      "-",
      "e3 ",
      "eyJ".repeat(20),
      "<",
      "token ",
      "token:",
      "--a\r\n",
      "\r\n--a\r\ncontent-type: x",
      'content-disposition: form-data; name="',
      "data: {\n",
      "\n\ndata:",
      "{'token",
      "token\\",
      "a-",
      "A.",
      "x:  ",
      " ",
      "\t:",
      "<password>",
      "<a b='",
      "<value><name>password</name>",
      "</a>",
      "<a><b>",
      "<!--",
      "<![CDATA[",
      "<script>",
      "&quot;",
      "&#34;<",
      "a = b\n",
      "password: |\n ",
      "a = \\\n",
      " --password ",
      "cGFzc3dvcmQ9",
      "cGFzc3dvcmQ9/",
      '{"v":{"k":"token","v":',
      '[["token","a"',
      "db: {a: ",
      "(",
      ")]}'",
    ];
    for (const piece of pieces) {
      const bytes = Buffer.from(piece.repeat(500_000 / piece.length));
      const framed = Buffer.from(`{"${piece.repeat(100_000 / piece.length)}`);
      const took = processorTimeOf(() => {
        for (const type of [null, FORM, "text/event-stream", "multipart/form-data; boundary=a"])
          redactedBody(bytes, type);
        redactedBody(framed, null);
        redactedUrl(bytes.toString("latin1"));
      });
      assert.ok(took < 10_000, `${JSON.stringify(piece)}: ${took} ms`);
    }
  });
});

function shownOf(text: string, type: string | null = null): string {
  const shown = redactedBody(Buffer.from(text), type);
  return "leftOut" in shown ? shown.leftOut : Buffer.from(shown).toString();
}
