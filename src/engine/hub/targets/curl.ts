import type { Shell } from "../../quoting/shell.ts";
import { quoted } from "../../quoting/shell.ts";
import { type CommandText, commandForms, environmentForms, program, UNDO_OF_BLOCK } from "../forms.ts";
import type { Target, Trouble } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { answeredPlainly, bypassed, CERTIFICATE_TROUBLES, DIRECT, misspelt, refused, untrusted } from "../troubles.ts";

/** One request through the proxy; the preflights of API clients send it too. */
export const curlCommand: CommandText = (values, shell, quote) =>
  [
    `${program("curl", shell)} --proxy ${quote(proxyUrl(values))} --noproxy ${nothing(shell)}`,
    `--cacert ${quote(values.bundle)}${unglobbed(values.url)} ${quote(values.url)}`,
  ].join(" ");

/** curl takes brackets and braces of a URL for lists of URLs. */
export function unglobbed(url: string): string {
  return /[[\]{}]/.test(url) ? " --globoff" : "";
}

/** PowerShell 5.1 drops an empty argument; two quotes reach curl as nothing there, and as a host that is none in later ones. */
function nothing(shell: Shell): string {
  return shell === "powershell" ? `'""'` : quoted("", shell);
}

/** What a curl says that is built with Schannel, as Windows' own is; not seen here. */
export const SCHANNEL_TROUBLES: readonly Trouble[] = Object.freeze([
  {
    text: "CRYPT_E_NO_REVOCATION_CHECK (0x80092012) / CERT_TRUST_REVOCATION_STATUS_UNKNOWN",
    meaning: "curl of Windows asks for a revocation list, and Weir's certificates name none. This was not seen here.",
    fix: "Use a curl that is built with OpenSSL, such as the one of Git for Windows, or ask from WSL in its mirrored networking mode: in any other, 127.0.0.1 is not Windows there.",
  },
  untrusted(
    "SEC_E_UNTRUSTED_ROOT (0x80090325) / CERT_TRUST_IS_UNTRUSTED_ROOT",
    "This curl is built with Schannel and does not read CURL_CA_BUNDLE. Use one that is built with OpenSSL, such as that of Git for Windows. This was not seen here.",
  ),
]);

export const curl: Target = {
  slug: "curl",
  name: "curl",
  category: "Command line",
  summary: "Send one curl request, or all of a terminal's, through Weir.",
  also: ["libcurl", "WSL"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Writes the command and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the line into a terminal.",
    changes: "The command changes nothing. The block holds for the terminal in which it was pasted.",
    undo: UNDO_OF_BLOCK,
    needs:
      "curl. On Windows one that is built with OpenSSL, such as that of Git for Windows: Windows' own asks for a revocation list, which Weir's certificates do not name.",
  },
  setup: (values) => [
    { text: "Name the proxy with --proxy. It serves http and https URLs alike.", code: `--proxy ${proxyUrl(values)}` },
    { text: "--cacert and CURL_CA_BUNDLE replace what curl trusts: give them the bundle.", code: values.bundle },
    { text: "Copy the command, run it, and confirm it in Validate.", code: null },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "command",
      title: "Command",
      place: "One request",
      language: "text",
      note: "--cacert replaces the roots, so it points at the bundle. --noproxy '' sets a bypass list of your machine aside.",
      forms: commandForms(curlCommand, { sh: "curl 7.88", fish: "curl 7.88" }),
    },
    {
      id: "environment",
      title: "Environment",
      place: "All of a terminal's requests",
      language: "text",
      note: "For http URLs curl reads http_proxy in lower case only. CURL_CA_BUNDLE replaces the roots, so it points at the bundle; a curl that is built with Schannel, as Windows' own is, does not read it.",
      forms: environmentForms({
        extra: [["CURL_CA_BUNDLE", (values) => values.bundle]],
        command: (values, shell, quote) => `${program("curl", shell)}${unglobbed(values.url)} ${quote(values.url)}`,
        ran: { sh: "curl 7.88", fish: "curl 7.88" },
      }),
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the command. It asks for the probe URL once.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
      "Copy the command again and check that --cacert or CURL_CA_BUNDLE is the exported bundle.",
    ),
    {
      text: "curl: (77) error setting certificate file: …",
      meaning: "The file is not there, or it is not PEM.",
      fix: "Export the certificate again. weir-ca.cer is for phones; curl reads PEM only.",
    },
    ...SCHANNEL_TROUBLES,
    refused(
      "curl: (7) Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
    ),
    answeredPlainly("SSL routines:…:wrong version number"),
    misspelt("Received invalid version in initial SOCKS5 response"),
    DIRECT,
    bypassed(
      "HTTP_PROXY in upper case is ignored by curl, and an inherited NO_PROXY wins over the rest.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
