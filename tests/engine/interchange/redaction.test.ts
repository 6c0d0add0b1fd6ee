import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isSecretName } from "../../../src/engine/interchange/redaction/secret-name.ts";
import {
  Reading,
  redactedFields,
  redactedForm,
  redactedText,
  redactedUrl,
} from "../../../src/engine/interchange/redaction.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

describe("redaction", (test) => {
  test("given a secret name in any spelling, knows it as secret", () => {
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
      "Set-Cookie2",
      "tokens",
      "accessTokens",
      "apikeys",
      "user[password]",
      "passwords[]",
      "id_token_hint",
      "client_assertion",
      "SAMLResponse",
      "code_verifier",
      "password1",
      "newPassword2",
      "pass2",
      "pwd1",
      "token12",
      "oauth_verifier",
      "setCookie",
      "set_cookie",
      "access_code",
      "ticket",
    ])
      assert.ok(isSecretName(name), name);
  });

  test("given a secret in base64 with a plus in an unencoded JSON query, redacts it", () => {
    const inner = btoa("<e><value>hunter2>>3</value><name>token</name></e>");
    assert.match(inner, /\+/);
    for (const value of [`{"kept":"yes","inner":"${inner}"}`, `{"kept":"yes+and+no","inner":"${inner}"}`]) {
      const shown = decodeURIComponent(redactedUrl(`https://a.test/x?q=${value}&page=2`));
      assert.not.match(shown, inner);
      assert.match(shown, /kept.*yes.*page=2/);
    }
  });

  test("given a JSON member that names its sibling's value as secret, redacts that value", () => {
    for (const [title, value] of [
      ["name", "value"],
      ["key", "value"],
      ["Name", "Value"],
      ["header", "value"],
    ] as const) {
      const pairs = [
        { [title]: "password", [value]: "hunter2", on: true },
        { [value]: "Bearer hunter2", [title]: "Authorization" },
        { [title]: "page", [value]: "two" },
      ];
      const shown = JSON.parse(redactedText(JSON.stringify(pairs)));
      assert.equal(
        shown.map((pair: Record<string, unknown>) => pair[value]),
        ["REDACTED", "REDACTED", "two"],
      );
    }
    for (const plain of [
      '[{"name":"page","value":"two"}]',
      '["name","password","value","x"]',
      '{"name":"tokens","value":3}',
      '{"name":"token","value":true,"values":[]}',
      '{"label":"Password","text":"At least 8 characters"}',
      '{"type":"session","data":{"page":1}}',
    ])
      assert.is(redactedText(plain), plain);
  });

  test("given a value of any type beside its secret name in any order, redacts it", () => {
    for (const [shown, wanted] of [
      ['{"k":"password","v":"ab"}', '{"k":"password","v":"REDACTED"}'],
      ['{"v":["ab",{"c":"d"}],"k":"password","n":1}', '{"v":"REDACTED","k":"password","n":1}'],
      ['{"value":12345678,"field":"password"}', '{"value":"REDACTED","field":"password"}'],
      ['{"name":"api_key","stringValue":"ab"}', '{"name":"api_key","stringValue":"REDACTED"}'],
      ['{"name":"password","data":"ab"}', '{"name":"password","data":"REDACTED"}'],
      [
        '{"type":"password","value":"ab","temporary":false}',
        '{"type":"password","value":"REDACTED","temporary":false}',
      ],
      ['[["password","ab"],["page","two"]]', '[["password","REDACTED"],["page","two"]]'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given base64 of text with secrets, redacts it in any encoding, in a word or in lines", () => {
    const encoded = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(text, encoding).toString("base64");
    for (const secret of ["password=ab", "user=me&token=ab", "<a><password>ab</password></a>", "[a]\npassword = ab"]) {
      for (const base64 of [
        encoded(secret),
        encoded(secret, "utf16le"),
        encoded(`\ufeff${secret}`),
        encoded(`\ufeff${secret}`, "utf16le"),
      ]) {
        assert.is(redactedText(base64), "REDACTED", secret);
        assert.is(redactedText(`see (${base64}), it`), "see (REDACTED), it");
        assert.is(redactedText(JSON.stringify({ a: base64, n: 1 })), '{"a":"REDACTED","n":1}');
        assert.is(
          redactedUrl(`/a/${base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}/c`).includes(
            base64.slice(0, 6),
          ),
          false,
        );
      }
      assert.is(redactedText(encoded(secret).replace(/^.{8}/, "$&\r\n")), "REDACTED");
    }
    assert.is(redactedText('{"a":"H4sIAAAAAAAAA6tWKkgsLi7PL0pRslLKKM0rSS0yUqoFAPeBZ0QWAAAA"}'), '{"a":"REDACTED"}');
    for (const text of [encoded("page=two"), encoded("any other text"), "functional/programming", "Zm9v/YmFyYmFy"])
      assert.is(redactedText(`a ${text} b`), `a ${text} b`);
  });

  test("given a list of header fields, redacts the credentials in it", () => {
    for (const [shown, wanted] of [
      [["Host", "a", "Authorization", "Bearer ab", "X-Api-Key", "cd", "Accept", "x"], 2],
      [
        [
          ["authorization", "Bearer ab"],
          ["x-api-key", "cd"],
          ["cookie", "a=b"],
          ["host", "a"],
        ],
        3,
      ],
      [["password", "email"], 0],
      [["authorization", 7, "email"], 0],
      [[[], "cookie"], 0],
    ] as const) {
      const text = redactedText(JSON.stringify({ fields: shown }));
      assert.is(text.split("REDACTED").length - 1, wanted, text);
      assert.not(/Bearer ab|"cd"|a=b/.test(text), text);
    }
  });

  test("given a PIN by its name alone, takes it out, but neither pins nor the number of a pin", () => {
    for (const name of ["pin", "PIN", "cardPin", "user_pin", "user[pin]"]) assert.ok(isSecretName(name), name);
    for (const name of ["pinned", "spin", "pins", "pin_id", "pinterest", "opinion"])
      assert.not(isSecretName(name), name);
    assert.is(redactedUrl("https://a.test/?pin=4711&pinned=1&spin=2"), "https://a.test/?pin=REDACTED&pinned=1&spin=2");
    assert.is(redactedForm("card=1&pin=4711"), "card=1&pin=REDACTED");
    for (const [shown, wanted] of [
      ['{"pin":"4711","cardPin":4711}', '{"pin":"REDACTED","cardPin":"REDACTED"}'],
      ['{"name":"pin","value":"4711"}', '{"name":"pin","value":"REDACTED"}'],
      ['{"pin":13,"a":{"pin":{"id":"4"}},"pins":["4"]}', '{"pin":13,"a":{"pin":{"id":"4"}},"pins":["4"]}'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given a pair of strings that is all of the text, the second is a value of the first", () => {
    for (const [shown, wanted] of [
      ['["password","ab"]', '["password","REDACTED"]'],
      [' [ "access_token" , "ab" ] ', '["access_token","REDACTED"] '],
      ['{"a":"[\\"password\\",\\"ab\\"]"}', '{"a":"[\\"password\\",\\"REDACTED\\"]"}'],
      ['["password","ab","cd"]', '["password","ab","cd"]'],
      ['["page","password"]', '["page","password"]'],
      ['["password",7]', '["password","REDACTED"]'],
      ['{"required":["password","email"]}', '{"required":["password","email"]}'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given a header for credentials that is an ordinary word elsewhere, takes out its value", () => {
    assert.is(redactedHeader("Authentication", "ab"), "REDACTED");
    assert.is(redactedHeader("X-Authentication", "Bearer ab"), "Bearer REDACTED");
    assert.is(redactedHeader("DPoP", "ab"), "REDACTED");
    assert.equal(redactedFields([{ name: "DPoP", value: "a\r b" }]), [{ name: "DPoP", value: "REDACTED" }]);
    assert.is(redactedHeader("X-Page", "ab"), "ab");
    assert.is(redactedText('{"authentication":"basic"}'), '{"authentication":"basic"}');
  });

  test("given private keys in PEM, redacts them, cut or in JSON too, but keeps certificates", () => {
    const begin = "-----BEGIN RSA PRIVATE KEY-----";
    const end = "-----END RSA PRIVATE KEY-----";
    const key = `${begin}\nProc-Type: 4,ENCRYPTED\n\nMIIEow+/x==\nabc=\n`;
    assert.is(redactedText(`a\n${key}${end}\nb`), `a\n${begin}REDACTED${end}\nb`);
    assert.is(redactedText(key), `${begin}REDACTED`);
    assert.is(JSON.parse(redactedText(JSON.stringify({ pem: key + end }))).pem, `${begin}REDACTED${end}`);
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIEow+/x==\n-----END CERTIFICATE-----";
    assert.is(redactedText(certificate), certificate);
  });

  test("given JSON with secrets in a data URL, redacts it", () => {
    const url = (value: object): string => `data:application/json;base64,${btoa(JSON.stringify(value))}`;
    assert.is(redactedText(`see ${url({ password: "ab" })} x`), "see data:application/json;base64,REDACTED x");
    assert.is(redactedText("see data:image/png;base64,iVBORw0KGgo= x"), "see data:image/png;base64,iVBORw0KGgo= x");
  });

  test("given an ordinary name, does not take it for a secret", () => {
    for (const name of [
      "Accept",
      "Content-Type",
      "keyboard",
      "monkey",
      "Sec-WebSocket-Key",
      "auth0",
      "page2",
      "md5",
      "sha1",
      "author",
      "page",
      "signal",
      "Keep-Alive",
      "tokens_used",
      "authority",
      "cache_key",
      "X-Cache-Key",
      "Surrogate-Key",
      "publicKey",
      "primary-key",
      "session_length",
      "password_length",
      "country_code",
      "address",
      "sidebar",
      "design",
    ])
      assert.not(isSecretName(name), name);
  });

  test("given a URL, redacts secret values and user-info and nothing else", () => {
    assert.is(
      redactedUrl("https://u:p@a.test/x?q=%20+a&access%5Ftoken=abc&&flag&key=&TOKEN=x=y"),
      "https://REDACTED@a.test/x?q=%20+a&access%5Ftoken=REDACTED&&flag&key=&TOKEN=REDACTED",
    );
    assert.is(redactedUrl("https://a.test/@x"), "https://a.test/@x");
    assert.is(redactedForm("%E0%A4%A=1&token=2"), "%E0%A4%A=1&token=REDACTED");
  });

  test("given a header with a credential or a URL, keeps the scheme or the URL's shape", () => {
    assert.is(redactedHeader("Authorization", "Bearer abc"), "Bearer REDACTED");
    assert.is(redactedHeader("Cookie", "a=b"), "REDACTED");
    assert.is(redactedHeader("Location", "/next?token=abc&x=1"), "/next?token=REDACTED&x=1");
    assert.is(redactedHeader("Referer", "https://a.test/?key=1"), "https://a.test/?key=REDACTED");
    assert.is(redactedHeader("Accept", "text/html"), "text/html");
  });

  test("given forms and JSON, redacts strings of secret names, and leaves other text as it is", () => {
    assert.is(redactedText("user=a&password=b"), "user=a&password=REDACTED");
    assert.is(
      redactedText('{"user":"a","access_token":"x\\"y","n":[{"apiKey":"z"}],"key":1}'),
      '{"user":"a","access_token":"REDACTED","n":[{"apiKey":"REDACTED"}],"key":1}',
    );
    assert.is(redactedText('{"a":"\\"token\\":\\"x\\""}'), '{"a":"REDACTED"}');
    assert.is(redactedText('{"token":"cut off he'), "REDACTED");
    for (const text of ["", '"', '"a', '"token"', '"token":']) assert.is(redactedText(text), text);
  });

  test("given a form that is not fully escaped, redacts the values of secret names", () => {
    assert.is(redactedText('user=a&password=b&data={"x":1}'), 'user=a&password=REDACTED&data={"x":1}');
    assert.is(redactedText("user=a b&password=c\n"), "user=a b&password=REDACTED");
  });

  test("given a token in a URL's fragment, redacts it", () => {
    assert.is(redactedUrl("/cb?x=1#access_token=abc&y=2"), "/cb?x=1#access_token=REDACTED&y=2");
    assert.is(redactedUrl("/app#/token?page=1&key=abc"), "/app#/token?page=1&key=REDACTED");
    assert.is(
      redactedHeader("Location", "https://a.test/cb#access_token=abc&token_type=bearer"),
      "https://a.test/cb#access_token=REDACTED&token_type=REDACTED",
    );
  });

  test("given a header with relative or embedded URLs, redacts their secrets", () => {
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

  test("given a secret in any of the places of a URL, leaves all else of it as it was", () => {
    const urls = [
      "https://a.test/x;jsessionid=SECRET?y=1",
      "/a;b=1;token=SECRET/c;d=2?e=3",
      "https://SECRET@a.test/x@y?z=1",
      "//SECRET@a.test/",
      "https:\\\\SECRET@a.test/",
      "/a?$top=1&flag&token=SECRET&z",
      "/app#/route;token=SECRET?a=1&key=SECRET#token=SECRET",
      "/cb?code=SECRET&state=SECRET&scope=a+b",
      "/cb?error=denied&state=open",
      "/places?state=CA&country_code=US",
      "/tok?%74oken=SECRET&%zz=1",
      "/a//b?&&=&=1&x==",
    ];
    for (const url of urls)
      assert.is(
        redactedUrl(url.replaceAll("SECRET", "u:s3cr/et".replace("/", "_"))),
        url.replaceAll("SECRET", "REDACTED"),
      );
  });

  test("given a URL within a URL, however often escaped, its secrets are found", () => {
    let url = "https://a.test/x;sid=canary?token=canary&q=kept";
    for (let depth = 0; depth < 4; depth += 1) {
      url = `https://u:canary@b.test/r?n=kept&next=${encodeURIComponent(url)}&page=2`;
      const redacted = redactedUrl(url);
      assert.not.match(redacted, "canary");
      assert.is(redacted.split("kept").length, url.split("kept").length);
      assert.match(redacted, "&page=2");
    }
    assert.is(redactedUrl("/a?x=1?token=canary"), "/a?x=1?token=REDACTED");
    assert.is(redactedUrl("/a?b=1;token=canary"), "/a?b=1;token=REDACTED");
    assert.is(redactedUrl("/r?next=/a?token=canary&x=1"), "/r?next=/a?token=REDACTED&x=1");
  });

  test("given JSON, takes out strings, numbers, lists and objects of secret names, however these are written", () => {
    const secrets = [
      ['{"to\\u006ben":"x","a":"\\u00e9"}', '{"token":"REDACTED","a":"\u00e9"}'],
      ['{"token":"x","id":12345678901234567890,"n":1.50}', '{"token":"REDACTED","id":12345678901234567890,"n":1.50}'],
      ['{"tokens":["x",{"y":"z"}],"n":[1,2]}', '{"tokens":"REDACTED","n":[1,2]}'],
      ['{"secret":{"a":{"b":"x"}},"n":{"c":1}}', '{"secret":"REDACTED","n":{"c":1}}'],
      ['{"pin":1,"password":12345678,"otp":-1.5e9}', '{"pin":1,"password":"REDACTED","otp":"REDACTED"}'],
      ['{"a":"{\\"token\\":\\"x\\",\\"b\\":1}"}', '{"a":"{\\"token\\":\\"REDACTED\\",\\"b\\":1}"}'],
      ['{"a":"b=1&token=x"}', '{"a":"b=1&token=REDACTED"}'],
      [
        '{"grant_type":"authorization_code","code":"x","client_id":"y"}',
        '{"grant_type":"authorization_code","code":"REDACTED","client_id":"y"}',
      ],
      ['{"code":"x","state":"y","ok":true}', '{"code":"REDACTED","state":"REDACTED","ok":true}'],
    ];
    for (const [text = "", redacted] of secrets) assert.is(redactedText(text), redacted);
  });

  test("given JSON without secrets, keeps it unchanged", () => {
    for (const text of [
      '{"usage":{"prompt_tokens":812,"max_tokens":4096},"token":null,"password":true,"secret":""}',
      '{"error":{"code":"E_BAD","message":"no"},"code":404}',
      '{"code":404,"state":"open"}',
      '{"country":{"code":"US"},"state":"CA"}',
      '{"a":[1,"b",{"c":null}],"d":"x=y","e":"50% off: a&b"}',
    ])
      assert.is(redactedText(text), text);
  });

  test("given a JSON Web Token anywhere, redacts it", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const token = `${part({ alg: "HS256" })}.${part({ sub: "canary" })}.c2lnbmF0dXJl`;
    const texts = [
      `see ${token} there`,
      `/verify/${token}/x?y=1`,
      `a=1&b=${token}&c=2`,
      JSON.stringify({ a: token, b: 1 }),
      `x-${token}`,
    ];
    for (const text of texts) assert.is(redactedText(text), text.replace(token, "REDACTED"));
    assert.is(redactedUrl(`/a?next=%2F${token}`), "/a?next=%2FREDACTED");
    assert.is(redactedHeader("X-Thing", `v=${token}`), "v=REDACTED");
    for (const text of ["heyJude.v1.min.js", "eyJ.a.b", "keys.a.b", "v1.2.3"]) assert.is(redactedText(text), text);
  });

  test("given headers that carry credentials by other names, redacts the credentials", () => {
    const headers: readonly (readonly [string, string, string])[] = [
      ["Set-Cookie2", "a=b", "REDACTED"],
      ["WWW-Authenticate", "Negotiate YIIabc+/==", "Negotiate REDACTED"],
      ["WWW-Authenticate", "Negotiate", "Negotiate"],
      ["WWW-Authenticate", 'Basic realm="a"', 'Basic realm="a"'],
      ["Authorization", "Negotiate YIIabc", "Negotiate REDACTED"],
      ["Sec-WebSocket-Protocol", "graphql-ws, base64url.bearer.abc", "graphql-ws, REDACTED"],
      ["Sec-WebSocket-Protocol", "v12.stomp,mqtt", "v12.stomp,mqtt"],
      ["Refresh", "5; url=/x;jsessionid=abc?y=1", "5; url=/x;jsessionid=REDACTED?y=1"],
      ["Refresh", "0;URL='https://u:p@a.test/?token=abc'", "0;URL='https://REDACTED@a.test/?token=REDACTED"],
      ["X-Signed", 'alg="a", signature="abc", n=1', "alg=REDACTED"],
      ["Forwarded", "for=192.0.2.1;proto=http", "for=192.0.2.1;proto=http"],
      ["X-Original-URL", "/a;token=abc?b=1", "/a;token=REDACTED?b=1"],
    ];
    for (const [name, value, redacted] of headers)
      assert.is(redactedHeader(name, value), redacted, `${name}: ${value}`);
  });

  test("given a head with a bare CR or a folded line, leaves out what it cannot tell apart", () => {
    const shown = redactedFields(
      fieldsOf("GET / HTTP/1.1\r\nX: a\rAuthorization: Bearer canary\r\nCookie: a=b\r\n canary: x\r\nY: z\r\n\r\n"),
    );
    assert.equal(shown, [
      { name: "X", value: "REDACTED" },
      { name: "Cookie", value: "REDACTED" },
      { name: "REDACTED", value: "REDACTED" },
      { name: "Y", value: "z" },
    ]);
    assert.not.match(JSON.stringify(redactedFields([{ name: "X\rCookie", value: "canary" }])), "canary");
  });

  test("given forms and tokens in unusual spellings, takes out their secrets and keeps what stands beside them", () => {
    const header = btoa('{"alg":"dir"}').replaceAll("=", "");
    for (const [text, expected] of [
      ["$code_verifier=S3cret&kept=1", "$code_verifier=REDACTED&kept=1"],
      ["grant_type=x&CODE=S3cret&State=S3cret", "grant_type=x&CODE=REDACTED&State=REDACTED"],
      ["%2574oken=S3cret&kept=1", "%2574oken=REDACTED&kept=1"],
      ['{"clientId":"a","code":"S3cret"}', '{"clientId":"a","code":"REDACTED"}'],
      [`{"a":"${header}..b.c.S3cret"}`, '{"a":"REDACTED"}'],
      [`b=t${header}.e30.S3cret`, "b=tREDACTED"],
      ["DB_PASS=S3cret&kept=1", "DB_PASS=REDACTED&kept=1"],
    ] as const) {
      assert.is(redactedText(text), expected);
    }
    assert.not(redactedForm('{"kept":1,"token":"S3cret"}=').includes("S3cret"));
    assert.ok(redactedForm('{"kept":1,"token":"S3cret"}=').includes("kept"));
    assert.is(redactedText("monkeyJourney.example.org=1"), "monkeyJourney.example.org=1");
  });

  test("given text that is nested too deeply to be parsed, it is redacted whole if it names a secret", () => {
    let json = JSON.stringify({ token: "S3cret" });
    for (let depth = 0; depth < 12; depth += 1) json = JSON.stringify({ inner: json });
    assert.not(redactedText(json).includes("S3cret"));
    let form = "token=S3cret";
    for (let depth = 0; depth < 12; depth += 1) form = `inner=${encodeURIComponent(form)}`;
    assert.not(redactedText(form).includes("S3cret"));
  });

  test("given credentials in a field of any name, or before a host, takes them out", () => {
    assert.is(redactedHeader("X-Upstream", "Bearer S3cretS3cret"), "Bearer REDACTED");
    assert.is(redactedHeader("X-Plan", "basic plan"), "basic plan");
    assert.is(redactedHeader("Host", "user:S3cret@a.test"), "REDACTED@a.test");
    assert.is(redactedHeader("Host", "a.test"), "a.test");
    assert.is(redactedHeader("X-Original-Cookie", "a=S3cret"), "REDACTED");
    assert.is(redactedHeader("userSession", "S3cret"), "REDACTED");
  });

  test("given names of cards, papers and further factors, knows that their values are secrets", () => {
    for (const name of [
      ...["cardNumber", "card_number", "CreditCardNumber", "cvv", "cvv2", "CVC", "cardCvc", "ssn", "SSN", "userSsn"],
      ...["mfaCode", "mfa_code", "totp", "otpCode", "verification_code", "securityCode", "iban", "smsCode", "pan"],
      ...["social_security_number", "passportNumber", "recoveryCode", "backup_codes", "accountNumber", "pinCode"],
    ])
      assert.ok(isSecretName(name), name);
    for (const name of ["card", "cards", "code", "numbers", "panel", "discard", "company", "issn_list", "account"])
      assert.not(isSecretName(name), name);
  });

  test("given text that is not understood, leaves it out as a whole", () => {
    for (const text of [
      '{"token":"cut',
      "{'token': 'canary', 'user': 'me'}",
      "<a:Password type='x'>canary</a:Password><user>me</user>",
      "see <b data-token=canary>that</b>",
      "<a><c>cut canary",
      'const token = "canary"; const user = 1',
      'localStorage.setItem("token","canary")',
      "run --password canary --page two",
      "user: me\npassword: |\n  canary\n",
      "- name: DB_PASSWORD\n  value: canary\n",
      "- value: canary\n  name: DB_PASSWORD\n",
      "DB_PASS=canary ab\nA=1",
      "GET / HTTP/1.1\r\nAuthorization: Basic canary\r\nHost: a\r\n",
      '--b\r\nContent-Disposition: form-data; name="password"\r\n\r\ncanary\r\n--b--\r\n',
      'mutation { login(password: "canary") { id } }',
      '{ login(password: """can\nary""") { id } }',
      "{ login(pin: 4711) { id } }",
      "a said password = canary, and b",
    ]) {
      assert.is(redactedText(text), "REDACTED", text);
      assert.is(redactedText(JSON.stringify({ kept: 1, text })), '{"kept":1,"text":"REDACTED"}');
    }
  });

  test("given prose, a document without literals, or a template, leaves it as it is", () => {
    for (const text of [
      "The session: three requests took 40 ms",
      "a < b && c > d, 100% of tokens",
      "query Orders($id: ID!) { orders(id: $id, first: 10) { id } }",
      "GET https://api.test/items/{id} took 3 ms",
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
      '"Chromium";v="140", "Not=A?Brand";v="24"',
      "max-age=31536000; includeSubDomains; preload",
      "[INFO] started",
      "2026-03-01T10:00:00.000Z",
      'W/"5f3b-18c2a"',
    ])
      assert.is(redactedText(text), text);
  });

  test("given keys of well-known forms and user-info anywhere in text, takes them out", () => {
    const letters = "Ab3dEfGh1jKlMn0pQrStUvWxYz2456789aBcDeFgHiJkLmNoPqRsT";
    for (const key of [
      "AKIAIOSFODNN7EXAMPLE",
      `ghp_${letters.slice(0, 36)}`,
      `github_pat_${letters.slice(0, 40)}`,
      `glpat-${letters.slice(0, 20)}`,
      `xoxb-1234567890-${letters.slice(0, 24)}`,
      `sk_live_${letters.slice(0, 24)}`,
      `sk-proj-${letters}`,
      `AIza${letters.slice(0, 35)}`,
      `npm_${letters.slice(0, 36)}`,
      `SG.${letters.slice(0, 22)}.${letters.slice(0, 43)}`,
      `bot123456789:AA${letters.slice(0, 33)}`,
      `T01234567/B01234567/${letters.slice(0, 24)}`,
    ])
      for (const [before, after] of [
        ["/a/", "/b?c=1"],
        ["see ", ", it"],
        ["?next=", "&page=2"],
      ] as const)
        assert.is(redactedText(before + key + after), `${before}REDACTED${after}`);
    assert.is(redactedText("/proxy/https://u:p@a.test/x"), "/proxy/https://REDACTED@a.test/x");
    assert.is(redactedText("/proxy/https:/u:p@a.test/x"), "/proxy/https:/REDACTED@a.test/x");
    assert.is(
      redactedText("/a?to=https%3A%2F%2Fu%3Ap%40a.test%2Fx"),
      `/a?to=${encodeURIComponent("https://REDACTED@a.test/x")}`,
    );
    for (const text of ["/task-management-system-for-teams", "/@scope/sk-spinner-circle-fading", "mail me@a.test"])
      assert.is(redactedText(text), text);
  });

  test("given a secret in up to twelve layers of any escaping, takes it out", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LAYERS), { maxLength: 12 }), (layers) => {
        const text = layers.reduce((within, wrap) => wrap(within), "token=canary8817");
        assert.not.match(unwrapped(redactedText(text)), "canary8817");
      }),
      { numRuns: rounds(1_000) },
    );
  });

  test("given other text in three layers of forms, URLs and JSON, leaves it as it is", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...LAYERS.slice(0, 4)), { maxLength: 3 }), (layers) => {
        const text = layers.reduce((within, wrap) => wrap(within), "page=canary8817");
        assert.is(redactedText(text), text);
      }),
    );
  });

  test("given a value in more than four layers, leaves it out", () => {
    let text = "page=canary";
    for (let depth = 1; depth <= 12; depth += 1) {
      text = `a=1&next=${encodeURIComponent(text)}`;
      assert.is(unwrapped(redactedText(text)).includes("canary"), depth <= 4, text);
    }
  });

  test("given any nesting, reads each character a bounded number of times, twice as many for twice the text", () => {
    const atoms = fc.constantFrom(
      "a=",
      "+",
      "&",
      "?",
      ";",
      "/",
      "%3D",
      "%26",
      "&amp;",
      "&quot;",
      "&#38;",
      "=",
      "{",
      '"',
      "token",
      " ",
      "b",
    );
    const drawn = fc.tuple(fc.array(atoms, { maxLength: 40 }), fc.array(fc.constantFrom(...LAYERS), { maxLength: 12 }));
    fc.assert(
      fc.property(drawn, fc.constantFrom("", "&", " ", "\n", "%26", "&amp;"), ([parts, layers], glue) => {
        const text = layers.reduce((within, wrap) => wrap(within), parts.join("")).slice(0, 20_000);
        const once = readFor(text);
        assert.ok(once <= 40 * text.length + 100, `${once} for ${text.length}: ${text.slice(0, 200)}`);
        assert.ok(readFor(text + glue + text) <= 2 * once + 40 * text.length + 200);
      }),
      { numRuns: rounds(1_000) },
    );
  });
});

