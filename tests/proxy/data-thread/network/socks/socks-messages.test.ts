import * as fc from "fast-check";
import * as assert from "uvu/assert";
import {
  beginsSocks,
  failureReply,
  readGreeting,
  readRequest,
  type SocksStep,
} from "../../../../../extensions/proxy/data-thread/network/socks/socks-messages.ts";
import { ERROR_TYPES } from "../../../../../src/engine/model/exchange.ts";
import { describe } from "../../../../support/describe.ts";

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(" ", ""), "hex");

/** A request for a name of these bytes (hexadecimal), and port 443. */
const named = (name: string): Buffer =>
  hex(`05 01 00 03 ${(name.length / 2).toString(16).padStart(2, "0")}${name} 01bb`);
const nameOf = (text: string): string => Buffer.from(text, "latin1").toString("hex");

/** RFC 1928, 4: who is asked for. */
const REQUESTS: readonly (readonly [bytes: Buffer, host: string, port: number])[] = [
  [hex("05 01 00 01 c0000207 0050"), "192.0.2.7", 80],
  [hex("05 01 00 04 20010db8000000000000000000000001 01bb"), "2001:db8::1", 443],
  [hex("05 01 00 04 00000000000000000000ffff7f000001 1f90"), "::ffff:127.0.0.1", 8080],
  [named(nameOf("a.test")), "a.test", 443],
  [named(nameOf("A.Test.")), "a.test.", 443],
  [named(nameOf("192.0.2.7")), "192.0.2.7", 443],
  // Some clients send an address as a name, with brackets or without them.
  [named(nameOf("2001:DB8::1")), "2001:db8::1", 443],
  [named(nameOf("[2001:db8::1]")), "2001:db8::1", 443],
];

const REFUSED: readonly (readonly [what: string, bytes: Buffer, reply: number, reason: RegExp])[] = [
  ["another version", hex("04 01 00 01 c0000207 0050"), 1, /does not begin with version 5/],
  ["BIND", hex("05 02 00 01 c0000207 0050"), 7, /asks for BIND, but Weir supports only CONNECT/],
  ["UDP ASSOCIATE", hex("05 03 00 01 00000000 0000"), 7, /asks for UDP ASSOCIATE/],
  ["an unknown command", hex("05 f0 00 01"), 7, /asks for command 240/],
  ["an unknown type of address", hex("05 01 00 02 c0000207 0050"), 8, /unknown type 2/],
  ["port 0", hex("05 01 00 01 c0000207 0000"), 1, /port is 0/],
  ["an empty name", hex("05 01 00 03 00 0050"), 1, /host name cannot be used/],
  ["a name with a line's end", named(nameOf("a.test\r\nX: y")), 1, /host name cannot be used/],
  ["a name with a NUL", named(nameOf("a\0.test")), 1, /host name cannot be used/],
  ["a name outside ASCII", named("c3bc2e74657374"), 1, /host name cannot be used/],
  ["a name with a port", named(nameOf("a.test:80")), 1, /host name cannot be used/],
  ["a name with a path", named(nameOf("a.test/x")), 1, /host name cannot be used/],
  ["user-info", named(nameOf("u@a.test")), 1, /host name cannot be used/],
  ["an address with a zone", named(nameOf("fe80::1%eth0")), 1, /host name cannot be used/],
];

function isCut<Value>(step: SocksStep<Value>): boolean {
  return step === "incomplete";
}

describe("SOCKS messages", (test) => {
  for (const [bytes, host, port] of REQUESTS) {
    test(`given a request for ${host}, reads it whole, each part of it as incomplete, and no byte more`, () => {
      for (let length = 0; length < bytes.length; length += 1)
        assert.ok(isCut(readRequest(bytes.subarray(0, length))), String(length));
      const more = Buffer.concat([bytes, Buffer.from("\x16\x03\x01")]);
      assert.equal(readRequest(more), { kind: "read", value: { host, port }, length: bytes.length });
    });
  }

  for (const [what, bytes, reply, reason] of REFUSED) {
    test(`given ${what}, refuses it with reply ${reply} and a reason`, () => {
      const step = readRequest(bytes);
      if (step === "incomplete" || step.kind !== "refused") throw new Error(JSON.stringify(step));
      assert.equal(step.reply, hex(`05 ${reply.toString(16).padStart(2, "0")} 00 01 00000000 0000`));
      assert.match(step.reason, reason);
    });
  }

  test("given a greeting, wants the method without authentication among its methods, wherever it is", () => {
    const methods = fc.uint8Array({ maxLength: 255 });
    fc.assert(
      fc.property(methods, (offered) => {
        const bytes = Buffer.concat([Buffer.from([5, offered.length]), offered]);
        for (const length of [0, 1, bytes.length - 1])
          if (length < bytes.length) assert.ok(isCut(readGreeting(bytes.subarray(0, length))));
        const step = readGreeting(Buffer.concat([bytes, Buffer.from([5, 1])]));
        if (offered.includes(0)) assert.equal(step, { kind: "read", value: null, length: bytes.length });
        else assert.equal(step === "incomplete" || step.kind === "read" ? null : step.reply, hex("05 ff"));
      }),
    );
  });

  test("given SOCKS 4, refuses it by its own reply and names the version", () => {
    const step = readGreeting(hex("04 01 01bb 00000001 00"));
    if (step === "incomplete" || step.kind !== "refused") throw new Error("it was not refused");
    assert.equal(step.reply, hex("00 5b 0000 00000000"));
    assert.match(step.reason, "Weir speaks only SOCKS 5");
  });

  test("given any bytes, ends by itself and asks for at most 262 of them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (drawn) => {
        const bytes = Buffer.from(drawn);
        assert.type(beginsSocks(bytes), "boolean");
        for (const step of [
          readGreeting(bytes),
          readRequest(bytes),
          readRequest(Buffer.concat([hex("05 01 00"), bytes])),
        ])
          if (step === "incomplete") assert.ok(bytes.length < 262);
          else if (step.kind === "read") assert.ok(step.length <= 262);
      }),
    );
  });

  test("given each kind of failure, replies with the code of RFC 1928", () => {
    const codes = ERROR_TYPES.map((type) => [type, failureReply(type)[1] ?? 0] as const).filter(
      ([, code]) => code !== 1,
    );
    assert.equal(Object.fromEntries(codes), {
      "name-not-resolved": 4,
      "connection-refused": 5,
      "connection-timeout": 4,
      "host-unreachable": 4,
      "loop-refused": 2,
      "target-refused": 2,
    });
  });
});
