import fc from "fast-check";
import * as assert from "uvu/assert";
import {
  argumentsOf,
  givenWords,
  PREFERRED_PORT,
  parsed,
  uiPortOf,
} from "../../../extensions/proxy/process/arguments.ts";
import { unwrap } from "../../../src/engine/model/result.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

describe("command-line arguments", (test) => {
  test("given no options, uses the defaults of docs/specification.md", () => {
    assert.equal(unwrap(argumentsOf([])), {
      standalone: false,
      afterWindow: false,
      json: false,
      port: null,
      uiPort: null,
      uiHostName: null,
      listen: "127.0.0.1",
      allowPrivateTargets: false,
      dataDir: null,
      ca: null,
      upstreamCa: [],
      hostOverrides: [],
      reversePorts: [],
      transparentPorts: [],
      slow: null,
      logLevel: "info",
    });
  });

  test("given every option that docs/specification.md lists, reads each", () => {
    const words = [
      "--standalone",
      "--json",
      "--port",
      "0",
      "--listen",
      "0.0.0.0",
      "--allow-private-targets",
      "--data-dir",
      "/d",
      "--upstream-ca",
      "/u",
    ];
    const more = [
      "--ca-cert",
      "/c",
      "--ca-key",
      "/k",
      "--host-override",
      "a.test=127.0.0.1:1",
      "--upstream-ca",
      "/v",
      "--host-override",
      "b=[::1]:2",
      "--reverse",
      "9001=https://a.test",
      "--reverse",
      "9002=http://b.test:8080",
      "--transparent",
      "8443",
      "--transparent",
      "8080=80",
      "--slow",
      "150ms,1600/750",
      "--log-level",
      "debug",
    ];
    assert.equal(unwrap(argumentsOf([...words, ...more])), {
      standalone: true,
      afterWindow: false,
      json: true,
      port: 0,
      uiPort: null,
      uiHostName: null,
      listen: "0.0.0.0",
      allowPrivateTargets: true,
      dataDir: "/d",
      ca: { cert: "/c", key: "/k" },
      upstreamCa: ["/u", "/v"],
      hostOverrides: ["a.test=127.0.0.1:1", "b=[::1]:2"],
      reversePorts: ["9001=https://a.test", "9002=http://b.test:8080"],
      transparentPorts: ["8443", "8080=80"],
      slow: { name: null, roundTrip: 150, down: 1_600, up: 750, hosts: [] },
      logLevel: "debug",
    });
  });

  test("given the proxy's port, the window's is the next one, unless it is chosen or any will do", () => {
    for (const [given, expected] of [
      [[], PREFERRED_PORT + 1],
      [["--port", "9000"], 9001],
      [["--port", "65535"], 0],
      [["--port", "0"], 0],
      [["--port", "9000", "--ui-port", "7000"], 7000],
      [["--ui-port", "0"], 0],
    ] as const)
      assert.is(uiPortOf(unwrap(argumentsOf(given))), expected, given.join(" "));
  });

  const wrong: readonly (readonly [words: readonly string[], said: RegExp])[] = [
    [["--prot", "1"], /--prot/],
    [["--ui-port", "65536"], /--ui-port takes a whole number/],
    [["--ui-host-name", "http://a.test"], /--ui-host-name takes HOST or HOST:PORT/],
    [["--ui-host-name", "a.test:8443/x"], /--ui-host-name takes HOST or HOST:PORT/],
    [["--ui-port", "8e3"], /--ui-port takes a whole number/],
    [["stray"], /stray/],
    [["--port", "eighty"], /--port/],
    [["--port", "65536"], /--port/],
    [["--port", "-1"], /--port/],
    [["--port", "1.5"], /--port/],
    [["--port", " "], /--port/],
    [["--port", " 80"], /--port/],
    [["--port", "0x50"], /--port/],
    [["--port", "8e3"], /--port/],
    [["--port", "+80"], /--port/],
    [["--ca-cert", "/c"], /--ca-key/],
    [["--ca-key", "/k"], /--ca-cert/],
    [["--slow", "5g"], /^--slow: "5g" is neither a preset \(.*slow-4g.*\) nor own figures such as 150ms,1600\/750/],
    [["--log-level", "loud"], /^--log-level takes info or debug, not "loud"\.$/],
    [["--host-override", "a.test"], /--host-override/],
    [["--host-override", "a.test=127.0.0.1"], /--host-override/],
    [["--host-override", "a.test=127.0.0.1:0"], /--host-override/],
    [["--host-override", "a.test=127.0.0.1:65536"], /--host-override/],
    [["--transparent", "a"], /^--transparent: "a" does not have the form port or port=target port/],
    [["--transparent", "1", "--transparent", "1=80"], /^--transparent: Port 1 is named twice\./],
    [["--reverse", "a.test"], /^--reverse: "a\.test" does not have the form port=origin, such as 9001=https:/],
    [["--reverse", "9001=https://a.test/v1"], /^--reverse: .* names a path\./],
    [["--reverse", "1=http://a", "--reverse", "1=http://b"], /^--reverse: Port 1 is named twice\./],
    ...["--listen", "--data-dir", "--port", "--ca-cert", "--ca-key", "--upstream-ca", "--slow", "--log-level"].map(
      (word) => [[word, ""], new RegExp(`^${word} needs a value, but the given one is empty\\.$`)] as const,
    ),
  ];
  for (const [words, said] of wrong) {
    test(`given "${words.join(" ")}", refuses with a sentence`, () => {
      assert.match(problemOf(argumentsOf(words)), said);
    });
  }

  test("given an IPv6 address with or without brackets, accepts it", () => {
    for (const given of ["::1", "[::1]"]) {
      assert.is(unwrap(argumentsOf(["--listen", given])).listen, "::1");
    }
  });

  test("given options in the environment, uses them instead of the command line's", () => {
    assert.equal(unwrap(givenWords(["--json"], undefined)), ["--json"]);
    assert.equal(unwrap(givenWords(["--json"], '["--port","1"]')), ["--port", "1"]);
  });

  for (const environment of ["", "--port 1", '"--port"', "{}", "[1]", '["--port",']) {
    test(`given "${environment}" as WEIR_ARGUMENTS, refuses with a sentence`, () => {
      assert.match(problemOf(givenWords([], environment)), /^WEIR_ARGUMENTS takes a list of words in JSON/);
    });
  }
});