/** Escapes a text once more: in percents, pluses, base64, entities, JSON and a form. */
const LAYERS: readonly ((inner: string) => string)[] = [
  (inner) => `a=1&next=${encodeURIComponent(inner)}`,
  (inner) => JSON.stringify({ inner }),
  (inner) => JSON.stringify([1, inner]),
  (inner) => `/x?next=${encodeURIComponent(inner)}#top`,
  (inner) => `next=${encodeURIComponent(inner).replaceAll("%20", "+")}+b`,
  (inner) => Buffer.from(inner).toString("base64"),
  (inner) => Buffer.from(inner).toString("base64url"),
  (inner) => inner.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("=", "&#61;"),
];

/** The text with all its escapes undone as often as there are any. */
function unwrapped(text: string): string {
  let all = text;
  let latest = text;
  for (let depth = 0; depth < 13 && all.length < 1_000_000; depth += 1) {
    latest = latest
      .replaceAll(/%[\da-f]{2}/gi, (part) => String.fromCharCode(Number.parseInt(part.slice(1), 16)))
      .replaceAll(/[\w+/-]{12,}={0,2}/g, (run) => `${run} ${Buffer.from(run, "base64").toString("latin1")}`)
      .replaceAll("\\", "")
      .replaceAll("&#61;", "=")
      .replaceAll("&quot;", '"')
      .replaceAll("&amp;", "&");
    all += latest;
  }
  return all;
}

/** How many characters redaction reads for a text. */
function readFor(text: string): number {
  const reading = new Reading(text.length);
  redactedText(text, reading);
  return reading.read;
}

function redactedHeader(name: string, value: string): string {
  return redactedFields([{ name, value }])[0]?.value ?? "";
}
