import { hostPort } from "../../model/host-port.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { type CommandText, commandForms, program } from "../snippet-forms.ts";
import { exactProbe, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

const command = ({ host, port }: Values) =>
  [
    `sudo ProxyBridge --proxy socks5://${hostPort(host, port)}`,
    `--rule "curl:*:*:TCP:PROXY" --dns-via-proxy false`,
  ].join(" ");

const curlCommand: CommandText = (values, shell, quote) =>
  [
    `${program("curl", shell)} --noproxy ${quote("*")}`,
    `--cacert ${quote(values.bundle)}${unglobbed(values.url)} ${quote(values.url)}`,
  ].join(" ");

export const proxybridge: Target = {
  slug: "proxybridge",
  name: "ProxyBridge",
  category: "Without an HTTP proxy setting",
  summary: "For any program on Windows, macOS or Linux: lead its connections to Weir's SOCKS port by its name.",
  also: ["Proxifier", "WinDivert", "per-app", "game"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir shows the address to enter in ProxyBridge, writes the command for Linux, and watches for the probe. ProxyBridge hands over addresses; Weir takes the server's name from TLS or from Host.",
    manual: "Installing ProxyBridge, and a rule for the program.",
    changes:
      "Windows: the driver WinDivert. macOS: a network extension, which you allow. Linux: iptables rules while ProxyBridge runs. Only programs with a rule are redirected.",
    undo: "Delete the rule, or end ProxyBridge; on Linux after a crash also run the undo line. Its uninstaller removes driver and extension.",
    needs:
      "ProxyBridge 3.2 (MIT licence), and an administrator. The program must trust Weir's root. None of this was run in Weir's tests. It does not run in WSL or in containers.",
  },
  setup: (values) => [
    {
      text: "In ProxyBridge, enter Weir as a SOCKS 5 proxy, without user name and password.",
      code: hostPort(values.host, values.port),
    },
    {
      text: "Add a rule for your program alone: TCP, action PROXY. A rule for all programs would redirect Weir's own connections, too.",
      code: "your-program:*:*:TCP:PROXY",
    },
    "Turn DNS through the proxy off, and add no rule for UDP: Weir's SOCKS takes TCP alone. HTTP/3 goes past it until the program falls back to TCP.",
    { text: "A program that adds to the trusted roots needs Weir's root alone.", code: values.ca },
    { text: "A program that replaces the trusted roots needs the bundle.", code: values.bundle },
    { text: "Let the program request the probe URL, and confirm the request in Validate.", code: values.url },
  ],
  variants: [
    {
      id: "linux",
      title: "Linux, command line",
      heading: "Redirect one program",
      language: "text",
      note: "Put your program's process name in curl's place; it is case-sensitive. Ctrl+C ends the redirect; the undo line is for a crash.",
      forms: [
        { shell: "sh", version: null, ran: null, lan: false, text: command, undo: () => "sudo ProxyBridge --cleanup" },
      ],
    },
    {
      id: "request",
      title: "curl, with a rule for it",
      heading: "One request",
      language: "text",
      note: "curl without any proxy setting. --cacert replaces the trusted roots, so it names the bundle.",
      forms: commandForms(curlCommand, {}),
    },
  ],
  probe: exactProbe("Let a program with a rule request the probe URL once, such as curl."),
  knownErrors: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      "Let the program trust Weir's root: the page of its language or tool says how.",
    ),
    refused("Connection refused"),
    missing("error setting certificate file: … / No such file or directory: …"),
    bypassed(
      "The rule names another process, or the program uses UDP (HTTP/3), or IPv6 on Linux, which ProxyBridge leaves alone there.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