const OPTIONS = [
  { name: "flag", value: null, note: null },
  { name: "one", value: "X", note: "one value" },
  { name: "many", value: "X", note: "several values", isRepeatable: true },
] as const;

describe("command-line options", (test) => {
  test("given values, returns them with the types that the declaration gives them", () =>
    fc.assert(
      fc.property(fc.boolean(), fc.string(), fc.array(fc.string()), fc.array(fc.string()), (flag, one, many, rest) => {
        const words = [
          ...(flag ? ["--flag"] : []),
          `--one=${one}`,
          ...many.map((value) => `--many=${value}`),
          "--",
          ...rest,
        ];
        const { values, positionals } = parsed(words, OPTIONS, true);
        assert.equal(
          [values.flag, values.one, values.many, positionals],
          [flag || undefined, one, many.length === 0 ? undefined : many, rest],
        );
      }),
    ));

  for (const [words, code] of [
    [["--flga"], "ERR_PARSE_ARGS_UNKNOWN_OPTION"],
    [["--one"], "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"],
    [["--flag=x"], "ERR_PARSE_ARGS_INVALID_OPTION_VALUE"],
    [["x"], "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL"],
  ] as const)
    test(`given ${words[0]}, throws ${code}`, () =>
      assert.throws(
        () => parsed(words, OPTIONS, false),
        (error: NodeJS.ErrnoException) => error.code === code,
      ));
});
