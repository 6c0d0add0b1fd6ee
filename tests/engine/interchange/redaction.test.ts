import * as assert from "uvu/assert";
import {
  isSecretName,
  redactedForm,
  redactedHeader,
  redactedText,
  redactedUrl,
} from "../../../src/engine/interchange/redaction.ts";
import { describe } from "../../support/describe.ts";
import { processorTimeOf } from "../../support/processor-time.ts";

describe("redaction", (test) => {
  test("secret names are known however they are written", () => {
    for (const name of [
      "Authorization",
      "COOKIE",
      "Set-Cookie",
      "Proxy-Authorization",
      "x-api-key",
      "X-ApiKey",
      "apiKey",
      "api_key",
      "access_token",
      "X-Auth-Token",
      "X-Amz-Security-Token",
      "X-Amz-Signature",
      "client_secret",
      "password",
      "PHPSESSID",
      "JSESSIONID",
      "connect.sid",
      "X-CSRF-Token",
      "X-Goog-Api-Key",
      "Ocp-Apim-Subscription-Key",
    ])
      assert.ok(isSecretName(name), name);
  });

  test("ordinary names stay", () => {
    for (const name of [
      "Accept",
      "Content-Type",
      "keyboard",
      "monkey",
      "Sec-WebSocket-Key",
      "author",
      "page",
      "signal",
      "Keep-Alive",
      "tokens_used",
    ])
      assert.not(isSecretName(name), name);
  });

  test("a URL loses secret values and user-info, and nothing else", () => {
    assert.is(
      redactedUrl("https://u:p@a.test/x?q=%20+a&access%5Ftoken=abc&&flag&key=&TOKEN=x=y"),
      "https://REDACTED@a.test/x?q=%20+a&access%5Ftoken=REDACTED&&flag&key=&TOKEN=REDACTED",
    );
    assert.is(redactedUrl("https://a.test/@x"), "https://a.test/@x");
    assert.is(redactedForm("%E0%A4%A=1&token=2"), "%E0%A4%A=1&token=REDACTED");
  });

  test("a credential keeps its scheme, a URL in a header its shape", () => {
    assert.is(redactedHeader("Authorization", "Bearer abc"), "Bearer REDACTED");
    assert.is(redactedHeader("Cookie", "a=b"), "REDACTED");
    assert.is(redactedHeader("Location", "/next?token=abc&x=1"), "/next?token=REDACTED&x=1");
    assert.is(redactedHeader("Referer", "https://a.test/?key=1"), "https://a.test/?key=REDACTED");
    assert.is(redactedHeader("Accept", "text/html"), "text/html");
  });

  test("forms and JSON lose the strings of secret names, other text nothing", () => {
    assert.is(redactedText("user=a&password=b"), "user=a&password=REDACTED");
    assert.is(
      redactedText('{"user":"a","access_token" : "x\\"y","n":[{"apiKey":"z"}],"key":1}'),
      '{"user":"a","access_token" : "REDACTED","n":[{"apiKey":"REDACTED"}],"key":1}',
    );
    assert.is(redactedText('{"token":"cut off he'), '{"token":"REDACTED');
    for (const text of ["", '"', '"a', "<p class=x>token: y</p>", '{"a":"\\"token\\":\\"x\\""}', '"token"', '"token":'])
      assert.is(redactedText(text), text);
  });

  test("a form loses the values of secret names also where not all of it is escaped", () => {
    assert.is(redactedText('user=a&password=b&data={"x":1}'), 'user=a&password=REDACTED&data={"x":1}');
    assert.is(redactedText("user=a b&password=c\n"), "user=a b&password=REDACTED");
  });

  test("a form in parts loses the values of secret names, whole or cut", () => {
    const form = (password: string, key: string, end = "--\r\n") =>
      [
        '--b0\r\nContent-Disposition: form-data; name="user"\r\n\r\nme\r\n',
        `--b0\r\ncontent-disposition: form-data; name="password"\r\n\r\n${password}\r\n`,
        `--b0\r\nContent-Type: text/plain\r\nContent-Disposition: form-data; name="api_key"; filename="k"\r\n\r\n${key}`,
        end === "" ? "" : `\r\n--b0${end}`,
      ].join("");
    assert.is(redactedText(form("hunter2\r\n\r\nmore", "k3y")), form("REDACTED", "REDACTED"));
    assert.is(redactedText(form("hunter2", "k3", "")), form("REDACTED", "REDACTED", ""));
    for (const text of ["--b0\r\n", '--b0\nname="password"\n\nx', "--b0\r\nname: password\r\n\r\nx\r\n--b0--"])
      assert.is(redactedText(text), text);
  });

  test("a token in a fragment, as an implicit grant gives it, is taken out, also behind a query of its own", () => {
    assert.is(redactedUrl("/cb?x=1#access_token=abc&y=2"), "/cb?x=1#access_token=REDACTED&y=2");
    assert.is(redactedUrl("/app#/token?page=1&key=abc"), "/app#/token?page=1&key=REDACTED");
    assert.is(
      redactedHeader("Location", "https://a.test/cb#access_token=abc&token_type=bearer"),
      "https://a.test/cb#access_token=REDACTED&token_type=REDACTED",
    );
  });

  test("a header that is a relative URL or holds URLs loses their secrets", () => {
    const headers: readonly (readonly [string, string])[] = [
      ["Location", "cb?token=abc&x=1"],
      ["Content-Location", "?token=abc"],
      ["Link", '<https://a.test/?page=2&token=abc>; rel="next", </b?token=abc>; rel="prev"'],
      ["Refresh", "0; url=https://a.test/?token=abc"],
    ];
    for (const [name, value] of headers) {
      assert.is(redactedHeader(name, value), value.replaceAll("abc", "REDACTED"), name);
    }
  });

  test("redaction is one pass, whatever the text", () => {
    const pieces = ['\\"', '"', '"a":', '"a":"', '"token":"', "\\"];
    const took = processorTimeOf(() => {
      for (const piece of pieces) redactedText(piece.repeat(1_000_000));
      redactedText(`--b\r\n${'--b\r\ncontent-disposition: form-data; name="'.repeat(200_000)}`);
    });
    assert.ok(took < 5_000, `${took} ms`);
  });
});
