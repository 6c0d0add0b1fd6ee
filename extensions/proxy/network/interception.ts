import { TLSSocket } from "node:tls";
import type { Milliseconds } from "../../../src/engine/model/units.ts";
import { clientTlsFailureOf } from "./error-type.ts";
import { speaksHttp2 } from "./http2-hosts.ts";
import { protocolFor } from "./http2-offer.ts";
import type { Network } from "./network.ts";
import type { Origin } from "./origin.ts";
import { isOwnName } from "./own-answers.ts";
import { type TunnelEnds, tunnelRecording } from "./tunnel-ends.ts";

/** Our choice: who closes within this time after its hello, without a request, did not like what it saw; later, it was a spare connection. */
const REJECTION: Milliseconds = 2_000;

/** Answers as `origin` in the client's TLS handshake, and reads the requests inside. The client's first bytes were put back. */
export function intercept(ends: TunnelEnds, origin: Origin, network: Network): void {
  const { leaves, clock, settings } = network.options;
  const http2 = speaksHttp2(settings(), origin.host);
  const begun = clock.now();
  if (!isOwnName(origin.host)) network.upstream.prepare(origin);
  const secured: TLSSocket = new TLSSocket(ends.socket, {
    isServer: true,
    // Clients send no name for an address; what they asked CONNECT for is what they check.
    secureContext: leaves.contextFor(origin.host),
    SNICallback: (name, done) => done(null, leaves.contextFor(name)),
    ALPNCallback: ({ protocols }) => protocolFor(secured, protocols, http2),
  });
  // Without a tls.Server nobody else ends a connection whose TLS breaks after the handshake.
  secured.on("_tlsError", (error: Error) => secured.destroy(error));
  const unused = (error: Error | null): void => {
    const at = clock.now();
    if (error === null && at - begun > REJECTION) return;
    tunnelRecording(ends, origin, network).ended(at, { kind: "failed", ...clientTlsFailureOf(error), status: null });
  };
  const http1 = network.serve(secured, { kind: "origin", origin }, { unused, transport: ends.socket });
  secured.once("secure", () => {
    if (secured.alpnProtocol !== "h2") return;
    http1.handOver();
    // What a tls.Server does at this moment, and HTTP/2 waits for.
    Object.assign(secured, { secureConnecting: false });
    network.serveHttp2(secured, origin, { unused });
  });
}
