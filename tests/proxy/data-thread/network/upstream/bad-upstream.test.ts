import type { TlsOptions } from "node:tls";
import * as assert from "uvu/assert";
import type { ErrorType } from "../../../../../src/engine/model/exchange.ts";
import { describe } from "../../../../support/describe.ts";
import { withinLoopTime } from "../../../../support/loop-time.ts";
import { opensslCertificate } from "../../../../support/openssl-certificate.ts";
import { RawPeer } from "../../../../support/raw-peer.ts";
import { answering, ok, type RawServer, rawServer } from "../../../../support/raw-server.ts";
import { withFolder } from "../../../../support/temporary-folder.ts";
import { servedBy, testAuthority } from "../../../../support/test-authority.ts";
import { type TestProxy, withProxy } from "../../../../support/test-proxy.ts";
import { needs } from "../../../../support/which.ts";

/*
 * docs/security.md T1: a problem with a server's TLS is reported to the client in words, with the code, within 5 s (a
 * stalled handshake: 15 s); the row has the same cause. With the default limits.
 */

/** A ServerHello of TLS 1.2 without extensions (RFC 5246, 7.4.1.3), and so without that of RFC 5746. */
const OLD_SERVER_HELLO = Buffer.from(`160303002a02000026${"0303"}${"11".repeat(32)}00${"c02f"}00`, "hex");

const DAY = 86_400_000;
const HOST = "a.test";
/** Everything that TLS ever allowed. */
const ANYTHING = "DEFAULT@SECLEVEL=0";
/** RFC 8446, 6: a fatal alert, unrecognized_name. */
const UNRECOGNIZED_NAME = Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x70]);

interface Bad {
  readonly server: RawServer;
  /** The roots that the proxy trusts; `null`: its default. */
  readonly trusted: string | null;
}

interface Case {
  readonly title: string;
  readonly make: (proxy: TestProxy, folder: string) => Promise<Bad>;
  readonly errorType: ErrorType;
  readonly says: RegExp;
  readonly status?: number;
  /** Milliseconds. */
  readonly within?: number;
  readonly tools?: readonly string[];
}

async function served(options: TlsOptions, trusted: string | null = null): Promise<Bad> {
  return {
    server: await rawServer(
      answering(() => ok("x")),
      options,
    ),
    trusted,
  };
}

/** A server that inspects the start of a ClientHello. */
async function plain(then: (peer: RawPeer) => void): Promise<Bad> {
  const server = await rawServer(async (peer) => {
    await peer.bytes(10);
    then(peer);
  });
  return { server, trusted: null };
}

/** A certificate that is valid only at another time. */
async function timed(offset: number): Promise<Bad> {
  const now = Date.now();
  const authority = testAuthority(new Date(now - 600 * DAY), () => now + offset);
  return served(servedBy(authority), authority.pem);
}

