import { hostPort } from "../../../../../src/engine/model/host-port.ts";
import { isLoopback } from "../sockets/address.ts";

/** How the request for the page came: `trusted` is through the proxy and over intercepted TLS. */
export type Visit = "direct" | "proxied" | "trusted";

/**
 * The target from which the page reloads itself until the device comes through the proxy. Such requests have no row,
 * since they would bury the device's own.
 */
export const RELOAD = "/?live";

/** Seconds between two reloads. */
const INTERVAL = 5;

const STATES: Readonly<Record<Visit, string>> = {
  direct: "○ This device does not send its requests through Weir yet.",
  proxied: "✓ This device sends its requests through Weir. The certificate is not checked yet.",
  trusted: "✓ This device sends its requests through Weir and trusts its certificate.",
};

/**
 * Weir's own page (docs/specification.md, Phone page; docs/security.md S18), as HTML without scripts. `address` and
 * `port`: where the client's connection arrived. The page says nothing that its reader has not used or downloaded.
 */
export function phonePage(visit: Visit, address: string, port: number): string {
  const isWaiting = visit === "direct" && !isLoopback(address);
  const [host = ""] = address.split("%", 1);
  const again = isWaiting ? `<meta http-equiv="refresh" content="${INTERVAL};url=${RELOAD}">\n` : "";
  const note = isWaiting ? ` This page looks again every ${INTERVAL} seconds.` : "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${again}<title>Weir</title>
<style>${STYLE}</style>
<h1>Weir</h1>
<p class="state ${visit}" role="status">${STATES[visit]}${note}</p>
<h2>1. Proxy</h2>
<p>Set a manual HTTP proxy in this device’s settings, on a phone in those of its Wi-Fi network.</p>
<dl><dt>Address</dt><dd>${host}</dd><dt>Port</dt><dd>${port}</dd></dl>
<h2>2. Certificate</h2>
<p>Weir can read a client’s HTTPS only if the client trusts the certificate of this installation of Weir. This page offers
the certificate for download and installs nothing. You decide whether to trust it, in your device’s settings.</p>
<ul>
<li><a href="/weir-ca.cer">weir-ca.cer</a> (DER, for phones and desktops)</li>
<li><a href="/weir-ca.pem">weir-ca.pem</a> (PEM, for tools)</li>
</ul>
<h2>3. Check</h2>
<p>Open <a href="https://weir.test/">https://weir.test/</a>. The page appears without a warning only if both steps are done.
If this page does not notice the proxy, open <a href="http://weir.test/">http://weir.test/</a>: some devices send no
requests for their own network through a proxy.</p>
<h2>Afterwards</h2>
<p>Remove the proxy and the certificate from the device when you no longer need them. This is Weir, a proxy on a
developer’s machine (${hostPort(host, port)}) that shows how long requests take and why.</p>
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:2rem auto;padding:0 1rem}
h2{font-size:1.1rem;margin:1.5rem 0 .25rem}
p,ul{margin:.25rem 0}
li{padding:.25rem 0}
.state{padding:.75rem 1rem;border:1px solid;border-radius:.5rem}
.proxied,.trusted{color:light-dark(#0a6b3d,#5fd39a)}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem;font-size:1.25rem;margin:.5rem 0}
dd{margin:0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
`;
