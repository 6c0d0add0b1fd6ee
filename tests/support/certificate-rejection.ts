import { clientHello } from "./client-hello.ts";
import { RawPeer } from "./raw-peer.ts";

/** RFC 8446, 6.2: unknown_ca. */
const UNKNOWN_CA = 48;

/** Starts TLS for `host` through the proxy, and rejects the certificate with the alert `unknown_ca`. */
export async function rejectCertificate(proxyPort: number, host: string, alert: number = UNKNOWN_CA): Promise<void> {
  const hello = await clientHello({ servername: host, maxVersion: "TLSv1.2" });
  const peer = await RawPeer.tunnel(proxyPort, `${host}:443`);
  peer.send(hello);
  // ServerHelloDone, an empty message and the last before the client answers (RFC 5246, 7.4.5).
  await peer.until("\x0e\x00\x00\x00");
  peer.send(Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, alert]));
  await peer.over;
}
