import { quoted, type Shell } from "../../quoting/shell.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { exactProbe, type Form, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

const FILE = "weir-proxychains.conf";

/** The configuration file, as arguments of printf: one line each. */
const written = ({ host, port }: Values) =>
  `printf '%s\\n' strict_chain proxy_dns '[ProxyList]' 'socks5 ${host} ${port}' > ${FILE}`;

const started = `proxychains4 -q -f ${FILE}`;

function request(shell: Shell): Form {
  return {
    shell,
    version: null,
    ran: "proxychains-ng 4.16",
    lan: false,
    text: (values) =>
      [
        written(values),
        `${started} curl --noproxy '*' --cacert ${quoted(values.bundle, shell)}${unglobbed(values.url)} ${quoted(values.url, shell)}`,
      ].join("\n"),
    undo: () => `rm ${FILE}`,
  };
}

export const proxychains: Target = {
  slug: "proxychains",
  name: "proxychains-ng",
  category: "Without an HTTP proxy setting",
  summary:
    "For a Linux or BSD program that uses the system's C library: start it so that it connects by Weir's SOCKS port.",
  also: ["proxychains4", "LD_PRELOAD", "tsocks", "torsocks"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes a configuration file and the command with the current proxy address and certificate, and watches for the probe. proxychains-ng hands each connection to Weir's port by SOCKS 5, with the server's name.",
    manual: "Installing proxychains-ng, and starting your program by it.",
    changes: "A file in the current folder. Only the program that you start so is redirected.",
    undo: "Delete the file, and start the program as before.",
    needs:
      "proxychains-ng (GPL 2; proxychains4 in Debian and Ubuntu), and a program that connects by the C library. Go programs and static binaries do not: they need tun2proxy or a transparent port. On macOS, protected programs ignore it.",
  },
  setup: (values) => [
    { text: "Install proxychains-ng, and write its configuration file.", code: written(values) },
    { text: "Start your program by it, without any proxy setting.", code: `${started} your-program` },
    { text: "A program that adds to the trusted roots needs Weir's root alone.", code: values.ca },
    { text: "A program that replaces the trusted roots needs the bundle.", code: values.bundle },
    { text: "Let it request the probe URL, and confirm the request in Validate.", code: values.url },
  ],
  variants: [
    {
      id: "request",
      title: "curl",
      heading: "One request",
      language: "text",
      note: "Put your program in place of curl and its options. --noproxy '*' ignores proxy variables. --cacert replaces the trusted roots, so it names the bundle.",
      forms: [request("sh"), request("fish")],
    },
  ],
  probe: exactProbe("Run the command. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
      "Copy the command again, and let the program trust Weir's root: the page of its language or tool says how.",
    ),
    refused("curl: (7) Failed to connect to … port … after … ms: Couldn't connect to server / Strict chain … timeout"),
    {
      text: "proxychains: can't load process '…'",
      meaning: "There is no such program on the PATH.",
      fix: "Check the program's name, or name it by its full path.",
    },
    missing("curl: (77) error setting certificate file: …"),
    bypassed(
      "The program does not connect by the C library, such as a Go program or a static binary.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
