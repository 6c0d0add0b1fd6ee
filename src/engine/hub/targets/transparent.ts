import { hostPort } from "../../model/host-port.ts";
import type { Shell } from "../../quoting/shell.ts";
import { bypassed, CERTIFICATE_ERRORS, DIRECT, missing, untrusted } from "../known-errors.ts";
import { type CommandText, commandForms, program } from "../snippet-forms.ts";
import { exactProbe, type Form, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

/** curl, whose own option leads its connections to the port; it has no proxy setting. */
const curlCommand: CommandText = (values, shell, quote) =>
  [
    `${program("curl", shell)} --noproxy ${quote("*")} --connect-to ${quote(`::${hostPort(values.host, values.transparent)}`)}`,
    `--cacert ${quote(values.bundle)}${unglobbed(values.url)} ${quote(values.url)}`,
  ].join(" ");

/** A text for a shell, with the commands that undo it. `ran`: as in `Form`. */
function commands(
  shell: Shell,
  ran: string | null,
  text: (values: Values) => readonly string[],
  undo: (values: Values) => readonly string[],
): Form {
  const lines = (of: typeof text) => (values: Values) => of(values).join("\n");
  return { shell, version: null, ran, lan: false, text: lines(text), undo: lines(undo) };
}

/** One rule of iptables; `action` is A to add it and D to delete it. */
function rule(action: "A" | "D", { transparent }: Values): readonly string[] {
  return [
    `sudo iptables -t nat -${action} OUTPUT -p tcp --dport 443 -m owner ! --uid-owner "$(id -u)" -j REDIRECT --to-ports ${transparent}`,
  ];
}

const nftTable = ({ transparent }: Values) => [
  "sudo nft add table ip weir",
  "sudo nft add chain ip weir output '{ type nat hook output priority -100 ; }'",
  `sudo nft add rule ip weir output tcp dport 443 meta skuid != "$(id -u)" redirect to :${transparent}`,
];

const pfRules = ({ transparent }: Values) => [
  "cat > weir-pf.conf <<END",
  `rdr pass inet proto tcp from any to any port 443 -> 127.0.0.1 port ${transparent}`,
  "pass out route-to (lo0 127.0.0.1) inet proto tcp from any to any port 443 user != $(id -un)",
  "END",
  "sudo pfctl -e -f weir-pf.conf",
];

const portProxy = ({ transparent }: Values) => [
  `netsh interface portproxy add v4tov4 listenaddress=127.0.0.1 listenport=443 connectaddress=127.0.0.1 connectport=${transparent}`,
];

const REDIRECT = "A redirect of your own";

export const transparent: Target = {
  slug: "transparent",
  name: "Transparent port",
  category: "Without an HTTP proxy setting",
  summary: "For a client that can be given neither a proxy nor a URL: redirect its connections to a port of Weir.",
  also: ["iptables", "nftables", "pf", "redirect", "hosts file", "static binary", "game"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "At a transparent port, Weir takes TLS and HTTP as a server would. TLS (SNI) or Host names the server; its port is the one given with the transparent port. Weir writes the commands of the redirect with the current port, and watches for the probe.",
    manual:
      "Adding the port in Settings or on the command line, and the redirect: it is yours alone to make and to undo.",
    changes:
      "One line of Weir's settings. iptables, nft and pf change the redirects of this computer until they are undone or it starts anew; netsh and a hosts entry stay until they are removed.",
    undo: "Run the undo line beside the command that you ran, then remove the line from Settings.",
    needs:
      "The rights to redirect connections. The client must trust Weir's root, and runs as another user than Weir on Linux and macOS. The commands for macOS and Windows were not run.",
  },
  setup: (values) => [
    {
      text: "In Settings, Proxy, Transparent ports, add a line with a free port. For plain HTTP add another, such as 8080=80.",
      code: String(values.transparent),
    },
    { text: "Or name the port when you start Weir.", code: `weir start --transparent ${values.transparent}` },
    "Under Snippets, copy the redirect for your system. It must leave out Weir's own user, or Weir's connections come back; Weir breaks them off, and the row says so.",
    "Then run the client as another user. HTTP/3 is not redirected: most clients fall back to TCP where UDP port 443 is rejected.",
    {
      text: "A hosts entry can take the redirect's place, if the client lets you choose the port. Then the name leads back to this computer, so Weir needs the server's real address.",
      code: "--host-override api.example.com=ADDRESS:443",
    },
    { text: "A client that adds to the trusted roots needs Weir's root alone.", code: values.ca },
    { text: "A client that replaces the trusted roots needs the bundle.", code: values.bundle },
    "Send a request, and confirm the request in Validate.",
  ],
  variants: [
    {
      id: "curl",
      title: "curl",
      heading: "One request, without a redirect",
      language: "text",
      note: "--connect-to leads curl's connection to the port, as a redirect would. --noproxy '*' ignores proxy variables. --cacert replaces the trusted roots, so it names the bundle.",
      forms: commandForms(curlCommand, { sh: "curl 7.88", fish: "curl 7.88" }),
    },
    {
      id: "iptables",
      title: "Linux, iptables",
      heading: REDIRECT,
      language: "text",
      note: "Run it as Weir's user: it redirects the connections to port 443 of every other user. IPv4 only: connections over IPv6 are not redirected.",
      forms: [
        commands(
          "sh",
          "iptables 1.8",
          (values) => rule("A", values),
          (values) => rule("D", values),
        ),
      ],
    },
    {
      id: "nft",
      title: "Linux, nft",
      heading: REDIRECT,
      language: "text",
      note: "The same in a table of its own: run it as Weir's user. IPv4 only, too.",
      forms: [commands("sh", "nftables 1.0", nftTable, () => ["sudo nft delete table ip weir"])],
    },
    {
      id: "pf",
      title: "macOS, pf",
      heading: REDIRECT,
      language: "text",
      note: "Not run on a Mac by our tests. It replaces the rules that are loaded; the undo line loads the system's own again.",
      forms: [commands("sh", null, pfRules, () => ["sudo pfctl -f /etc/pf.conf", "rm weir-pf.conf"])],
    },
    {
      id: "windows",
      title: "Windows, netsh",
      heading: REDIRECT,
      language: "text",
      note: "Not run on Windows by our tests; needs an administrator. It takes the names that a hosts entry leads to 127.0.0.1, and each needs --host-override with its real address. Remove the hosts entry, too.",
      forms: [
        commands("powershell", null, portProxy, () => [
          "netsh interface portproxy delete v4tov4 listenaddress=127.0.0.1 listenport=443",
        ]),
      ],
    },
  ],
  probe: exactProbe(
    "Add the transparent port as described in Setup, then run the curl snippet, or let the redirected client request the probe URL.",
  ),
  knownErrors: [
    untrusted(
      "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
      "Give the client Weir's root: copy the snippet again, or let the client add the root to what it trusts.",
    ),
    {
      text: "curl: (7) Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
      meaning: "Nothing listens at the transparent port. The port is not in Settings, or the proxy is stopped.",
      fix: "Add the line shown in Setup, and start the proxy. If the port is taken, a notice says so; choose another port.",
    },
    {
      text: "A redirect led Weir's own connection to the server back to Weir.",
      meaning: "The redirect also catches the connections of Weir's own user.",
      fix: "Undo the redirect, and make it again as Weir's user.",
    },
    {
      text: "The server's name leads back to this computer, as an entry of the hosts file makes it.",
      meaning: "Weir looked the name up and got an address of this computer.",
      fix: "Give Weir the real address with --host-override, or in Settings, Proxy, Host overrides.",
    },
    {
      text: "A connection to a transparent port was refused. Its TLS names no server (SNI)",
      meaning: "The client connects to an address and does not name the server, so Weir cannot know it.",
      fix: "Use the client's proxy setting, SOCKS, or a reverse port for that server.",
    },
    {
      text: "tlsv13 alert missing extension / tlsv1 unrecognized name / tlsv1 alert access denied",
      meaning: "The transparent port refused the connection. The row in Traffic says why.",
      fix: "Read the reason in the row.",
    },
    missing("curl: (77) error setting certificate file: …"),
    DIRECT,
    bypassed(
      "The redirect does not apply to the client: it runs as the same user as Weir, uses IPv6 or HTTP/3, or another port than 443.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
