import * as assert from "uvu/assert";
import { errorResponse } from "../../../extensions/proxy/data-thread/network/relay/generated-response.ts";
import {
  answeredPlainly,
  bypassed,
  DIRECT,
  matchesOutput,
  missing,
  misspelt,
  REFUSED,
  UNTRUSTED,
} from "../../../src/engine/hub/known-errors.ts";
import { search } from "../../../src/engine/hub/search.ts";
import { TARGETS, targetOf } from "../../../src/engine/hub/targets/index.ts";
import { describe } from "../../support/describe.ts";

const PAST = bypassed("", "").meaning.slice(0, 40);
const MISSING = missing("").meaning;
const MISSPELT = misspelt("").meaning;
/** A proxy URL with the wrong scheme and a server without TLS cause the same error. */
const PLAINLY = answeredPlainly("").meaning;

const CURL_FAILED = "Failed to connect to ::1 port 33609 after 0 ms: Couldn't connect to server";
const CHAIN_FAILED = "state=error: certificate verify failed";

const PLAIN = "Your proxy appears to only use HTTP and not HTTPS";
const WRONG_VERSION = "SSLError(SSLError(1, '[SSL: WRONG_VERSION_NUMBER] wrong version number (_ssl.c:992)'))";
const NEW_CONNECTION = "(Caused by NewConnectionError('<…>: Failed to establish a new connection";
const SOCKS_4 = "The client speaks SOCKS 4.";
const PASSES = "This host passes through Weir undecrypted";
const RECORD = "SSL routines:tls_validate_record_header:wrong version number:record/methods/tlsany_meth.c:78";

const NO_RESPONSE = "Weir has no response to forward";
const WAITED = "The client stopped waiting";
const OTHER_HOST = "The certificate is for another host.";

