import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../support/describe.ts";
import { withFolder } from "../../support/temporary-folder.ts";
import { withProxy } from "../../support/test-proxy.ts";
import { runTool } from "../../support/tool.ts";
import { needs } from "../../support/which.ts";

/** The checks of Python 3.13's default context (its "What's New", ssl), for any Python that supports the flags. */
const CLIENT = `
import socket, ssl, sys
port, host, ca = int(sys.argv[1]), sys.argv[2], sys.argv[3]
authority = "[%s]:443" % host if ":" in host else host + ":443"
raw = socket.create_connection(("127.0.0.1", port))
raw.sendall(("CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n" % (authority, authority)).encode())
assert b" 200 " in raw.recv(4096)
context = ssl.create_default_context(cafile=ca)
context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
with context.wrap_socket(raw, server_hostname=host) as secure:
    print(secure.version())
`;

describe("strict verification by Python 3.13", (test) => {
  for (const host of ["a.test", "xn--bcher-kva.test", "127.0.0.1", "::1"]) {
    test(
      `given ${host}, Python's strict verification accepts its leaf`,
      () =>
        withProxy({}, (proxy) =>
          withFolder(async (folder) => {
            const [client, ca] = [join(folder, "client.py"), join(folder, "ca.pem")];
            await writeFile(client, CLIENT);
            await writeFile(ca, proxy.clientCa);
            const { output } = await runTool(["python3", client, String(proxy.port), host, ca], folder);
            assert.match(output, /^TLSv1\.[23]$/m);
          }),
        ),
      { skip: needs("python3") },
    );
  }
});
