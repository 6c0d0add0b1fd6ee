import * as assert from "uvu/assert";
import { destinationOf, type Ingress } from "../../../../../extensions/proxy/data-thread/network/client/destination.ts";
import { routeTo } from "../../../../../extensions/proxy/data-thread/network/client/tunnel-route.ts";
import { LIMITS } from "../../../../../extensions/proxy/data-thread/network/http1/message.ts";
import { RequestReader } from "../../../../../extensions/proxy/data-thread/network/http1/request-reader.ts";
import { originOf } from "../../../../../extensions/proxy/data-thread/network/origin.ts";
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

describe("destination", (test) => {
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
    test(`${line}, ${route.kind === "proxy" ? "to the proxy" : "in a tunnel"}`, () => {
      assert.is(seen(line, route), expected);
    });
  }
});