/** Actual output of the tools after a deliberate mistake. */
const PRINTED: readonly (readonly [slug: string, printed: string, meaning: string])[] = [
  // A proxy address that begins with https://, with a scheme that the tool does not know, or with none.
  ["curl", "curl: (35) OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", PLAINLY],
  ["wget", "Error parsing proxy URL socks5h://127.0.0.1:44961: Unsupported scheme ‘socks5h’.", MISSPELT],
  [
    "git",
    "fatal: unable to access 'https://x/': gnutls_handshake() failed: An unexpected TLS packet was received.",
    PLAINLY,
  ],
  ["python", `(Caused by ProxyError('${PLAIN}, try changing', ${WRONG_VERSION}))`, PLAINLY],
  ["python", `httpx.ConnectError: ${WRONG_VERSION}`, PLAINLY],
  [
    "python",
    `aiohttp.client_exceptions.ClientConnectorSSLError: Cannot connect to host 127.0.0.1:44961 ssl:<…> [${WRONG_VERSION}]`,
    PLAINLY,
  ],
  ["python", "ValueError: Unknown scheme for proxy URL URL('socks5h://127.0.0.1:44961')", MISSPELT],
  ["python", "ImportError: Using SOCKS proxy, but the 'socksio' package is not installed.", MISSPELT],
  ["python", "ProxySchemeUnknown: Proxy URL had unsupported scheme socks5h, should use http:// or https://", MISSPELT],
  ["python", "ProxySchemeUnknown: Proxy URL had no scheme, should start with http:// or https://", MISSPELT],
  ["python", "aiohttp.client_exceptions.InvalidURL: 127.0.0.1:44961", MISSPELT],
  ["httpie", `http: LogLevel.ERROR: ProxyError: (Caused by ProxyError('${PLAIN}, ${WRONG_VERSION}))`, MISSPELT],
  ["nodejs", `Error: 40F3:error:0A00010B:${RECORD}: ERR_SSL_WRONG_VERSION_NUMBER`, PLAINLY],
  [
    "nodejs",
    "[ERR_INVALID_ARG_VALUE]: The property 'options.servername' Setting the TLS ServerName to an IP address is not permitted.. Received '127.0.0.1'",
    MISSPELT,
  ],
  ["nodejs", "InvalidArgumentError: Invalid URL protocol: the URL must start with `http:` or `https:`.", MISSPELT],
  ["nodejs", "TypeError: Invalid URL\n  code: 'ERR_INVALID_URL',\n  input: '127.0.0.1:44961'\n}", MISSPELT],
  ["npm", `npm error code EPROTO\nnpm error reason: write EPROTO 40D3:error:0A00010B:${RECORD}`, PLAINLY],
  ["npm", "npm error code ERR_INVALID_URL\nnpm error Invalid URL", MISSPELT],
  ["go", 'Get "https://x/": proxyconnect tcp: tls: first record does not look like a TLS handshake', MISSPELT],
  ["go", 'Get "https://x/": proxyconnect tcp: dial tcp: lookup socks5h on 10.0.0.1:53: no such host', MISSPELT],
  ["ruby", 'in `split\': bad URI(is not URI?): "127.0.0.1:44961" (URI::InvalidURIError)', MISSPELT],
  ["php", "curl: OpenSSL/3.0.22: error:0A00010B:SSL routines::wrong version number", PLAINLY],
  [
    "php",
    'Failed to open stream: Unable to find the socket transport "http" - did you forget to enable it when you configured PHP?',
    "A stream's proxy URL does not start with tcp://.",
  ],
  ["chromium", "net::ERR_NO_SUPPORTED_PROXIES", MISSPELT],
  ["npm", "npm error code ENOTFOUND\nnpm error syscall getaddrinfo\nnpm error errno ENOTFOUND", PAST],
  ["curl", "curl: (6) Could not resolve host: probe.weir.test", PAST],
  ["git", "fatal: unable to access 'https://probe.weir.test/x/': Could not resolve host: probe.weir.test", PAST],
  ["wget", "wget: unable to resolve host address ‘probe.weir.test’", PAST],
  ["httpie", "http: LogLevel.ERROR: gaierror: [Errno -2] Name or service not known", PAST],
  ["python", "urllib.error.URLError: <urlopen error [Errno -2] Name or service not known>", PAST],
  ["nodejs", "Error: getaddrinfo ENOTFOUND probe.weir.test", PAST],
  ["bun", "TypeError: getaddrinfo ENOTFOUND probe.weir.test", PAST],
  ["deno", "client error (Connect): dns error: failed to lookup address information: Name or service not known", PAST],
  ["go", 'Get "https://probe.weir.test/x": dial tcp: lookup probe.weir.test on 10.0.0.1:53: no such host', PAST],
  ["ruby", "connection to probe.weir.test:443 (getaddrinfo: Name or service not known) (SocketError)", PAST],
  ["php", "php_network_getaddresses: getaddrinfo for probe.weir.test failed: Name or service not known", PAST],
  ["php", "Could not resolve host: probe.weir.test", PAST],
  ["java", "Caused by: java.nio.channels.UnresolvedAddressException", PAST],
  ["python", "FileNotFoundError: [Errno 2] No such file or directory", MISSING],
  ["python", "(Caused by SSLError(FileNotFoundError(2, 'No such file or directory')))", MISSING],
  ["nodejs", "Error: ENOENT: no such file or directory, open '/weir/weir-ca-bundle.pemx'", MISSING],
  ["bun", "ENOENT: no such file or directory, open '/weir/weir-ca-bundle.pemx'", MISSING],
  ["deno", "NotFound: No such file or directory (os error 2): readfile '/weir/weir-ca.pemx'", MISSING],
  ["deno", "error: Uncaught (in promise) Error: Failed opening CA file: No such file or directory", MISSING],
  ["git", "unable to access 'https://x/': Problem with the SSL CA cert (path? access rights?)", MISSING],
  ["httpie", "OSError: Could not find a suitable TLS CA certificate bundle, invalid path: /weir/x.pem", MISSING],
  ["php", "error setting certificate file: /weir/weir-ca-bundle.pemx", MISSING],
  ["php", "PHP Warning:  failed loading cafile stream: `/weir/weir-ca-bundle.pemx' in probe.php", MISSING],
  ["ruby", "in `initialize': SSL_CTX_load_verify_file: system lib (OpenSSL::SSL::SSLError)", MISSING],
  ["java", "keytool error: java.io.FileNotFoundException: /weir/x.pem (No such file or directory)", MISSING],
  ["go", "2026/11/24 03:52:38 open /weir/weir-ca.pemx: no such file or directory", MISSING],
  ["socks", "curl: (97) Can't complete SOCKS4 connection to 0.0.0.0:0. (91), request rejected or failed.", SOCKS_4],
  ["socks", `${NEW_CONNECTION}: 0x5b: Request rejected or failed'))`, SOCKS_4],
  ["socks", "curl: (97) Can't complete SOCKS5 connection to 127.0.0.9. (5)", PASSES],
  ["socks", "curl: (97) Can't complete SOCKS5 connection to x.invalid. (4)", PASSES],
  ["socks", `${NEW_CONNECTION}: 0x05: Connection refused'))`, PASSES],
  ["socks", `${NEW_CONNECTION}: 0x04: Host unreachable'))`, PASSES],
  ["socks", 'Exception in thread "main" java.net.SocketException: SOCKS: Host unreachable', PASSES],
  ["socks", `${NEW_CONNECTION}: [Errno 111] Connection refused'))`, REFUSED],
  ["socks", 'Exception in thread "main" java.net.SocketException: Connection refused', REFUSED],
  [
    "socks",
    "InvalidSchema('Missing dependencies for SOCKS support.')",
    "Python's requests library needs PySocks, which is not installed.",
  ],
  ["terminal", errorResponse(502, "No route to host.", "host-unreachable").body.toString(), NO_RESPONSE],
  ["reverse", errorResponse(502, "The name is unknown.", "dns-failed").body.toString(), NO_RESPONSE],
  ["curl", "curl: (56) CONNECT tunnel failed, response 502", NO_RESPONSE],
  ["python", "OSError: Tunnel connection failed: 502 Bad Gateway", NO_RESPONSE],
  ["python", "HTTPSConnectionPool(host='x', port=443): Read timed out. (read timeout=3)", WAITED],
  ["curl", "curl: (28) Operation timed out after 3001 milliseconds with 0 bytes received", WAITED],
  ["nodejs", "HeadersTimeoutError: Headers Timeout Error\n  code: 'UND_ERR_HEADERS_TIMEOUT'", WAITED],
  ["go", 'Get "https://x/": context deadline exceeded (Client.Timeout exceeded while awaiting headers)', WAITED],
  ["java", "java.net.SocketTimeoutException: Read timed out", WAITED],
  ["ruby", "Net::ReadTimeout with #<TCPSocket:(closed)>", WAITED],
  [
    "python",
    "certificate verify failed: Hostname mismatch, certificate is not valid for 'x.test'. (_ssl.c:997)",
    OTHER_HOST,
  ],
  ["curl", "curl: (60) SSL: no alternative certificate subject name matches target host name 'x.test'", OTHER_HOST],
  [
    "nodejs",
    "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: x.test.",
    OTHER_HOST,
  ],
  ["go", "tls: failed to verify certificate: x509: certificate is valid for y.test, not x.test", OTHER_HOST],
  [
    "java",
    "java.security.cert.CertificateException: No subject alternative DNS name matching x.test found.",
    OTHER_HOST,
  ],
  // A proxy that listens at an IPv6 address.
  ["curl", `curl: (7) ${CURL_FAILED}`, REFUSED],
  ["git", `fatal: unable to access 'https://probe.example/anything/weir/git/': ${CURL_FAILED}`, REFUSED],
  ["wget", "Connecting to [::1]:36417... failed: Connection refused.", REFUSED],
  ["nodejs", "Error: connect ECONNREFUSED ::1:33755", REFUSED],
  ["postman", "tunneling socket could not be established, cause=connect ECONNREFUSED ::1:33755", REFUSED],
  ["bruno", "probe (connect ECONNREFUSED ::1:33755)", REFUSED],
  ["go", "proxyconnect tcp: dial tcp [::1]:44931: connect: connection refused", REFUSED],
  [
    "python",
    "aiohttp.client_exceptions.ClientProxyConnectionError: Cannot connect to host ::1:41077 ssl:default",
    REFUSED,
  ],
  [
    "ruby",
    "Failed to open TCP connection to ::1:38977 (Connection refused - connect(2) for [::1]:38977) (Errno::ECONNREFUSED)",
    REFUSED,
  ],
  [
    "ruby",
    `SSL_connect returned=1 errno=0 peeraddr=[::1]:37429 ${CHAIN_FAILED} (self-signed certificate in certificate chain) (OpenSSL::SSL::SSLError)`,
    UNTRUSTED,
  ],
];

