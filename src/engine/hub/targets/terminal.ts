import { answeredPlainly, bypassed, CERTIFICATE_ERRORS, DIRECT, refused, untrusted } from "../known-errors.ts";
import { environmentForms, program, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";
import { SCHANNEL_TROUBLES, unglobbed } from "./curl.ts";
import { NO_OTHER_PROXY } from "./deno.ts";

/**
 * Variables that name each tool's certificate file, name the proxy for WebSockets, make Node.js use the proxy, and
 * clear ALL_PROXY.
 */
const VARIABLES: readonly (readonly [name: string, value: (values: Values) => string])[] = [
  ["SSL_CERT_FILE", (values) => values.bundle],
  ["CURL_CA_BUNDLE", (values) => values.bundle],
  ["REQUESTS_CA_BUNDLE", (values) => values.bundle],
  ["GIT_SSL_CAINFO", (values) => values.bundle],
  ["AWS_CA_BUNDLE", (values) => values.bundle],
  ["GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", (values) => values.bundle],
  ["WSS_PROXY", proxyUrl],
  ["wss_proxy", proxyUrl],
  ["NODE_EXTRA_CA_CERTS", (values) => values.ca],
  ["DENO_CERT", (values) => values.ca],
  ["NODE_USE_ENV_PROXY", () => "1"],
  ...NO_OTHER_PROXY,
];

/** For each shell, this target's block of variables, without the curl command. `weir env` prints the block. */
export const TERMINAL_VARIABLES = environmentForms({ extra: VARIABLES, command: null, ran: {} });

export const terminal: Target = {
  slug: "terminal",
  name: "Any terminal",
  category: "Command line",
  summary: "Send most command-line tools of one terminal through Weir, with one block of variables.",
  also: [
    "shell",
    "bash",
    "zsh",
    "fish",
    "PowerShell",
    "cmd",
    "WSL",
    "yarn",
    "pnpm",
    "pip",
    "conda",
    "AWS CLI",
    "environment variables",
    "HTTP_PROXY",
    "HTTPS_PROXY",
  ],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes one block of variables that curl, Python, Node.js, Ruby, Go, git, Deno, Bun, gRPC and the AWS tools read, with the current proxy address and certificate. Weir watches for the probe. Weir explains a terminal's variables when you paste them.",
    manual: "Pasting the block into the terminal.",
    changes: "Variables of one terminal, until it is closed.",
    undo: UNDO_OF_BLOCK,
    needs:
      "A terminal. The block's last line uses curl; on Windows it must be a curl built with OpenSSL, such as the one in Git for Windows.",
  },
  setup: (values) => [
    "Choose your shell in Snippets and copy the block.",
    {
      text: "The block sets all proxy variables to this URL, with names in upper and lower case.",
      code: proxyUrl(values),
    },
    {
      text: "Variables that replace a tool's trusted roots point to the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "Variables that add to a tool's trusted roots point to Weir's root alone.", code: values.ca },
    "Paste the block, and start your program in the same terminal.",
  ],
  variants: [
    {
      id: "environment",
      title: "Environment",
      heading: "This terminal only",
      language: "text",
      note: "Java, .NET (except on Linux) and desktop programs have their own pages, and so has the certificate setting of wget. GIT_SSL_CAINFO, CURL_CA_BUNDLE, SSL_CERT_FILE, REQUESTS_CA_BUNDLE, AWS_CA_BUNDLE and GRPC_DEFAULT_SSL_ROOTS_FILE_PATH replace the trusted roots, so they name the bundle: the system's roots and Weir's.",
      forms: environmentForms({
        extra: VARIABLES,
        command: (values, shell, quote) => `${program("curl", shell)}${unglobbed(values.url)} ${quote(values.url)}`,
        ran: { sh: "curl 7.88", fish: "curl 7.88" },
      }),
    },
  ],
  probe: exactProbe(
    "Paste the block; its last line requests the probe URL. Or request the probe URL with another tool in that terminal.",
  ),
  knownErrors: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      "Paste the block again in the same terminal. A tool with its own store has its own page.",
    ),
    ...SCHANNEL_TROUBLES,
    refused("Failed to connect to 127.0.0.1 port … / Connection refused"),
    answeredPlainly("SSL routines:…:wrong version number"),
    DIRECT,
    bypassed(
      "Some tools read only one letter case (wget and Ruby lower case), and an inherited NO_PROXY overrides the proxy setting. Run this page's check and paste its output.",
      "Could not resolve host: … / Name or service not known",
    ),
    {
      text: "All requests of the terminal fail after Weir has exited",
      meaning: "The terminal's variables still name the proxy, which is not running.",
      fix: UNDO_OF_BLOCK,
    },
    ...CERTIFICATE_ERRORS,
  ],
};
