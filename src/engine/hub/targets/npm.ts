import { commandForms, environmentForms, UNDO_OF_BLOCK } from "../forms.ts";
import type { Target } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { answeredPlainly, bypassed, CERTIFICATE_TROUBLES, misspelt, refused, untrusted } from "../troubles.ts";

export const npm: Target = {
  slug: "npm",
  name: "npm",
  category: "Command line",
  summary: "Send what npm asks of its registry through Weir.",
  also: ["npx"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes a command and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the line into a terminal.",
    changes: "Neither writes .npmrc. The block holds for the terminal in which it was pasted.",
    undo: UNDO_OF_BLOCK,
    needs: "npm. Its install scripts are programs of their own and follow the variables, not npm's options.",
  },
  setup: (values) => [
    { text: "Give npm the proxy for one run.", code: `--https-proxy ${proxyUrl(values)}` },
    { text: "--cafile replaces what npm trusts: give it the bundle.", code: values.bundle },
    { text: "The registry's URL is the sample URL; the ping asks for /-/ping below it.", code: values.url },
    { text: "Copy the command, run it, and confirm it in Validate.", code: null },
  ],
  sample: "https://registry.npmjs.org/",
  variants: [
    {
      id: "command",
      title: "Command",
      place: "One run",
      language: "text",
      note: "--cafile replaces the roots, so it points at the bundle. Validate counts whatever lies below the probe's path.",
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
      place: "All of a terminal's runs",
      language: "text",
      note: "npm_config_cafile replaces the roots, so it points at the bundle; NODE_EXTRA_CA_CERTS serves the scripts that npm runs.",
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
    how: "Run the command. npm asks for /-/ping below the probe URL.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "npm error code SELF_SIGNED_CERT_IN_CHAIN",
      "Copy the command again and check the path in --cafile or npm_config_cafile.",
    ),
    refused("npm error code ECONNREFUSED"),
    answeredPlainly("SSL routines:…:wrong version number"),
    misspelt("Received invalid Socks5 initial handshake / npm error code ERR_INVALID_URL"),
    bypassed(
      "proxy or noproxy in one of your .npmrc files is stronger than the proxy variables; options on the command line are stronger than both. With an address that begins with socks5:// npm looks names up itself.",
      "npm error code ENOTFOUND",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
