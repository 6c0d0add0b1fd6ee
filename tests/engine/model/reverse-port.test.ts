import * as assert from "uvu/assert";
import { unwrap } from "../../../src/engine/model/result.ts";
import {
  originTextOf,
  repeatedPort,
  reversePortFor,
  reversePortOf,
  reverseUrl,
} from "../../../src/engine/model/reverse-port.ts";
import { describe } from "../../support/describe.ts";
import { problemOf } from "../../support/problem-of.ts";

const GOOD: readonly (readonly [entry: string, port: number, origin: string])[] = [
  ["9001=https://api.example.com", 9001, "https://api.example.com"],
  ["9001=https://api.example.com/", 9001, "https://api.example.com"],
  ["1=HTTP://Api.Example.com:80", 1, "http://api.example.com"],
  ["65535=https://a:443", 65_535, "https://a"],
  ["9001=https://a:80", 9001, "https://a:80"],
  ["9001=http://127.0.0.1:3000", 9001, "http://127.0.0.1:3000"],
  ["9001=http://[::1]:3000", 9001, "http://[::1]:3000"],
  ["9001=http://localhost", 9001, "http://localhost"],
];

const FORM = /does not have the form port=origin, such as 9001=https:\/\/api\.example\.com\.$/;

const BAD: readonly (readonly [entry: string, reason: RegExp])[] = [
  ["", FORM],
  ["9001", FORM],
  ["9001=api.example.com", FORM],
  ["9001=ftp://a.test", FORM],
  ["9001=https://", FORM],
  ["0=https://a.test", FORM],
  ["65536=https://a.test", FORM],
  ["9001=https://a.test:0", FORM],
  ["9001=https://a.test:65536", FORM],
  ["9001=https://u:p@a.test", FORM],
  ["9001=https://*.a.test", FORM],
  ["9001=https://a b", FORM],
  ["127.0.0.1:9001=https://a.test", FORM],
  ["9001=https://a.test/v1", /names a path\. A reverse port forwards to a whole origin/],
  ["9001=https://a.test?x", /names a path/],
];

describe("reverse port setting", (test) => {
  for (const [entry, port, origin] of GOOD)
    test(`given ${entry}, reads port and origin`, () => {
      const read = unwrap(reversePortOf(entry));
      assert.equal([read.port, originTextOf(read)], [port, origin]);
    });

  for (const [entry, reason] of BAD)
    test(`given ${JSON.stringify(entry)}, says what is wrong`, () =>
      assert.match(problemOf(reversePortOf(entry)), reason));

  test("given a port twice, names it", () => {
    assert.is(repeatedPort(["1=http://a", "2=http://a"]), null);
    assert.match(repeatedPort(["1=http://a", "2=http://a", "1=http://b"]) ?? "", "Port 1 is named twice.");
  });

  test("given a reverse port, returns its URL for clients", () => assert.is(reverseUrl(9001), "http://127.0.0.1:9001"));
});

describe("reverse port for a URL", (test) => {
  const open = ["9001=https://a.test", "9002=https://b.test:443", "9004=http://c.test:8080"];

  test("given an open one to its origin, is that", () => {
    assert.is(reversePortFor(open, "https://A.test/x"), 9001);
    assert.is(reversePortFor(open, "https://b.test"), 9002);
    assert.is(reversePortFor(open, "http://c.test:8080/?x"), 9004);
  });

  test("given none, is the first that none of them has", () => {
    assert.is(reversePortFor([], "https://a.test/"), 9001);
    assert.is(reversePortFor(open, "http://a.test/"), 9003);
  });
});
