import { isIP, type Socket } from "node:net";
import * as tls from "node:tls";
import type { CertificateFacts, TlsFacts } from "../../../src/engine/capture/event.ts";
import { forgetOldest } from "../../../src/engine/model/forget-oldest.ts";
import type { ClientIdentity } from "./client-certificates.ts";
import type { Way } from "./way.ts";

/** Our choice: ways whose last TLS session is kept for resumption. */
const SESSIONS = 1_000;
/** Our choice; real chains have 2 to 4. */
const CHAIN = 10;

/** Whom to speak TLS with, and on what terms. */
export type TlsTarget = Pick<Way, "origin" | "key" | "unverified" | "identity"> & {
  /** What may be spoken inside (RFC 7301). */
  readonly protocols: readonly string[];
};

export interface Handshake {
  readonly socket: tls.TLSSocket;
  /** To be read once `secureConnect` came. */
  readonly facts: () => TlsFacts;
  /** Likewise: whether the certificate could not be verified, and that was allowed. */
  readonly excepted: () => boolean;
}

/** Our side as a TLS client: one context for all servers, rebuilt when trust changes, and the sessions to resume. */
export class UpstreamTls {
  readonly #trusted: () => readonly string[] | undefined;
  #ca: readonly string[] | undefined;
  #context: tls.SecureContext | null = null;
  /** One context for each of the user's own certificates. */
  readonly #identified = new WeakMap<
    ClientIdentity,
    { readonly generation: number; readonly context: tls.SecureContext }
  >();
  #generation = 0;
  readonly #sessions = new Map<string, Buffer>();

  constructor(trusted: () => readonly string[] | undefined) {
    this.#trusted = trusted;
  }

  /** Counts how often trust has changed: what was verified under another number is no longer good. */
  get generation(): number {
    this.#followTrust();
    return this.#generation;
  }

  /** Makes what a handshake needs, if it is not there yet: the first time some 35 ms, which no exchange's times should hold. */
  prepare(identity: ClientIdentity | null): void {
    this.#contextFor(identity);
  }

  /** Begins the handshake over `socket`. Verified against the origin's host, unless the user has excepted that host. */
  connect(socket: Socket, { origin, key, unverified, identity, protocols }: TlsTarget): Handshake {
    const secureContext = this.#contextFor(identity);
    const host = origin.host.replace(/\.$/, "");
    let certificates: readonly CertificateFacts[] = [];
    const session = this.#sessions.get(key);
    const secured = tls.connect({
      socket,
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext,
      ...(session === undefined ? {} : { session }),
      ALPNProtocols: [...protocols],
      // decisions.md, Upstream TLS: only for the hosts that the user has named.
      rejectUnauthorized: !unverified,
      // Called with the whole chain already read, on full handshakes only: reading it again would double the cost.
      checkServerIdentity: (name, certificate) => {
        certificates = chainOf(certificate);
        return tls.checkServerIdentity(name, certificate);
      },
    });
    const generation = this.#generation;
    secured.on("session", (ticket: Buffer) => {
      // Whoever resumes it is not verified again, and trust may have changed in the middle of the handshake.
      if (generation === this.#generation) this.#keep(key, ticket);
    });
    return {
      socket: secured,
      facts: () => factsOf(secured, secured.authorized ? certificates : chainOf(secured.getPeerCertificate(true))),
      excepted: () => !secured.authorized,
    };
  }

  #contextFor(identity: ClientIdentity | null): tls.SecureContext {
    this.#followTrust();
    if (identity?.kind !== "identity") {
      this.#context ??= tls.createSecureContext(trustOf(this.#ca));
      return this.#context;
    }
    const known = this.#identified.get(identity);
    if (known?.generation === this.#generation) return known.context;
    const context = tls.createSecureContext({ ...trustOf(this.#ca), ...identity.options });
    this.#identified.set(identity, { generation: this.#generation, context });
    return context;
  }

  /** Forgets what was made under another trust. */
  #followTrust(): void {
    const ca = this.#trusted();
    if (this.#generation > 0 && ca === this.#ca) return;
    this.#ca = ca;
    this.#generation += 1;
    this.#sessions.clear();
    this.#context = null;
  }

  #keep(key: string, ticket: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, ticket);
    forgetOldest(this.#sessions, SESSIONS);
  }
}

function trustOf(ca: readonly string[] | undefined): tls.SecureContextOptions {
  return ca === undefined ? {} : { ca: [...ca] };
}

function factsOf(socket: tls.TLSSocket, certificates: readonly CertificateFacts[]): TlsFacts {
  return Object.freeze({
    version: socket.getProtocol() ?? "unknown",
    cipher: socket.getCipher().standardName,
    alpn: typeof socket.alpnProtocol === "string" ? socket.alpnProtocol : null,
    resumed: socket.isSessionReused(),
    certificates,
  });
}

/** A self-signed certificate is its own issuer: there the chain ends. */
function chainOf(leaf: tls.PeerCertificate): readonly CertificateFacts[] {
  const chain: CertificateFacts[] = [];
  let at: Partial<tls.DetailedPeerCertificate> | undefined = leaf;
  const seen = new Set<unknown>();
  while (at?.raw !== undefined && !seen.has(at) && chain.length < CHAIN) {
    seen.add(at);
    chain.push(certificateFacts(at));
    at = at.issuerCertificate;
  }
  return Object.freeze(chain);
}

function certificateFacts(certificate: Partial<tls.PeerCertificate>): CertificateFacts {
  return Object.freeze({
    subject: nameOf(certificate.subject),
    issuer: nameOf(certificate.issuer),
    names: certificate.subjectaltname ?? "",
    validFrom: certificate.valid_from ?? "",
    validTo: certificate.valid_to ?? "",
    fingerprint: certificate.fingerprint256 ?? "",
  });
}

/** `C=…, O=…, CN=…`; a field that occurs several times comes as a list. */
function nameOf(name: object | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([key, value]) => [value].flat().map((one) => `${key}=${String(one)}`))
    .join(", ");
}
