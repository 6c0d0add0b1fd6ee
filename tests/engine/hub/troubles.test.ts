import * as assert from "uvu/assert";
import { targetOf } from "../../../src/engine/hub/targets/index.ts";
import { bypassed, isToldBy, missing } from "../../../src/engine/hub/troubles.ts";
import { describe } from "../../support/describe.ts";

const PAST = bypassed("", "").meaning.slice(0, 40);
const MISSING = missing("").meaning;

/** What the tools printed when they were run with a mistake made on purpose. */
const PRINTED: readonly (readonly [slug: string, printed: string, meaning: string])[] = [
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
];

describe("troubles", (test) => {
  for (const [slug, printed, meaning] of PRINTED) {
    test(`of ${slug}: ${printed}`, () => {
      const told = targetOf(slug)?.troubles.filter((trouble) => isToldBy(trouble, printed)) ?? [];
      assert.is(told.length, 1);
      assert.is(told[0]?.meaning.startsWith(meaning), true, told[0]?.meaning);
    });
  }
});