const CASES: readonly Case[] = [
  {
    title: "an expired certificate",
    make: () => timed(-500 * DAY),
    errorType: "tls-expired",
    says: /has expired.*CERT_HAS_EXPIRED/,
  },
  {
    title: "a certificate that is not valid yet",
    make: () => timed(10 * DAY),
    errorType: "tls-not-yet-valid",
    says: /not valid yet.*CERT_NOT_YET_VALID/,
  },
  {
    title: "a certificate for another host",
    make: ({ servers }) => served(servedBy(servers, "other.test")),
    errorType: "tls-wrong-host",
    says: /for another host.*ERR_TLS_CERT_ALTNAME_INVALID/,
  },
  {
    title: "a self-signed certificate",
    make: (_, folder) => served(opensslCertificate(folder, HOST, { selfSigned: true })),
    errorType: "tls-untrusted",
    says: /is self-signed.*DEPTH_ZERO_SELF_SIGNED_CERT/,
    tools: ["openssl"],
  },
  {
    title: "an unknown root",
    make: async () => served(servedBy(testAuthority())),
    errorType: "tls-untrusted",
    says: /authority that Weir does not trust.*SELF_SIGNED_CERT_IN_CHAIN/,
  },
  {
    title: "a key that is too short",
    make: async (_, folder) => {
      const { ca, ...own } = opensslCertificate(folder, HOST, { key: ["rsa:1024"] });
      return served({ ...own, ciphers: ANYTHING }, ca);
    },
    errorType: "tls-weak",
    says: /too weak/,
    tools: ["openssl"],
  },
  {
    title: "a signature made with SHA-1",
    make: async (_, folder) => {
      const { ca, ...own } = opensslCertificate(folder, HOST, { digest: "-sha1" });
      return served({ ...own, ciphers: ANYTHING }, ca);
    },
    errorType: "tls-weak",
    says: /too weak/,
    tools: ["openssl"],
  },
  {
    title: "a protocol that is too old",
    make: ({ servers }) =>
      served({ ...servedBy(servers), minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: ANYTHING }),
    errorType: "tls-protocol",
    says: /no safe version of TLS/,
  },
  {
    title: "a server that requires a client certificate",
    make: ({ servers }) => served({ ...servedBy(servers), requestCert: true, rejectUnauthorized: true }),
    errorType: "tls-client-certificate",
    says: /asks for a client certificate/,
  },
  {
    title: "a handshake that stalls",
    make: () => plain(() => {}),
    errorType: "tls-timeout",
    says: /did not finish the TLS handshake/,
    status: 504,
    within: 15_500,
  },
  {
    title: "a reset in the handshake",
    make: () => plain((peer) => peer.socket.resetAndDestroy()),
    errorType: "server-reset",
    says: /reset the connection.*ECONNRESET/,
  },
  {
    title: "plain HTTP on the TLS port",
    make: () => plain((peer) => peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
    errorType: "tls-protocol",
    says: /does not speak TLS on this port/,
  },
  {
    title: "a server without secure renegotiation",
    make: () => plain((peer) => peer.send(OLD_SERVER_HELLO)),
    errorType: "tls-renegotiation",
    says: /lacks secure renegotiation \(RFC 5746\).*host pass through/,
  },
  {
    title: "a server that rejects the hello's server name",
    make: () => plain((peer) => peer.send(UNRECOGNIZED_NAME)),
    errorType: "tls-wrong-host",
    says: /does not know this host name/,
  },
  {
    title: "a server that closes right after the handshake",
    make: async ({ servers }) => ({
      server: await rawServer((peer) => peer.socket.end(), servedBy(servers)),
      trusted: null,
    }),
    errorType: "server-closed",
    says: /closed the connection without a response/,
  },
];

describe("faulty upstream TLS", (test) => {
  for (const { title, make, errorType, says, status = 502, within = 5_000, tools = [] } of CASES) {
    test(
      `given ${title}, gives the reason to the client and in the row`,
      () =>
        withFolder((folder) =>
          withProxy({}, async (proxy) => {
            const { server, trusted } = await make(proxy, folder);
            try {
              if (trusted !== null) proxy.trust([trusted]);
              await isTold(proxy, server.port, { errorType, says, status, within });
            } finally {
              await server.stop();
            }
          }),
        ),
      { skip: needs(...tools) },
    );
  }
});

async function isTold(
  { port, clientCa, traffic }: TestProxy,
  serverPort: number,
  { errorType, says, status, within }: Required<Pick<Case, "errorType" | "says" | "status" | "within">>,
): Promise<void> {
  const client = await RawPeer.secure(port, `${HOST}:${serverPort}`, clientCa);
  client.send(`GET /x HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  const answer = (await withinLoopTime(within, client.rest())).toString();
  client.close();
  assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
  assert.match(answer, says);
  assert.match(answer, errorType);
  const { outcome } = (await traffic.row(0)).ended;
  assert.equal(outcome.kind === "failed" ? [outcome.errorType, outcome.status] : [], [errorType, status]);
  assert.match(outcome.kind === "failed" ? outcome.detail : "", says);
}
