import { hostPort } from "../../model/host-port.ts";
import { quoted } from "../../quoting/shell.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { exactProbe, type Form, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

const tunnel = ({ host, port }: Values) =>
  [
    "tun2proxy-bin --unshare --setup --dns virtual",
    `--unshare-pidfile weir-tun.pid --proxy socks5://${hostPort(host, port)}`,
  ].join(" ");

const WITHIN = 'nsenter --preserve-credentials --user --net --mount --target "$(cat weir-tun.pid)"';

const request = ({ bundle, url }: Values) =>
  `${WITHIN} curl --noproxy '*' --cacert ${quoted(bundle, "sh")}${unglobbed(url)} ${quoted(url, "sh")}`;

function form(text: (values: Values) => string, undo: string | null): Form {
  return { shell: "sh", version: null, ran: null, lan: false, text, undo: undo === null ? null : () => undo };
}

export const tun2proxy: Target = {
  slug: "tun2proxy",
  name: "tun2proxy",
  category: "Without an HTTP proxy setting",
  summary: "For any Linux program: run it where a tunnel device leads all its connections to Weir's SOCKS port.",
  also: ["tun2socks", "VPN", "namespace", "static binary", "game"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes the commands with the current proxy address, and watches for the probe. tun2proxy hands each connection to Weir's port by SOCKS 5, with the server's name.",
    manual: "Installing tun2proxy, running it, and starting your program in the shell that nsenter opens.",
    changes:
      "A network namespace with a tunnel device, for what you start in it alone. The rest of this computer keeps its routes.",
    undo: "Leave the shell and end tun2proxy with Ctrl+C. The namespace goes with it.",
    needs:
      "Linux, util-linux, and tun2proxy 0.8 (MIT licence; cargo install tun2proxy, or a release on GitHub). The program must trust Weir's root. These commands were not run in Weir's tests. On macOS and Windows tun2proxy redirects Weir's own connections, too, so they would go in circles there.",
  },
  setup: (values) => [
    { text: "Install tun2proxy, and start it with Weir's port as its SOCKS 5 proxy.", code: tunnel(values) },
    { text: "In another terminal of the same folder, open a shell in its namespace.", code: `${WITHIN} sh` },
    "Start your program there, without any proxy setting. Weir's SOCKS takes TCP alone, so HTTP/3 falls back to TCP.",
    { text: "A program that adds to the trusted roots needs Weir's root alone.", code: values.ca },
    { text: "A program that replaces the trusted roots needs the bundle.", code: values.bundle },
    { text: "Let it request the probe URL, and confirm the request in Validate.", code: values.url },
  ],
  variants: [
    {
      id: "tunnel",
      title: "The tunnel",
      heading: "The tunnel",
      language: "text",
      note: "--unshare leaves the rest of this computer alone, and Weir out of the tunnel. --dns virtual passes names to Weir. Ctrl+C ends the tunnel; the undo line removes its file.",
      forms: [form(tunnel, "rm -f weir-tun.pid")],
    },
    {
      id: "request",
      title: "A request in it",
      heading: "One request in the tunnel",
      language: "text",
      note: "curl in the namespace, without any proxy setting. --cacert replaces the trusted roots, so it names the bundle.",
      forms: [form(request, null)],
    },
  ],
  probe: exactProbe("Start the tunnel, then run the request in it; or let your program request the probe URL there."),
  knownErrors: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      "Let the program trust Weir's root: the page of its language or tool says how.",
    ),
    refused("Connection refused (os error 111)"),
    {
      text: "unshare: write failed /proc/self/uid_map: Operation not permitted / unshare failed: Operation not permitted",
      meaning: "This system lets only root create user namespaces.",
      fix: "Use a transparent port, or allow user namespaces on this computer.",
    },
    missing("error setting certificate file: … / No such file or directory: …"),
    bypassed("The program was not started in the shell of the namespace.", "Could not resolve host: …"),
    ...CERTIFICATE_ERRORS,
  ],
};
