import { brotliCompressSync, gzipSync } from "node:zlib";
import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { redactedBody } from "../../../src/engine/interchange/redacted-body.ts";
import { describe } from "../../support/describe.ts";
import { leaksIn, nestedSecret } from "../../support/nested-secret.ts";
import { processorTimeOf } from "../../support/processor-time.ts";
import { IS_QUICK, rounds, someOf } from "../../support/rounds.ts";

const FORM = "application/x-www-form-urlencoded";
const EVENTS = "text/event-stream";
/** The length of hostile text, and how many ms it may take: linear work takes a hundredth, quadratic more. */
const [LONGEST, LIMIT] = IS_QUICK ? [50_000, 1_000] : [250_000, 10_000];
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16);

describe("body redaction", (test) => {
  test("given a form, redacts the values of secret names, after a dollar sign or a flag too", () => {
    assert.is(shownOf("$top=1&token=x&y=2"), "$top=1&token=REDACTED&y=2");
    assert.is(shownOf("flag&token=x&y=2", FORM), "flag&token=REDACTED&y=2");
    assert.is(shownOf("a b\r\nc&token=x y&z=1", FORM), "a b\r\nc&token=REDACTED&z=1");
    assert.is(shownOf('data={"a":"x&y","token":"z","b":1}', FORM), "data=REDACTED&REDACTED");
    assert.is(shownOf("cardNumber=4111&cvv=123&ssn=1&mfaCode=2", FORM).split("REDACTED").length, 5);
  });

  test("given JSON of any content type, with a guard, in lines or in Socket.IO messages, redacts its secrets", () => {
    assert.is(shownOf('{"token":"x","a":1}', FORM), '{"token":"REDACTED","a":1}');
    assert.is(shownOf('{"token":"x"}', "text/html"), '{"token":"REDACTED"}');
    assert.is(shownOf(')]}\',\n{"token":"x"}'), ')]}\',\n{"token":"REDACTED"}');
    assert.is(shownOf('{"token":"x"}\n[1]\n\n{"a":"b"}\n'), '{"token":"REDACTED"}\n[1]\n\n{"a":"b"}\n');
    assert.is(shownOf('42["login",{"token":"x"}]'), '42["login",{"token":"REDACTED"}]');
    assert.is(shownOf('{"a":"https://u:hunter2@a.test/?key=x"}'), '{"a":"https://REDACTED@a.test/?key=REDACTED"}');
    const untouched = Buffer.from('{ "page" : 1.0, "id": 12345678901234567890 }');
    assert.is(redactedBody(untouched, null), untouched);
  });

  test("given a body that cannot be parsed, leaves it out with a reason", () => {
    for (const [body, type] of [
      ["<!doctype html><p>hi", "text/html"],
      ["<a><b>c</b></a>", "application/xml"],
      ["a: 1\npassword: |\n  b\n", "application/yaml"],
      ["const a = 1;", "text/javascript"],
      ["a,b\n1,2\n", "text/csv"],
      ["some words", "text/plain"],
      ["483920", "text/plain"],
      ['"a-bare-token"', "application/json"],
      ["YS1iYXJlLXRva2Vu", null],
      ["c2VjcmV0==", null],
      ["%PDF-1.7", "application/pdf"],
      ['<svg xmlns="x"><path d="M1 2"/></svg>', "image/svg+xml"],
      ['{"a":"cut', "application/json"],
      ['{"a":1}\n{"b":', "application/x-ndjson"],
      ["{'token': 'x'}", "application/json"],
      [`${"[".repeat(100_000)}${"]".repeat(100_000)}`, "application/json"],
      ["<b>token=x</b>", FORM],
      ["no pair", FORM],
      ["no boundary", "multipart/form-data; boundary=b0"],
      ["no boundary", "multipart/form-data"],
      [gzipSync('{"a":1}'), "application/json"],
      [brotliCompressSync('{"a":"\u00e9\u0001"}'), "application/octet-stream"],
      [Uint8Array.of(0x0a, 0x03, 0x61, 0xff, 0x80), "application/x-protobuf"],
      [Buffer.from('{"token":"x"}', "utf16le").subarray(0, -1), "application/json; charset=utf-16le"],
      [JPEG, "application/octet-stream"],
      [JPEG, null],
    ] as const) {
      const shown = redactedBody(Buffer.from(body), type);
      assert.ok("leftOut" in shown && /^[A-Z].*\.$/.test(shown.leftOut), `${type}: ${body}`);
    }
  });

  test("given images, fonts, audio, video or one-word answers, keeps them, but not text in their place", () => {
    for (const type of ["image/jpeg", "font/woff2", "audio/mpeg", "video/mp4; codecs=x"])
      assert.is(redactedBody(JPEG, type), JPEG);
    assert.ok("leftOut" in redactedBody(Buffer.from("token: x"), "image/png"));
    for (const word of ["OK", "pong", "2", "true", "[DONE]"]) assert.is(shownOf(word, "text/plain"), word);
  });

  test("given calls to language models, leaves them out by path or by shape", () => {
    for (const target of [
      "/v1/chat/completions",
      "/openai/deployments/a/chat/completions?api-version=1",
      "/v1/responses",
      "/v1/messages",
      "/v1beta/models/gemini:streamGenerateContent?alt=sse",
      "/v1/publishers/anthropic/models/a:streamRawPredict",
      "/api/chat",
      "/api/generate",
    ])
      assert.ok("leftOut" in redactedBody(Buffer.from('{"a":1}'), "application/json", target), target);
    for (const shape of [
      { model: "a", messages: [{ role: "user", content: "hunter2" }] },
      { id: "x", choices: [{ index: 0, delta: { content: "hunter2" } }] },
      { type: "message", role: "assistant", model: "a", content: [{ type: "text", text: "hunter2" }] },
      { contents: [{ parts: [{ text: "hunter2" }] }], generationConfig: {} },
      { candidates: [{ content: { parts: [{ text: "hunter2" }] } }], usageMetadata: {} },
      { model: "a", prompt: "hunter2" },
      { model: "a", created_at: "x", response: "hunter2", done: false },
    ]) {
      const json = JSON.stringify(shape);
      assert.ok("leftOut" in redactedBody(Buffer.from(json), null), json);
      assert.ok("leftOut" in redactedBody(Buffer.from(`data: ${json}\n\n`), EVENTS), json);
      assert.ok("leftOut" in redactedBody(Buffer.from(`${json}\n${json}\n`), null), json);
    }
    for (const plain of [{ model: "T", year: 1 }, { messages: ["a"] }, { choices: ["a", "b"] }, { contents: [1] }])
      assert.not("leftOut" in redactedBody(Buffer.from(JSON.stringify(plain)), null, "/orders/messages"));
  });

  test("given a multipart body, redacts parts with secret names and the content of unknown parts", () => {
    const body = (value: string, file: string) =>
      [
        `--b0\r\nContent-Disposition: form-data; name=password\r\n\r\n${value}`,
        `Content-Type: text/plain\r\ncontent-disposition: form-data;\r\n name='api_key'\r\n\r\n${value}`,
        `Content-Disposition: form-data; filename="name=x"; name*=UTF-8''t%6Fken\r\n\r\n${value}`,
        'Content-Disposition: form-data; name="user"\r\n\r\nme \u00e9',
        `Content-Disposition: form-data; name="next"\r\n\r\n/a?sig=${value}&n=1`,
        `Content-Disposition: form-data; name="j"\r\nContent-Type: application/json\r\n\r\n{"token":"${value}","n":"kept"}`,
        `Content-Disposition: form-data; name="f"; filename="a.html"\r\nContent-Type: text/html\r\n\r\n${file}`,
        `Content-Disposition: form-data; name="g"; filename="a.txt"\r\n\r\n${file}`,
      ]
        .join("\r\n--b0\r\n")
        .concat("\r\n--b0--\r\n");
    for (const type of ['multipart/form-data; boundary="b0"', "multipart/mixed; boundary=b0"]) {
      assert.is(shownOf(body("hunter2", "<p>hunter2"), type), body("REDACTED", "REDACTED"));
      const lines = body("hunter2", "<p>hunter2").replaceAll("\r\n", "\n");
      assert.is(shownOf(lines, type), body("REDACTED", "REDACTED").replaceAll("\r\n", "\n"));
      const cut = body("hunter2", "<p>hunter2");
      for (const length of someOf([...cut].map((_, at) => at).slice(10)))
        assert.not.match(shownOf(cut.slice(0, length), type), "hunter2");
    }
    const image = Buffer.concat([
      Buffer.from('--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\nContent-Type: image/jpeg\r\n\r\n'),
      JPEG,
      Buffer.from("\r\n--b--\r\n"),
    ]);
    assert.equal(redactedBody(image, "multipart/form-data; boundary=b"), new Uint8Array(image));
  });

  test("given an event stream, redacts each event by itself, over several lines too", () => {
    const text =
      'event: a\ndata: {"token":\ndata: "x","n":1}\n\nid: 1\r\ndata: token=y&b=2\r\n\r\n: ping\n\ndata: <p>x\n\ndata: [DONE]';
    assert.is(
      shownOf(text, EVENTS),
      'event: a\ndata: {"token":"REDACTED","n":1}\n\nid: 1\r\ndata: token=REDACTED&b=2\r\n\r\n: ping\n\ndata: REDACTED\n\ndata: [DONE]',
    );
  });

  test("given a secret nested in any encodings, no part of it is left", () => {
    fc.assert(
      fc.property(nestedSecret, fc.constantFrom(null, FORM, EVENTS, "text/plain", "image/png"), ({ text }, type) => {
        assert.equal(leaksIn(shownOf(text, type)), []);
      }),
      { numRuns: rounds(500) },
    );
  });

  test("given any text or bytes, redacts without throwing", () => {
    const signs = [...'{}[]":,\\=&?;/#%@-. \r\n', "token", "ey", "25", "a", "--b"];
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...signs) }),
        fc.constantFrom(null, FORM, EVENTS, "multipart/form-data; boundary=b"),
        (text, type) => {
          assert.type(shownOf(text, type), "string");
        },
      ),
      { numRuns: rounds(2_000) },
    );
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void redactedBody(bytes, null)));
  });

  test("given long hostile text, redacts it in far less than quadratic time", () => {
    const pieces = [
      ...['"', '\\"', '"a":', '{"a":', '{"token":', "[", "a=", "a&", "&a=", "?a=", ";a=", "/", "//@", "%3D", "%253D"],
      ...["=", "#", "a=%26", "\n\n", "-eyJabcdefg", "eyJabcdefg.", "-", "eyJ".repeat(20), "<", "token ", "token:"],
      ...["--a\r\n", "data: {\n", "\n\ndata:", "token\\", "A.", "x:  ", " ", "&quot;", "&#34;<", " --password "],
      ...["cGFzc3dvcmQ9", "cGFzc3dvcmQ9/", "+", "a+", "Bearer ", "-----BEGIN PRIVATE KEY-----", "data:,", "{ a"],
    ];
    for (const piece of someOf(pieces)) {
      const bytes = Buffer.from(piece.repeat(LONGEST / piece.length));
      const framed = Buffer.from(JSON.stringify({ a: piece.repeat(LONGEST / piece.length) }));
      const took = processorTimeOf(() => {
        for (const type of [null, FORM, EVENTS, "multipart/form-data; boundary=a"]) redactedBody(bytes, type);
        redactedBody(framed, null);
      });
      assert.ok(took < LIMIT, `${JSON.stringify(piece)}: ${took} ms`);
    }
  });
});

function shownOf(text: string, type: string | null = null): string {
  const shown = redactedBody(Buffer.from(text), type);
  return "leftOut" in shown ? shown.leftOut : Buffer.from(shown).toString();
}
