import { isIP, type Socket } from "node:net";
import * as tls from "node:tls";
import type { CertificateFacts, TlsFacts, TlsParameters } from "../../../../../src/engine/capture/event.ts";
import { evictOldest } from "../../../../../src/engine/model/evict-oldest.ts";
import type { Origin } from "../origin.ts";
import { LEAST_ROOM } from "../sockets/buffer-budget.ts";
import type { ClientIdentity } from "./client-certificates.ts";
import type { TrustedForHost } from "./host-authorities.ts";

/** The most routes whose latest TLS session is kept for resumption. */
const SESSIONS = 1_000;
/** The most certificates that are read of a chain. Real chains have 2 to 4. */
const CHAIN = 10;

/** The server for a TLS connection, and what is required of it. */
export interface TlsTarget {
  readonly origin: Origin;
  /** Targets with the same key may share TLS sessions. */
  readonly key: string;
  /** Whether to connect even if the certificate cannot be verified. */
  readonly unverified: boolean;
  readonly identity: ClientIdentity | null;
  readonly authority: TrustedForHost | null;
  /** The ALPN protocols to offer (RFC 7301). */
  readonly protocols: readonly string[];
}

export interface Handshake {
  readonly socket: tls.TLSSocket;
  /** Valid after `secureConnect`. */
  readonly facts: () => TlsFacts;
  /** Whether the certificate failed verification and a setting allowed that. Valid after `secureConnect`. */
  readonly unverifiedAllowed: () => boolean;
}

interface KnownContext {
  /** The number of changes of trust before it. */
  readonly generation: number;
  /** That of its client certificate; 0 without one. */
  readonly serial: number;
  readonly context: tls.SecureContext;
}

/** TLS with servers. Keeps the contexts, which are replaced when trust changes, and the sessions to resume. */
export class UpstreamTls {
  readonly #trusted: () => readonly string[] | undefined;
  #ca: readonly string[] | undefined;
  /** By the host's CA files, else by the client certificate, else by this object. */
  readonly #contexts = new WeakMap<object, KnownContext>();
  #generation = 0;
  readonly #sessions = new Map<string, Buffer>();

  constructor(trusted: () => readonly string[] | undefined) {
    this.#trusted = trusted;
  }

  /** The number of changes of trust so far. A certificate that was verified before a change must be verified again. */
  currentGeneration(): number {
    this.#followTrust();
    return this.#generation;
  }

  /**
   * Creates the TLS context before the handshake. The first context takes some 35 ms, and would distort an exchange's
   * times.
   */
  prepare(identity: ClientIdentity | null, authority: TrustedForHost | null): void {
    this.#contextFor(identity, authority);
  }

