import * as fc from "fast-check";
import * as assert from "uvu/assert";
import { clientNameOf, clientProgramOf, programNamed } from "../../../src/engine/model/client-name.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { describe } from "../../support/describe.ts";
import { rounds } from "../../support/rounds.ts";

const LIKE_GECKO = "AppleWebKit/537.36 (KHTML, like Gecko)";

describe("client name", (test) => {
  test("given a User-Agent, the program has no version", () => {
    const programs = ["curl/8.5.0", "Go-http-client/2.0", "node", "tool v2", "", "unknown"].map((agent) =>
      clientProgramOf(`127.0.0.1 ${agent}`),
    );
    assert.equal(programs, ["curl", "Go-http-client", "node", "tool", "", ""]);
    assert.is(clientProgramOf(`::1 Mozilla/5.0 ${LIKE_GECKO} Chrome/126.0.0.0 Safari/537.36`), "Chrome");
    assert.is(clientProgramOf("127.0.0.1"), "");
  });

  test("given a client's address and User-Agent, names its browser or program and its address", () => {
    const table: Record<string, string> = {
      "127.0.0.1 curl/8.5.0": "curl/8.5.0 at 127.0.0.1",
      "10.0.0.7 python-requests/2.32.3": "python-requests/2.32.3 at 10.0.0.7",
      "127.0.0.1 shopper-1": "shopper-1 at 127.0.0.1",
      [`unknown Mozilla/5.0 (X11; Linux x86_64) ${LIKE_GECKO} Chrome/126.0.0.0 Safari/537.36`]: "Chrome 126",
      [`::1 Mozilla/5.0 (X11; Linux x86_64) ${LIKE_GECKO} HeadlessChrome/156.0.0.0 Safari/537.36`]: "Chrome 156 at ::1",
      [`unknown Mozilla/5.0 (Windows NT 10.0) ${LIKE_GECKO} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2`]: "Edge 126",
      "::1 Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0": "Firefox 128 at ::1",
      "10.1.1.1 Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15":
        "Safari 17 at 10.1.1.1",
      "10.1.1.1 Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1":
        "Safari 17 at 10.1.1.1",
      "10.1.1.1 unknown": "10.1.1.1",
      "10.1.1.1": "10.1.1.1",
      "unknown unknown": "an unknown client",
      unknown: "an unknown client",
    };
    for (const [client, name] of Object.entries(table)) assert.is(clientNameOf(client), name, client);
  });

  test("given any User-Agent, the name ends with the address and stays short", () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.string({ unit: anyCharacter, maxLength: 300 }), (address, userAgent) => {
        const name = clientNameOf(`${address} ${userAgent}`);
        assert.ok(name.endsWith(address));
        assert.ok(name.length <= address.length + " at ".length + 60);
      }),
    );
  });
});

describe("program name", (test) => {
  test("given a program's name, shows it without control characters, cut to 63 or 64 characters", () => {
    const table: Record<string, string | null> = {
      curl: "curl",
      " Google Chrome ": "Google Chrome",
      "Größe 日本": "Größe 日本",
      "a\u0007b\u001b[31m\u202ec\n": "ab[31mc",
      "\u2028\u0000": null,
      "": null,
      [`${"x".repeat(63)}😀`]: "x".repeat(63),
    };
    for (const [given, shown] of Object.entries(table)) assert.is(programNamed(given), shown, JSON.stringify(given));
  });

  test("given any text as a program's name, the name is short, not empty, and the same if named again", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
        const name = programNamed(text);
        if (name === null) return;
        assert.ok(name.length > 0 && name.length <= 64);
        assert.not.match(name, /\p{C}/u);
        assert.is(programNamed(name), name);
      }),
      { numRuns: rounds(500) },
    );
  });
});
