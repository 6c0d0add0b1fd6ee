import fc from "fast-check";
import * as assert from "uvu/assert";
import {
  destinationOf,
  type Ingress,
  innerRoute,
  namedBy,
  routeTo,
} from "../../../../../extensions/proxy/data-thread/network/client/destination.ts";
import { LIMITS } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../../../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { originOf, type Scheme, type Server } from "../../../../../extensions/proxy/data-thread/network/origin.ts";
import { describe } from "../../../../support/describe.ts";

const PROXY: Ingress = { kind: "proxy" };
const TUNNEL: Ingress = routeTo(originOf("https", { host: "in.test", port: 443 }));

/** The destination in one line. */
function seen(startLine: string, route: Ingress = PROXY): string {
  const reader = new RequestReader(LIMITS);
  reader.feed(Buffer.from(`${startLine}\r\nHost: h.test\r\n\r\n`));
  const event = reader.next();
  if (event?.kind !== "head") return "unreadable";
  const destination = destinationOf(event.head, route);
  switch (destination.kind) {
    case "forward":
      return `${destination.origin.text} ${destination.target} ${destination.host}${destination.inClear ? " in clear" : ""}`;
    case "connect":
      return `connect ${destination.authority.host} ${destination.authority.port}`;
    case "direct":
      return `direct ${destination.target}`;
    case "refused":
      return `refused: ${destination.reason}`;
  }
}

describe("request destination", (test) => {
  for (const [line, expected, route] of [
    ["GET http://a.test/x?y HTTP/1.1", "http://a.test /x?y a.test", PROXY],
    ["GET HTTP://A.test:80 HTTP/1.1", "http://a.test / A.test:80", PROXY],
    ["GET http://a.test?q HTTP/1.1", "http://a.test /?q a.test", PROXY],
    ["OPTIONS http://a.test HTTP/1.1", "http://a.test * a.test", PROXY],
    ["GET http://[2001:db8::1]:8080/ HTTP/1.1", "http://[2001:db8::1]:8080 / [2001:db8::1]:8080", PROXY],
    ["GET https://a.test/ HTTP/1.1", "https://a.test / a.test in clear", PROXY],
    ["GET ws://a.test/ HTTP/1.1", "http://a.test / a.test", PROXY],
    ["GET http://xn--bcher-kva.example/ HTTP/1.1", "http://xn--bcher-kva.example / xn--bcher-kva.example", PROXY],
    ["GET /x HTTP/1.1", "direct /x", PROXY],
    ["OPTIONS * HTTP/1.1", "direct *", PROXY],
    ["CONNECT a.test:443 HTTP/1.1", "connect a.test 443", PROXY],
    ["CONNECT [::1]:8443 HTTP/1.0", "connect ::1 8443", PROXY],
    ["GET /x HTTP/1.1", "https://in.test /x null", TUNNEL],
    ["OPTIONS * HTTP/1.1", "https://in.test * null", TUNNEL],
    ["GET https://in.test/x HTTP/1.1", "https://in.test /x in.test", TUNNEL],
    ["GET https://out.test/x HTTP/1.1", "refused: a request target whose origin is not the tunnel's", TUNNEL],
    ["CONNECT a.test:443 HTTP/1.1", "refused: CONNECT inside a tunnel", TUNNEL],
  ] as const) {
    test(`given ${line} ${route.kind === "proxy" ? "to the proxy" : "in a tunnel"}, finds the destination`, () => {
      assert.is(seen(line, route), expected);
    });
  }
});

const ADDRESS = { host: "10.1.2.3", port: 8443 };
const NAMED = { host: "b.test", port: 8443 };

/** The origin and the address to connect to, for a request with this route and Host. */
function named(scheme: Scheme, connect: Server, serverName: string | null, host: string | null): string {
  const { origin, at } = namedBy(innerRoute(scheme, connect, serverName), host);
  return at === null ? origin.text : `${origin.text} at ${at.host}:${at.port}`;
}

describe("tunnel ingress", (test) => {
  for (const [title, expected, scheme, connect, serverName, host] of [
    ["TLS's name, Host's port", "https://a.test at 10.1.2.3:8443", "https", ADDRESS, "a.test", "a.test"],
    ["Host with a port", "https://a.test:444 at 10.1.2.3:8443", "https", ADDRESS, "A.test", "a.TEST:444"],
    ["no Host", "https://a.test:8443 at 10.1.2.3:8443", "https", ADDRESS, "a.test", null],
    ["Host of another name", "https://a.test:8443 at 10.1.2.3:8443", "https", ADDRESS, "a.test", "c.test"],
    ["a name in TLS that differs from CONNECT's", "https://a.test at b.test:8443", "https", NAMED, "a.test", "a.test"],
    ["CONNECT's name in TLS", "https://b.test:8443", "https", NAMED, "B.test", "b.test"],
    [
      "CONNECT's name in TLS without the root's dot",
      "https://b.test.:8443",
      "https",
      { ...NAMED, host: "b.test." },
      "b.test",
      "b.test",
    ],
    ["no name in TLS to an address", "https://a.test at 10.1.2.3:8443", "https", ADDRESS, null, "a.test"],
    ["no name in TLS to a name", "https://b.test:8443", "https", NAMED, null, "a.test"],
    ["an address in TLS", "https://10.1.2.3:8443", "https", ADDRESS, "10.9.9.9", "10.1.2.3:8443"],
    ["another address in Host", "https://10.1.2.3:8443", "https", ADDRESS, null, "10.9.9.9"],
    ["an invalid name in TLS", "https://10.1.2.3:8443", "https", ADDRESS, "a b", null],
    ["clear text to an address", "http://a.test at 10.1.2.3:8443", "http", ADDRESS, null, "a.test"],
    [
      "clear text and a Host that differs from CONNECT's",
      "http://a.test:1 at b.test:8443",
      "http",
      NAMED,
      null,
      "a.test:1",
    ],
    ["clear text and CONNECT's name in Host", "http://b.test:8443", "http", NAMED, null, "b.test"],
    ["clear text without Host", "http://10.1.2.3:8443", "http", ADDRESS, null, null],
  ] as const) {
    test(`given ${title}, routes to ${expected}`, () => assert.is(named(scheme, connect, serverName, host), expected));
  }

  test("given one address, names that differ are origins that differ", () => {
    const label = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
    fc.assert(
      fc.property(label, label, fc.constantFrom("http" as const, "https" as const), (one, other, scheme) => {
        const origins = [one, other].map((name) =>
          named(scheme, ADDRESS, scheme === "https" ? `${name}.test` : null, `${name}.test`),
        );
        assert.is(new Set(origins).size, one === other ? 1 : 2);
      }),
    );
  });

  test("given a route to one origin, keeps that origin whatever Host says", () => {
    const origin = originOf("https", NAMED);
    assert.equal(namedBy(routeTo(origin), "a.test"), { origin, at: null });
  });
});