describe("known errors", (test) => {
  for (const [slug, printed, meaning] of PRINTED) {
    test(`given output of ${slug}, one known error matches and explains: ${printed}`, () => {
      const told = targetOf(slug)?.knownErrors.filter((trouble) => matchesOutput(trouble, printed)) ?? [];
      assert.is(told.length, 1);
      assert.is(told[0]?.meaning.startsWith(meaning), true, told[0]?.meaning);
    });
  }

  test("given an error that any client can get, search lists every page that explains the error", () => {
    const slugs = (printed: string) =>
      search(TARGETS, printed).flatMap(({ found }) => found.map(({ target }) => target.slug));
    const all = TARGETS.map(({ slug }) => slug);
    assert.equal(slugs(errorResponse(502, "No route to host.").body.toString()), all);
    assert.equal(slugs("Read timed out."), all);
    assert.equal(
      slugs("Hostname mismatch"),
      all.filter((slug) => slug !== "reverse"),
    );
  });

  test("given a known error's text, matches output in that order whatever its case, hyphens and line breaks", () => {
    const isTold = (text: string, output: string) => matchesOutput({ text }, output);
    const chain = "certificate verify failed: self-signed certificate in certificate chain";
    assert.ok(
      isTold(chain, "  SSLError: Certificate verify\r\n  failed: self signed  certificate in certificate\nchain\n"),
    );
    assert.ok(isTold(`${chain} / ${chain}, self-signed`, `${chain}, self signed: self signed`));
    assert.ok(isTold("first … then … last", "first, and then,\nat last"));
    assert.not.ok(isTold("first … then … last", "last, and then, at first"));
    assert.not.ok(isTold("once … once", "once"));
    assert.ok(isTold("never / once", "only once"));
    assert.not.ok(isTold("listens on 127.0.0.1:…", "listens nowhere"));
    assert.is(bypassed("Why.").text, "No error, and nothing is captured");
    assert.match(bypassed("Why.").meaning, /^The request bypassed the proxy\. Why\.$/);
    assert.is(bypassed("Why.", "no such host").text, "No error, and nothing is captured / no such host");
    assert.match(bypassed("Why.", "no such host").meaning, /Only Weir can resolve probe\.weir\.test\. Why\.$/);
  });

  test("given Ruby output that names the server's own port, reports that Ruby bypassed the proxy", () => {
    const printed = `SSL_connect returned=1 errno=0 peeraddr=192.0.2.7:443 ${CHAIN_FAILED} (unable to get local issuer certificate) (OpenSSL::SSL::SSLError)`;
    const told = targetOf("ruby")?.knownErrors.filter((trouble) => matchesOutput(trouble, printed)) ?? [];
    assert.equal(
      told.map(({ meaning }) => meaning),
      ["The port in peeraddr is the server's: Ruby bypassed the proxy.", DIRECT.meaning],
    );
  });
});
