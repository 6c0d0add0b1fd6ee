import { answeredPlainly, bypassed, CERTIFICATE_ERRORS, misspelt, refused, untrusted } from "../known-errors.ts";
import { commandForms, environmentForms, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { proxyUrl, SHORT_LIMIT, type Target } from "../target.ts";

export const npm: Target = {
  slug: "npm",
  name: "npm",
  category: "Command line",
  summary: "Send npm's registry requests through Weir.",
  also: ["npx"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes a command and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the command or the block into a terminal.",
    changes: "The command and the block do not write .npmrc. The block affects only its terminal.",
    undo: UNDO_OF_BLOCK,
    needs: "npm. Install scripts use the environment variables, not npm's options.",
  },
  setup: (values) => [
    { text: "Set npm's proxy for one run.", code: `--https-proxy ${proxyUrl(values)}` },
    {
      text: "--cafile replaces the roots that npm trusts. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "The registry's URL is the sample URL; the ping requests /-/ping below it.", code: values.url },
    "Copy the command, run it, and confirm the request in Validate.",
  ],
  sample: "https://registry.npmjs.org/",
  variants: [
    {
      id: "command",
      title: "Command",
      heading: "One npm command",
      language: "text",
      note: "--cafile replaces the trusted roots, so it names the bundle: the system's roots and Weir's. Validate accepts any request below the probe's path.",
      forms: commandForms(
        (values, _, quote) =>
          [
            `npm ping --registry ${quote(values.url)} --proxy ${quote(proxyUrl(values))} --https-proxy ${quote(proxyUrl(values))}`,
            `--noproxy= --cafile ${quote(values.bundle)} --fetch-retries 0`,
          ].join(" "),
        { sh: "npm 11.19", fish: "npm 11.19" },
      ),
    },
    {
      id: "environment",
      title: "Environment",
      heading: "Every npm command in one terminal",
      language: "text",
      note: "npm_config_cafile replaces the trusted roots, so it names the bundle: the system's roots and Weir's; NODE_EXTRA_CA_CERTS serves the scripts that npm runs.",
      forms: environmentForms({
        extra: [
          ["npm_config_cafile", (values) => values.bundle],
          ["NODE_EXTRA_CA_CERTS", (values) => values.ca],
        ],
        command: (values, _, quote) => `npm ping --registry ${quote(values.url)} --fetch-retries 0`,
        ran: { sh: "npm 11.19" },
      }),
    },
  ],
  probe: {
    path: "below",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the command. npm requests /-/ping below the probe URL.",
  },
  knownErrors: [
    untrusted(
      "npm error code SELF_SIGNED_CERT_IN_CHAIN",
      "Copy the command again and check the path in --cafile or npm_config_cafile.",
    ),
    refused("npm error code ECONNREFUSED"),
    answeredPlainly("SSL routines:…:wrong version number"),
    misspelt("npm error code ERR_INVALID_URL"),
    bypassed(
      "proxy or noproxy in your .npmrc overrides the variables; command-line options override both. With a socks5:// proxy URL, npm resolves names itself.",
      "npm error code ENOTFOUND",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
