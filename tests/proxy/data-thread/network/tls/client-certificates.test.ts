import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as assert from "uvu/assert";
import { describe } from "../../../../support/describe.ts";
import { opensslCertificate, pfxOf } from "../../../../support/openssl-certificate.ts";
import { answerTo } from "../../../../support/plain-client.ts";
import { answering, ok, rawServer } from "../../../../support/raw-server.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { withProxy } from "../../../../support/test-proxy.ts";
import { needs } from "../../../../support/which.ts";

describe("client certificates", (test) => {
  test(
    "given a server that asks for a certificate, presents the host's PEM or PFX, and reports an unreadable file",
    () =>
      withFolder((folder) =>
        withProxy({}, async (proxy) => {
          const other = opensslCertificate(folder, "a.test", {});
          const { key, cert, ca } = opensslCertificate(folder, "ada.test", {});
          const [pem, pfx] = [join(folder, "ada.pem"), join(folder, "ada.pfx")];
          proxy.trust([other.ca]);
          await writeFile(pem, cert + key);
          pfxOf(folder, pfx, "secret");
          const seen: string[] = [];
          const server = await rawServer(
            answering(() => ok("known")),
            { key: other.key, cert: other.cert, ca: [ca], requestCert: true, rejectUnauthorized: true },
          );
          const url = `https://a.test:${server.port}/`;
          for (const [file, passphrase, words] of [
            [null, null, "tls-client-certificate"],
            [pem, null, "known"],
            [pfx, "secret", "known"],
            [pfx, "wrong", "could not be used"],
            [join(folder, "none.pem"), null, "ENOENT"],
          ] as const) {
            proxy.settings.clientCertificates = file === null ? [] : [{ host: "*.test", file, passphrase }];
            const answer = await answerTo(proxy, url);
            assert.match(answer, words);
            seen.push(answer);
          }
          // Replaces the bad file at the configured path by a good one.
          await writeFile(join(folder, "none.pem"), cert + key);
          assert.match(await answerTo(proxy, url), "known");
          assert.not.match(seen.join("") + JSON.stringify(proxy.traffic.events), /PRIVATE KEY|secret/);
          await server.stop();
        }),
      ),
    { skip: needs("openssl") },
  );
});
