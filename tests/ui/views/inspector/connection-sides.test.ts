import * as assert from "uvu/assert";
import { connectionSidesOf, http3Text } from "../../../../src/ui/views/inspector/connection-sides.ts";
import { describe } from "../../../support/describe.ts";
import { checkout } from "./detail.ts";

const TLS = { version: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "h2", resumed: false, certificates: [] };

function side(name: string, ...[change, exchange]: Parameters<typeof checkout>): string | undefined {
  return connectionSidesOf(checkout(change, exchange)).find(([called]) => called === name)?.[1];
}

describe("client and server side in the inspector", (test) => {
  test("given both sides, shows the HTTP version, TLS, connection and use of each", () => {
    const server = { address: "203.0.113.7:443", tls: TLS };
    const both = { protocol: "h2", clientStream: 9, stream: 7, reused: true };
    const clientTls = { version: "TLSv1.2", cipher: "TLS_RSA_WITH_AES_128_CBC_SHA", alpn: null, resumed: false };
    assert.is(
      side("Client side", { server, clientTls }, both),
      "HTTP/2, TLSv1.2, TLS_RSA_WITH_AES_128_CBC_SHA, no ALPN, stream 9 of connection 2",
    );
    assert.is(side("Client side", { server }, both), "HTTP/2, TLS unknown, stream 9 of connection 2");
    assert.is(
      side("Server side", { server }, both),
      "HTTP/2, TLSv1.3, TLS_AES_128_GCM_SHA256, ALPN h2, stream 7 of connection 3, reused",
    );
    const older = { server: { ...server, tls: { ...TLS, alpn: null } }, responseHead: "HTTP/1.0 200 OK\r\n\r\n" };
    assert.is(side("Server side", older), "HTTP/1.0, TLSv1.3, TLS_AES_128_GCM_SHA256, no ALPN, connection 3, new");
    const plain = { origin: "http://api.shop.test" };
    assert.is(side("Client side", {}, plain), "HTTP/1.1, no TLS, connection 2");
    assert.is(side("Server side", {}, plain), "HTTP/1.1, no TLS, connection 3, new");
  });

  test("given a client that offered HTTP/2 while it is off, says why HTTP/1.1 was used", () => {
    const offered = { tags: ["http2-offered"] } as const;
    assert.match(
      side("Client side", {}, offered) ?? "",
      /^HTTP\/1\.1, though the client offered HTTP\/2, which is off/,
    );
  });

  test("given missing facts, distinguishes what is unknown from what did not happen", () => {
    const none = { connection: null, reused: null };
    assert.is(side("Server side", { server: null }, none), "none: no connection was used");
    assert.is(side("Server side", { server: null }, { ...none, outcome: null }), "not known yet");
    const imported = { ...none, clientConnection: null, tags: ["imported"] } as const;
    assert.is(side("Server side", { server: null }, imported), "unknown: the HAR file does not say");
    assert.is(side("Client side", {}, imported), "HTTP/1.1, TLS unknown, connection unknown");
    assert.match(side("Server side") ?? "", /^HTTP\/1\.1, TLS unknown, connection 3/);
    const failed = { outcome: { kind: "failed", errorType: "server-closed", detail: "", status: 502 } } as const;
    assert.match(side("Server side", {}, failed) ?? "", /^HTTP version unknown/, "the head is Weir's");
    assert.match(side("Server side", {}, { tags: ["tunnel"] }) ?? "", /^not read: a tunnel/);
    assert.match(side("Client side", {}, { tags: ["https-in-clear"] }) ?? "", /^HTTP\/1\.1, no TLS/);
  });

  test("given a server that offers HTTP/3, says that browsers use it, and what was used here", () => {
    const head = (altSvc: string) => `HTTP/1.1 200 OK\r\nAlt-Svc: ${altSvc}\r\n\r\n`;
    const text = (altSvc: string, exchange: Parameters<typeof checkout>[1] = {}) =>
      http3Text(checkout({ responseHead: head(altSvc) }, exchange));
    const begin = "browsers use HTTP/3 with this server; through Weir";
    assert.is(text('h3=":443"; ma=86400'), `${begin} HTTP/1.1`);
    assert.is(text('h2="a.test:443", H3-29 = ":443"', { stream: 7 }), `${begin} HTTP/2`);
    for (const other of ["clear", 'h2=":443"', 'h2="h3=a"', 'xh3=":443"']) assert.is(text(other), null, other);
    assert.is(http3Text(checkout()), null);
    assert.is(http3Text(checkout({ responseHead: null })), null);
    const failed = { kind: "failed", errorType: "server-reset", detail: "", status: 502 } as const;
    assert.is(text('h3=":443"', { outcome: failed }), null, "its head may be Weir's own");
  });
});
