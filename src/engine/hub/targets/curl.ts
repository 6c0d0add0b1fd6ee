import { quoted, type Shell } from "../../quoting/shell.ts";
import { answeredPlainly, bypassed, CERTIFICATE_ERRORS, DIRECT, refused, untrusted } from "../known-errors.ts";
import { type CommandText, commandForms, environmentForms, program, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, type KnownError, proxyUrl, type Target } from "../target.ts";

/** A curl command that sends one request through the proxy. Pages of API clients offer this command, too. */
export const curlCommand: CommandText = (values, shell, quote) =>
  [
    `${program("curl", shell)} --proxy ${quote(proxyUrl(values))} --noproxy ${nothing(shell)}`,
    `--cacert ${quote(values.bundle)}${unglobbed(values.url)} ${quote(values.url)}`,
  ].join(" ");

/**
 * curl's option for a URL with brackets or braces; "" for other URLs. Without the option, curl would expand the URL to
 * several.
 */
export function unglobbed(url: string): string {
  return /[[\]{}]/.test(url) ? " --globoff" : "";
}

/**
 * An empty argument for curl. For PowerShell, it is a pair of quotes, because PowerShell 5.1 drops empty arguments.
 * PowerShell 5.1 then passes an empty value to curl. Later versions pass the quotes, which are an invalid host name.
 */
export function nothing(shell: Shell): string {
  return shell === "powershell" ? `'""'` : quoted("", shell);
}

/** Errors of a curl with Schannel, such as the curl of Windows. Not tested here. */
export const SCHANNEL_TROUBLES: readonly KnownError[] = Object.freeze([
  {
    text: "CRYPT_E_NO_REVOCATION_CHECK (0x80092012) / CERT_TRUST_REVOCATION_STATUS_UNKNOWN",
    meaning:
      "Windows' curl asks for a revocation list, and Weir's certificates name none. This error was not seen in Weir's tests.",
    fix: "Use a curl built with OpenSSL, such as the one in Git for Windows. Or use WSL in mirrored networking mode, where 127.0.0.1 is Windows.",
  },
  untrusted(
    "SEC_E_UNTRUSTED_ROOT (0x80090325) / CERT_TRUST_IS_UNTRUSTED_ROOT",
    "This curl is built with Schannel and ignores CURL_CA_BUNDLE. Use a curl built with OpenSSL, such as the one in Git for Windows. This error was not seen in Weir's tests.",
  ),
]);

export const curl: Target = {
  slug: "curl",
  name: "curl",
  category: "Command line",
  summary: "Send one curl request, or all requests of a terminal, through Weir.",
  also: ["libcurl", "WSL"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes the command and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the command or the block into a terminal.",
    changes: "The command changes nothing. The block affects only its terminal.",
    undo: UNDO_OF_BLOCK,
    needs:
      "curl; on Windows a curl built with OpenSSL, such as the one in Git for Windows. Windows' own curl asks for a revocation list, which Weir's certificates do not name.",
  },
  setup: (values) => [
    { text: "Set the proxy with --proxy, for http and https URLs alike.", code: `--proxy ${proxyUrl(values)}` },
    {
      text: "--cacert and CURL_CA_BUNDLE replace the roots that curl trusts. Give them the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    "Copy the command, run it, and confirm the request in Validate.",
  ],
  userAgents: ["curl"],
  variants: [
    {
      id: "command",
      title: "Command",
      heading: "One request",
      language: "text",
      note: "--cacert replaces the trusted roots, so it names the bundle: the system's roots and Weir's. --noproxy '' ignores your bypass list.",
      forms: commandForms(curlCommand, { sh: "curl 7.88", fish: "curl 7.88" }),
    },
    {
      id: "environment",
      title: "Environment",
      heading: "Every request from one terminal",
      language: "text",
      note: "For http URLs curl reads http_proxy in lower case only. CURL_CA_BUNDLE replaces the trusted roots, so it names the bundle: the system's roots and Weir's. A curl built with Schannel, such as Windows' own, ignores CURL_CA_BUNDLE.",
      forms: environmentForms({
        extra: [["CURL_CA_BUNDLE", (values) => values.bundle]],
        command: (values, shell, quote) => `${program("curl", shell)}${unglobbed(values.url)} ${quote(values.url)}`,
        ran: { sh: "curl 7.88", fish: "curl 7.88" },
      }),
    },
  ],
  probe: exactProbe("Run the command. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
      "Copy the command again and check that --cacert or CURL_CA_BUNDLE is the exported bundle.",
    ),
    {
      text: "curl: (77) error setting certificate file: …",
      meaning: "The file is missing or not PEM.",
      fix: "Export the certificate again. weir-ca.cer is for phones; curl reads PEM only.",
    },
    ...SCHANNEL_TROUBLES,
    refused(
      "curl: (7) Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
    ),
    answeredPlainly("SSL routines:…:wrong version number"),
    DIRECT,
    bypassed(
      "curl ignores HTTP_PROXY in upper case, and an inherited NO_PROXY overrides the proxy setting.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