  /**
   * Begins the handshake over `socket`. The certificate is verified for the origin's host, unless the user allowed an
   * invalid certificate for that host.
   */
  connect(socket: Socket, { origin, key, unverified, identity, authority, protocols }: TlsTarget): Handshake {
    const secureContext = this.#contextFor(identity, authority);
    const host = origin.host.replace(/\.$/, "");
    let certificates: readonly CertificateFacts[] = [];
    const session = this.#sessions.get(key);
    const options: tls.ConnectionOptions & { readonly highWaterMark: number } = {
      socket,
      host,
      // Limits what a paused connection buffers. Node's types do not know this option.
      highWaterMark: LEAST_ROOM,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext,
      ...(session === undefined ? {} : { session }),
      ...(protocols.length === 0 ? {} : { ALPNProtocols: [...protocols] }),
      // docs/specification.md, Upstream TLS: the user may list hosts whose certificate need not be valid.
      rejectUnauthorized: !unverified,
      // Called only in full handshakes. Keeps the chain, because reading it again would double the cost.
      checkServerIdentity: (name, certificate) => {
        certificates = chainOf(certificate);
        return tls.checkServerIdentity(name, certificate);
      },
    };
    const secured = tls.connect(options);
    const generation = this.#generation;
    secured.on("session", (ticket: Buffer) => {
      // A resumed session is not verified again, so sessions that were verified before a change of trust are not kept.
      if (generation === this.#generation) this.#keep(key, ticket);
    });
    return {
      socket: secured,
      facts: () => factsOf(secured, secured.authorized ? certificates : chainOf(secured.getPeerCertificate(true))),
      unverifiedAllowed: () => !secured.authorized,
    };
  }

  #contextFor(identity: ClientIdentity | null, authority: TrustedForHost | null): tls.SecureContext {
    this.#followTrust();
    const used = identity?.kind === "identity" ? identity : null;
    const owner = authority ?? used ?? this;
    const serial = used?.serial ?? 0;
    const known = this.#contexts.get(owner);
    if (known?.generation === this.#generation && known.serial === serial) return known.context;
    const context = tls.createSecureContext({ ...trustOf(this.#ca, authority), ...used?.options });
    this.#contexts.set(owner, { generation: this.#generation, serial, context });
    return context;
  }

  /** After a change of trust, drops older contexts and sessions. */
  #followTrust(): void {
    const ca = this.#trusted();
    if (this.#generation > 0 && ca === this.#ca) return;
    this.#ca = ca;
    this.#generation += 1;
    this.#sessions.clear();
  }

  #keep(key: string, ticket: Buffer): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, ticket);
    evictOldest(this.#sessions, SESSIONS);
  }
}

function isReadable(pem: string): boolean {
  try {
    tls.createSecureContext({ ca: pem });
    return true;
  } catch {
    return false;
  }
}

/** Certificates of `authority` that cannot be read are left out: they verify nothing. */
function trustOf(ca: readonly string[] | undefined, authority: TrustedForHost | null): tls.SecureContextOptions {
  if (authority === null) return ca === undefined ? {} : { ca: [...ca] };
  const added = authority.certificates.filter(isReadable);
  // As the user chose these certificates, an intermediate one among them ends the chain (RFC 5280, 6.1: trust anchor).
  return { ca: [...(ca ?? tls.rootCertificates), ...added], allowPartialTrustChain: true };
}

/** What both ends agreed on. Valid once the handshake has ended. */
export function tlsParametersOf(socket: tls.TLSSocket): TlsParameters {
  return Object.freeze({
    version: socket.getProtocol() ?? "unknown",
    cipher: socket.getCipher().standardName,
    alpn: typeof socket.alpnProtocol === "string" ? socket.alpnProtocol : null,
    resumed: socket.isSessionReused(),
  });
}

function factsOf(socket: tls.TLSSocket, certificates: readonly CertificateFacts[]): TlsFacts {
  return Object.freeze({ ...tlsParametersOf(socket), certificates });
}

/**
 * The facts of the server's certificate chain, from `leaf` on. Stops after a self-signed certificate, which is its own
 * issuer.
 */
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

/** The most characters kept of a certificate's names, and of its subject or issuer; a server may send 64 KB of each. */
const LONGEST_NAMES = 4_096;

function cut(text: string): string {
  return text.length <= LONGEST_NAMES ? text : `${text.slice(0, LONGEST_NAMES)}…`;
}

function certificateFacts(certificate: Partial<tls.PeerCertificate>): CertificateFacts {
  return Object.freeze({
    subject: cut(nameOf(certificate.subject)),
    issuer: cut(nameOf(certificate.issuer)),
    names: cut(certificate.subjectaltname ?? ""),
    validFrom: certificate.valid_from ?? "",
    validTo: certificate.valid_to ?? "",
    fingerprint: certificate.fingerprint256 ?? "",
  });
}

/** A distinguished name as text, `C=…, O=…, CN=…`. Node gives a field that occurs several times as a list. */
function nameOf(name: object | undefined): string {
  return Object.entries(name ?? {})
    .flatMap(([key, value]) => [value].flat().map((one) => `${key}=${String(one)}`))
    .join(", ");
}
