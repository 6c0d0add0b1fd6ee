import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { isSecretName } from "../../../src/engine/interchange/redaction/secret-name.ts";
import {
  redactedFields,
  redactedForm,
  redactedHeader,
  redactedParts,
  redactedText,
  redactedUrl,
} from "../../../src/engine/interchange/redaction.ts";
import { fieldsOf } from "../../../src/engine/model/head.ts";
import { describe } from "../../support/describe.ts";

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

  test("a secret in base64 with a plus, in JSON in an unencoded query, is removed", () => {
    const inner = btoa("<e><value>hunter2>>3</value><name>token</name></e>");
    assert.match(inner, /\+/);
    for (const value of [`{"kept":"yes","inner":"${inner}"}`, `{"kept":"yes+and+no","inner":"${inner}"}`]) {
      const shown = decodeURIComponent(redactedUrl(`https://a.test/x?q=${value}&page=2`));
      assert.not.match(shown, inner);
      assert.match(shown, /kept.*yes.*page=2/);
    }
  });

  test("a value that a member beside it names is a secret by that name", () => {
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

  test("a value of any form, its name beside it in any order, is a secret by that name", () => {
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
      ['{"name":"token","value":{"a":"cut', '{"name":"token","value":"REDACTED"'],
      ['[["password","ab"],["page","two"]]', '[["password","REDACTED"],["page","two"]]'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("settings in lines lose secrets, with the lines that continue them, and keep their comments", () => {
    for (const [shown, wanted] of [
      ["[db]\npassword = ab cd\nuser = me\n", "[db]\npassword = REDACTED\nuser = me\n"],
      ["# password of the test\r\nDB_PASS=ab cd\r\nA=1", "# password of the test\r\nDB_PASS=REDACTED\r\nA=1"],
      ["#password = ab\nexport API_KEY='a b'\n", "#password = REDACTED\nexport API_KEY=REDACTED\n"],
      ["a.password = ab\\\n  cd\nb = 1", "a.password = REDACTED\n  REDACTED\nb = 1"],
      [
        "db:\n            - token: ab\n              page: two",
        "db:\n            - token: REDACTED\n              page: two",
      ],
      ["a:\n  password: |\n    ab\n\n    cd\n  b: 1", "a:\n  password: |\n    REDACTED\n\n    REDACTED\n  b: 1"],
      ["db: {password: ab cd, page: two}", "db: {password: REDACTED, page: two}"],
      [
        "- name: DB_PASSWORD\n  value: ab\n- name: page\n  value: two",
        "- name: DB_PASSWORD\n  value: REDACTED\n- name: page\n  value: two",
      ],
      ['password = """\nab\ncd"""\npage = 2', "password = REDACTED\nREDACTED\nREDACTED\npage = 2"],
      ['{"a":"Basic YTpiOmNkZWZn","b":"Basic authentication"}', '{"a":"Basic REDACTED","b":"Basic authentication"}'],
      ['["Bearer abcdef1234567890","Bearer of news"]', '["Bearer REDACTED","Bearer of news"]'],
      ['x = "{\\x22token\\x22:\\x22ab\\x22}";', 'x = "{\\"token\\":\\"REDACTED\\"}";'],
      ["a said password = ab, and b", "a said password = REDACTED, and b"],
      ["run --db-password ab --page two", "run --db-password REDACTED --page two"],
    ] as const)
      assert.is(redactedText(shown), wanted);
    for (const text of [
      "page = two\n[a]\nkeys: 3\n",
      "password: |\n\nb: 1",
      "Key: the door is open",
      "if (token == null) return;\nconst token = await tokenOf(a);\nif (a) token = b.next();",
      "run --password-stdin <file",
    ])
      assert.is(redactedText(text), text);
  });

  test("given options of a command with one dash or two, secrets after them are removed whole, and nothing else", () => {
    const letters = "abcdeXYZ0123456789_$./!";
    const word = fc.string({ unit: fc.constantFrom(...letters, "\\"), minLength: 1, maxLength: 12 });
    const quoted = fc.string({ unit: fc.constantFrom(...letters, " ", "-", "=", ":"), minLength: 1, maxLength: 20 });
    const secret = fc.constantFrom(
      ...["password", "passwd", "passphrase", "pass", "pwd", "secret", "token", "jwt", "credentials", "cookie"],
      ...["api-key", "api_key", "apikey", "apiKey", "access-key", "secretAccessKey", "private-key"],
      ...["db-password", "client_secret", "auth-token", "accessToken", "Password", "API_KEY"],
    );
    const open = fc.constantFrom("page", "password-stdin", "token-file", "passwordFile", "public-key", "key", "bypass");
    const dashes = fc.constantFrom("-", "--");
    const between = fc.constantFrom(" ", "=", "  ");
    const quote = fc.constantFrom('"', "'");
    const value = fc.oneof(
      word.map((text) => ["", text, ""] as const),
      fc.tuple(quote, quoted).map(([mark, text]) => [mark, text, mark] as const),
    );
    fc.assert(
      fc.property(dashes, secret, between, value, (dash, name, separator, [before, text, after]) => {
        const command = (shown: string) => `run ${dash}${name}${separator}${before}${shown}${after} --page two`;
        assert.is(redactedText(command(text)), command("REDACTED"));
      }),
    );
    fc.assert(
      fc.property(dashes, open, fc.constantFrom("", '"', "'"), (dash, name, mark) => {
        const command = `run ${dash}${name} ${mark}two${mark} --page two`;
        assert.is(redactedText(command), command);
      }),
    );
  });

  test("text in base64 loses its secrets, in any encoding, in a word or in lines", () => {
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
        assert.is(redactedUrl(`/a/${base64.replaceAll(/[/+=]/g, "")}/c`).includes(base64.slice(0, 6)), false);
      }
      assert.is(redactedText(encoded(secret).replace(/^.{8}/, "$&\r\n")), "REDACTED");
    }
    assert.is(redactedText('{"a":"H4sIAAAAAAAAA6tWKkgsLi7PL0pRslLKKM0rSS0yUqoFAPeBZ0QWAAAA"}'), '{"a":"REDACTED"}');
    for (const text of [encoded("page=two"), encoded("any other text"), "functional/programming", "Zm9v/YmFyYmFy"])
      assert.is(redactedText(`a ${text} b`), `a ${text} b`);
  });

  test("escapes of markup in attributes and text are undone, and written again only around a secret", () => {
    for (const [shown, wanted] of [
      [
        '<a data-x="{&quot;password&quot;:&quot;ab&quot;,&#34;n&#x22;:1}">t</a>',
        '<a data-x="{&quot;password&quot;:&quot;REDACTED&quot;,&quot;n&quot;:1}">t</a>',
      ],
      ["<a><b>{&quot;token&quot;:&quot;ab&quot;}</b></a>", "<a><b>{&quot;token&quot;:&quot;REDACTED&quot;}</b></a>"],
      ["<a><b>&lt;password&gt;ab&lt;/password&gt;</b></a>", "<a><b>&lt;password&gt;REDACTED&lt;/password&gt;</b></a>"],
      ['<a name="pass&#119;ord" value="ab">', '<a name="pass&#119;ord" value="REDACTED">'],
      ["<a x={&quot;token&quot;:&quot;a&quot;}>", "<a x={&quot;token&quot;:&quot;REDACTED&quot;}>"],
    ] as const)
      assert.is(redactedText(shown), wanted);
    const plain = '<p title="a &#34;b&#34; &amp;amp; c">1 &lt; 2 &amp;&amp; &eacute; &#x1f600; &#0;</p>';
    assert.is(redactedText(plain), plain);
  });

  test("elements, attributes and named values of XML lose secrets, however they are nested or cut", () => {
    for (const [shown, wanted] of [
      [
        "<a><password><!-- c -->ab<b c='d'>e</b></password>f</a>",
        "<a><password><!--REDACTED-->REDACTED<b c='d'>REDACTED</b></password>f</a>",
      ],
      ["<a><token><v value='ab'/></token></a>", "<a><token><v value='REDACTED'/></token></a>"],
      ["<a><sid>ab</sid><otp>12</otp></a>", "<a><sid>REDACTED</sid><otp>REDACTED</otp></a>"],
      ["<a password = 'a>b' c=d e/>", "<a password = 'REDACTED' c=d e/>"],
      ["<a><ns:p password=ab>t", "<a><ns:p password=REDACTED>t"],
      ["<a><password>ab", "<a><password>REDACTED"],
      ["<a b='{\"token\":5}'/>", '<a b=\'{"token":"REDACTED"}\'/>'],
      ["<key>password</key><string>ab</string>", "<key>password</key><string>ab</string>"],
      [
        "<d><key>password</key><string>ab</string><key>page</key><string>two</string></d>",
        "<d><key>password</key><string>REDACTED</string><key>page</key><string>two</string></d>",
      ],
      [
        "<e><value><b>ab</b></value><name>password</name></e><e><name>page</name><value>two</value></e>",
        "<e><value>REDACTED</value><name>password</name></e><e><name>page</name><value>two</value></e>",
      ],
      ['<s name="password"><value>ab</value></s>', '<s name="password"><value>REDACTED</value></s>'],
      ["<textarea name=password>ab</textarea>", "<textarea name=password>REDACTED</textarea>"],
      ["<input type=password value=ab>", "<input type=password value=REDACTED>"],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("markup without secrets stays as it is, byte by byte", () => {
    for (const text of [
      "<!doctype html><html><head><title>a</title><style>a>b{c:d}</style></head><body><p>Password: 8 letters<br>b",
      '<form name="password_form"><label for="password">Password</label><input type="password" name="password"></form>',
      "<div><session-view><p>a</p></session-view><a accesskey=s href='/a?b=1&amp;c=2'>x</a></div>",
      '<xs:element name="password"><xs:annotation><xs:documentation>a</xs:documentation></xs:annotation></xs:element>',
      "usage: a -s=<session> <command> [arguments] <token>",
      "<a><max_tokens>512</max_tokens><token>true</token><password/><password></password></a>",
      "<script>if(a<b&&c>d){e('</p>')}</script><p>&copy; a</p>",
      "<a <b> </c></a><//><>< a>",
      '<svg viewBox="0 0 1 1"><path d="M1 2l3 4z"/></svg>',
    ])
      assert.is(redactedText(text), text);
  });

  test("a field whose line is malformed loses its secret by any separator", () => {
    for (const [name, value, wanted] of [
      ["token=ab", "", "token=REDACTED:"],
      ["token = ab", "c", "token = REDACTED:REDACTED"],
      ["password ab", "", "password REDACTED:"],
      ["Authorization Bearer ab", "", "Authorization REDACTED:"],
      ["GET /?token=ab HTTP/1.1", "x", "GET /?token=REDACTED HTTP/1.1:REDACTED"],
      ["a", "b\rtoken=ab", "a:b\rtoken=REDACTED"],
      ["a", "b\rcookie ab", "a:b\rcookie REDACTED"],
      ["x-page=2 of", "two", "x-page=2 of:two"],
    ] as const) {
      const [field] = redactedFields([{ name, value }]);
      assert.is(`${field?.name}:${field?.value}`, wanted);
    }
  });

  test("markup that names a value in attributes, and CDATA, lose secrets", () => {
    for (const [shown, wanted] of [
      [
        '<input type="hidden" name="csrf_token" value="ab">',
        '<input type="hidden" name="csrf_token" value="REDACTED">',
      ],
      ["<input value='ab' name='csrf_token'/>", "<input value='REDACTED' name='csrf_token'/>"],
      ['<meta name="csrf-token" content="ab" />', '<meta name="csrf-token" content="REDACTED" />'],
      ['<add key="password" value="ab"/>', '<add key="password" value="REDACTED"/>'],
      ['<input name="page" value="ab">', '<input name="page" value="ab">'],
      ["<a><password><![CDATA[a]<b]]></password></a>", "<a><password><![CDATA[REDACTED]]></password></a>"],
      ["<a><page><![CDATA[ab]]></page></a>", "<a><page><![CDATA[ab]]></page></a>"],
      ["curl -H 'Authorization: Bearer ab' x", "curl -H 'Authorization: Bearer REDACTED' x"],
      [`run: curl -H "X-Api-Key: ab cd" -H 'Accept: x'`, `run: curl -H "X-Api-Key: REDACTED" -H 'Accept: x'`],
      ["do: curl -u me:ab --user 'me:a%b' x", "do: curl -u REDACTED --user 'REDACTED' x"],
      [`do: curl -u "me:ab cd" --proxy-user='me:"a b"' x`, `do: curl -u "REDACTED" --proxy-user='REDACTED' x`],
      ['do: "curl -u \\"me:ab cd\\" x"', 'do: "curl -u \\"REDACTED\\" x"'],
      ['do: "run --token \\"ab cd\\" x"', 'do: "run --token \\"REDACTED\\" x"'],
      ["see: sort -u file, -u http", "see: sort -u file, -u http"],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("credentials in a list of a message's header fields are redacted", () => {
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
      ['pin = "left"; x', 'pin = "left"; x'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given a pair of strings that is all of the text, the second is a value of the first", () => {
    for (const [shown, wanted] of [
      ['["password","ab"]', '["password","REDACTED"]'],
      [' [ "access_token" , "ab" ] ', ' [ "access_token" , "REDACTED" ] '],
      ['{"a":"[\\"password\\",\\"ab\\"]"}', '{"a":"[\\"password\\",\\"REDACTED\\"]"}'],
      ['["password","token"]', '["password","token"]'],
      ['["password","ab","cd"]', '["password","ab","cd"]'],
      ['["page","password"]', '["page","password"]'],
      ['["password",7]', '["password",7]'],
      ['{"required":["password","email"]}', '{"required":["password","email"]}'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given code that stores a value under a secret name, takes out the value, and of other calls nothing", () => {
    for (const [shown, wanted] of [
      ['localStorage.setItem("token","ab")', 'localStorage.setItem("token","REDACTED")'],
      ["a.set( 'accessToken' , 'a\"b' );", "a.set( 'accessToken' , 'REDACTED' );"],
      [
        '<script>sessionStorage.setItem("token", "ab")</script>',
        '<script>sessionStorage.setItem("token", "REDACTED")</script>',
      ],
      ["form.append(`password`, `ab`)", "form.append(`password`, `REDACTED`)"],
      ['setRequestHeader("X-Api-Key","ab")', 'setRequestHeader("X-Api-Key","REDACTED")'],
      ['{"a":"setItem(\\"token\\",\\"ab\\")"}', '{"a":"setItem(\\"token\\",\\"REDACTED\\")"}'],
      ['setItem("page","ab")', 'setItem("page","ab")'],
      ['setAttribute("key","ab")', 'setAttribute("key","ab")'],
      ['translate("password","Password")', 'translate("password","Password")'],
      ['setItem("token", value, "ab")', 'setItem("token", value, "ab")'],
      ['offset("token","ab")', 'offset("token","ab")'],
    ] as const)
      assert.is(redactedText(shown), wanted);
  });

  test("given a header for credentials that is an ordinary word elsewhere, takes out its value", () => {
    assert.is(redactedHeader("Authentication", "ab"), "REDACTED");
    assert.is(redactedHeader("X-Authentication", "Bearer ab"), "Bearer REDACTED");
    assert.is(redactedHeader("DPoP", "ab"), "REDACTED");
    assert.equal(redactedFields([{ name: "DPoP", value: "a\r b" }]), [{ name: "DPoP", value: "REDACTED\r REDACTED" }]);
    assert.is(redactedHeader("X-Page", "ab"), "ab");
    assert.is(redactedText('{"authentication":"basic"}'), '{"authentication":"basic"}');
  });

  test("private keys in PEM are redacted, whole or cut, in JSON and as text; certificates stay", () => {
    const begin = "-----BEGIN RSA PRIVATE KEY-----";
    const end = "-----END RSA PRIVATE KEY-----";
    const key = `${begin}\nProc-Type: 4,ENCRYPTED\n\nMIIEow+/x==\nabc=\n`;
    assert.is(redactedText(`a\n${key}${end}\nb`), `a\n${begin}REDACTED${end}\nb`);
    assert.is(redactedText(key), `${begin}REDACTED`);
    assert.is(JSON.parse(redactedText(JSON.stringify({ pem: key + end }))).pem, `${begin}REDACTED${end}`);
    const certificate = "-----BEGIN CERTIFICATE-----\nMIIEow+/x==\n-----END CERTIFICATE-----";
    assert.is(redactedText(certificate), certificate);
  });

  test("JSON in a data URL loses its secrets", () => {
    const url = (value: object): string => `data:application/json;base64,${btoa(JSON.stringify(value))}`;
    assert.is(redactedText(`see ${url({ password: "ab" })} x`), "see data:application/json;base64,REDACTED x");
    assert.is(redactedText(`see ${url({ page: "ab" })} x`), `see ${url({ page: "ab" })} x`);
  });

  test("ordinary names stay", () => {
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
    assert.is(redactedText('{"a":"\\"token\\":\\"x\\""}'), '{"a":"\\"token\\":\\"REDACTED\\""}');
    assert.is(redactedText('{"token":"cut off he'), '{"token":"REDACTED');
    for (const text of ["", '"', '"a', "<p class=x>token: y</p>", '"token"', '"token":'])
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
    for (let depth = 0; depth < 5; depth += 1) {
      url = `https://u:canary@b.test/r?n=kept&next=${encodeURIComponent(url)}&page=2`;
      const redacted = redactedUrl(url);
      assert.not.match(redacted, "canary");
      assert.is(redacted.split("kept").length, url.split("kept").length);
      assert.match(redacted, "&page=2");
    }
    assert.is(redactedUrl("/a?x=1?token=canary"), "/a?x=1%3Ftoken%3DREDACTED");
    assert.is(redactedUrl("/a?b=1;token=canary"), "/a?b=1%3Btoken%3DREDACTED");
    assert.is(redactedUrl("/r?next=/a?token=canary&x=1"), "/r?next=%2Fa%3Ftoken%3DREDACTED&x=1");
  });

  test("given JSON, takes out strings, numbers, lists and objects of secret names, however these are written", () => {
    const secrets = [
      ['{"to\\u006ben":"x","a":"\\u00e9"}', '{"to\\u006ben":"REDACTED","a":"\\u00e9"}'],
      ['{"tokens":["x",{"y":"z"}],"n":[1,2]}', '{"tokens":"REDACTED","n":[1,2]}'],
      ['{"secret":{"a":{"b":"x"}},"n":{"c":1}}', '{"secret":"REDACTED","n":{"c":1}}'],
      ['{"pin":1,"password":12345678,"otp":-1.5e9}', '{"pin":1,"password":"REDACTED","otp":"REDACTED"}'],
      ['{"a":"{\\"token\\":\\"x\\",\\"b\\":1}"}', '{"a":"{\\"token\\":\\"REDACTED\\",\\"b\\":1}"}'],
      ['{"a":"b=1&token=x"}', '{"a":"b=1&token=REDACTED"}'],
      [')]}\',\n{"token":"x"}', ')]}\',\n{"token":"REDACTED"}'],
      ['{"token":"x"}\n{"token":"y"}\n', '{"token":"REDACTED"}\n{"token":"REDACTED"}\n'],
      ['cb({"token":"x","a":"y"});', 'cb({"token":"REDACTED","a":"y"});'],
      ['42["login",{"token":"x"}]', '42["login",{"token":"REDACTED"}]'],
      ['{"token":["x","y', '{"token":"REDACTED"'],
      [
        '{"grant_type":"authorization_code","code":"x","client_id":"y"}',
        '{"grant_type":"authorization_code","code":"REDACTED","client_id":"y"}',
      ],
      ['{"code":"x","state":"y","ok":true}', '{"code":"REDACTED","state":"REDACTED","ok":true}'],
    ];
    for (const [text = "", redacted] of secrets) assert.is(redactedText(text), redacted);
  });

  test("given markup, code, settings or a head within text, takes out the values of secret names and leaves the rest", () => {
    const texts = [
      [
        "<a:Password type='x'>canary</a:Password><user>me</user>",
        "<a:Password type='x'>REDACTED</a:Password><user>me</user>",
      ],
      ["const token = \"canary\"; const user='me'", "const token = \"REDACTED\"; const user='me'"],
      ["{'token': 'canary', 'user': 'me'}", "{'token': 'REDACTED', 'user': 'me'}"],
      [
        '{"query":"{ login(password: \\"canary\\", user: \\"me\\") }"}',
        '{"query":"{ login(password: \\"REDACTED\\", user: \\"me\\") }"}',
      ],
      ['<a href="/x?token=canary&b=1">y</a>', '<a href="/x?token=REDACTED&b=1">y</a>'],
      [
        "GET / HTTP/1.1\r\nAuthorization: Basic canary\r\nX-Api-Key: canary\r\nHost: a\r\n",
        "GET / HTTP/1.1\r\nAuthorization: REDACTED\r\nX-Api-Key: REDACTED\r\nHost: a\r\n",
      ],
      [
        "db at postgres://u:canary@db/x, user=bob password=canary ok",
        "db at postgres://REDACTED@db/x, user=bob password=REDACTED ok",
      ],
    ];
    for (const [text = "", redacted] of texts) assert.is(redactedText(text), redacted);
    for (const text of [
      "<key>CFBundleName</key><string>Weir</string>",
      "rows.map(row => ({ key: 'a', value: row }))",
      "Key: the door is open",
      "a < b && c > d",
    ])
      assert.is(redactedText(text), text);
  });

  test("what is no secret stays in JSON", () => {
    for (const text of [
      '{"usage":{"prompt_tokens":812,"max_tokens":4096},"token":null,"password":true,"secret":""}',
      '{"error":{"code":"E_BAD","message":"no"},"code":404}',
      '{"code":404,"state":"open"}',
      '{"country":{"code":"US"},"state":"CA"}',
      '{"a":[1,"b",{"c":null}],"d":"x=y","e":"50% off: a&b"}',
    ])
      assert.is(redactedText(text), text);
  });

  test("a JSON Web Token is taken out wherever it stands", () => {
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

  test("headers that carry credentials by other names lose them", () => {
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
      ["X-Signed", 'alg="a", signature="abc", n=1', 'alg="a", signature=REDACTED, n=1'],
      ["Forwarded", "for=192.0.2.1;proto=http", "for=192.0.2.1;proto=http"],
      ["X-Original-URL", "/a;token=abc?b=1", "/a;token=REDACTED?b=1"],
    ];
    for (const [name, value, redacted] of headers)
      assert.is(redactedHeader(name, value), redacted, `${name}: ${value}`);
  });

  test("given a head with a bare CR or a folded line, each line is redacted by its own name", () => {
    const shown = redactedFields(
      fieldsOf("GET / HTTP/1.1\r\nX: a\rAuthorization: Bearer canary\r\nCookie: a=b\r\n canary: x\r\nY: z\r\n\r\n"),
    );
    assert.equal(shown, [
      { name: "X", value: "a\rAuthorization:REDACTED" },
      { name: "Cookie", value: "REDACTED" },
      { name: " REDACTED", value: "" },
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
      [`<a b=t${header}.e30.S3cret>`, "<a b=tREDACTED>"],
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

  test("given a part with several names or without a value's beginning, any secret name counts", () => {
    const part = (head: string) => `--b\r\n${head}S3cret\r\n--b--\r\n`;
    for (const head of [
      'Content-Disposition: form-data; name="a"; name="token"\r\n\r\n',
      'Content-Disposition: form-data; name="a"\r\nContent-Disposition: form-data; name="token"\r\n\r\n',
      'Content-Disposition: form-data; name="token"\r\r',
    ]) {
      assert.not(redactedParts(part(head), "b")?.includes("S3cret"), head);
    }
    assert.ok(redactedParts(part('Content-Disposition: form-data; name="a"\r\n\r\n'), "b")?.includes("S3cret"));
  });

  test("given credentials in a field of any name, or before a host, takes them out", () => {
    assert.is(redactedHeader("X-Upstream", "Bearer S3cretS3cret"), "Bearer REDACTED");
    assert.is(redactedHeader("X-Plan", "basic plan"), "basic plan");
    assert.is(redactedHeader("Host", "user:S3cret@a.test"), "REDACTED@a.test");
    assert.is(redactedHeader("Host", "a.test"), "a.test");
    assert.is(redactedHeader("X-Original-Cookie", "a=S3cret"), "REDACTED");
  });
});
