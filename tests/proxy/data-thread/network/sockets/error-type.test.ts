import * as assert from "uvu/assert";
import {
  clientTlsFailureOf,
  errorTypeOf,
  statusFor,
} from "../../../../../extensions/proxy/data-thread/network/sockets/error-type.ts";
import { ERROR_TYPES } from "../../../../../src/engine/model/exchange.ts";
import { describe } from "../../../../support/describe.ts";

function coded(code: string, message = "no words"): Error {
  return Object.assign(new Error(message), { code });
}

describe("error type", (test) => {
  for (const [code, errorType] of [
    ["ENOTFOUND", "name-not-resolved"],
    ["EAI_AGAIN", "name-not-resolved"],
    ["ECONNREFUSED", "connection-refused"],
    ["ETIMEDOUT", "connection-timeout"],
    ["EHOSTUNREACH", "host-unreachable"],
    ["ENETUNREACH", "host-unreachable"],
    ["EMFILE", "host-unreachable"],
    ["ECONNRESET", "server-reset"],
    ["EPIPE", "server-reset"],
    ["ERR_HTTP2_PING_UNANSWERED", "response-timeout"],
    ["ERR_HTTP2_TRAILER_TOO_LONG", "request-malformed"],
    ["ERR_HTTP2_NO_SETTINGS", "response-malformed"],
    ["CERT_HAS_EXPIRED", "tls-expired"],
    ["CERT_NOT_YET_VALID", "tls-not-yet-valid"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "tls-wrong-host"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "tls-untrusted"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "tls-untrusted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls-untrusted"],
    ["ERR_TLS_DH_PARAM_SIZE", "tls-weak"],
    ["ERR_SSL_DH_KEY_TOO_SMALL", "tls-weak"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "tls-client-certificate"],
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "tls-client-certificate"],
    ["ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE", "tls-client-certificate"],
    ["ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED", "tls-client-certificate"],
    ["ERR_SSL_UNSAFE_LEGACY_RENEGOTIATION_DISABLED", "tls-renegotiation"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls-protocol"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls-protocol"],
    ["ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL", "tls-protocol"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "tls-failed"],
    ["ENEWCODE", "server-reset"],
  ] as const) {
    test(`given ${code}, records ${errorType} and a sentence that ends with the code`, () => {
      const failure = errorTypeOf(coded(code));
      assert.is(failure.errorType, errorType);
      assert.match(failure.detail, /^[A-Z].*\. \(.+\)$/);
      assert.match(failure.detail, code);
    });
  }

  test("given a stream's reset that Weir may have caused, names both possible causes", () => {
    const detailOf = (name: string): string =>
      errorTypeOf(coded("ERR_HTTP2_STREAM_ERROR", `Stream closed with error code NGHTTP2_${name}`)).detail;
    for (const name of ["PROTOCOL_ERROR", "ENHANCE_YOUR_CALM"])
      assert.match(detailOf(name), new RegExp(`the request's stream, or Weir did because .+\\. \\(${name}\\)$`));
    assert.is(detailOf("INTERNAL_ERROR"), "The server reset the request's stream. (INTERNAL_ERROR)");
  });

  test("given ETIMEDOUT, records connection-timeout only for connect, and server-reset for reads and writes", () => {
    const causes = ["connect", "read", "write"].map((syscall) =>
      errorTypeOf(Object.assign(coded("ETIMEDOUT"), { syscall })),
    );
    assert.equal(
      causes.map(({ errorType }) => errorType),
      ["connection-timeout", "server-reset", "server-reset"],
    );
  });

  for (const [code, errorType] of [
    ["ERR_SSL_TLSV1_ALERT_UNKNOWN_CA", "client-rejected-certificate"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN", "client-rejected-certificate"],
    ["ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE", "client-rejected-certificate"],
    ["ERR_SSL_TLSV1_ALERT_ACCESS_DENIED", "client-rejected-certificate"],
    ["ERR_SSL_TLSV1_ALERT_DECRYPT_ERROR", "client-rejected-certificate"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED", "client-rejected-certificate"],
    ["ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED", "client-rejected-certificate"],
    ["ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE", "client-rejected-certificate"],
    ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", "client-tls-failed"],
    ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "client-tls-failed"],
    ["ERR_SSL_TLSV1_ALERT_USER_CANCELLED", "client-tls-failed"],
    ["ERR_SSL_UNSUPPORTED_PROTOCOL", "client-tls-failed"],
    ["ERR_SSL_NO_SHARED_CIPHER", "client-tls-failed"],
  ] as const) {
    test(`given ${code} from a client, records ${errorType}`, () => {
      assert.is(clientTlsFailureOf(coded(code))?.errorType, errorType);
    });
  }

  test("given a client that closes without an alert, records no failure", () => {
    assert.is(clientTlsFailureOf(null), null);
    for (const code of ["ECONNRESET", "EPIPE"]) assert.is(clientTlsFailureOf(coded(code)), null);
  });

  test("given every error type, has a status of 400 or above", () => {
    for (const errorType of ERROR_TYPES) assert.ok(statusFor(errorType) >= 400);
  });
});
