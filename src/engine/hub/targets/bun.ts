import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "javascript");

const bunFetch = (values: Values) => `const response = await fetch(${text(values.url)}, {
  proxy: ${text(proxyUrl(values))},
  tls: { ca: Bun.file(${text(values.bundle)}) },
});
console.log(response.status);
`;

export const bun: Target = {
  slug: "bun",
  name: "Bun",
  category: "Runtimes",
  summary: "Send a Bun program's requests through Weir, with options of fetch or with the environment.",
  also: ["JavaScript", "TypeScript"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes code for fetch and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the code into your program or the block into your terminal, and running it.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs: "Bun 1.",
  },
  setup: (values) => [
    { text: "Set the proxy in the request or in the environment.", code: proxyUrl(values) },
    {
      text: "tls.ca replaces the roots that Bun trusts. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "NODE_EXTRA_CA_CERTS adds to the trusted roots. Give it Weir's root alone.", code: values.ca },
    { text: "Copy the snippet, run it, and confirm the request in Validate.", code: "bun run probe.ts" },
  ],
  userAgents: ["Bun"],
  variants: [
    {
      id: "fetch",
      title: "fetch",
      heading: "In the program",
      language: "javascript",
      note: "tls.ca replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      forms: [plainForm("Bun 1.4", bunFetch)],
    },
    {
      ...FROM_SHELL,
      note: "NODE_EXTRA_CA_CERTS adds Weir's root to Bun's own. In PowerShell, the last line needs version 7.3 or newer.",
      forms: environmentForms({
        extra: [["NODE_EXTRA_CA_CERTS", (values) => values.ca]],
        command: (values, _, quote) => `bun -e ${quote(`console.log((await fetch(${text(values.url)})).status)`)}`,
        ran: { sh: "Bun 1.4" },
      }),
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "TypeError: self signed certificate in certificate chain",
      'Check that tls.ca is the exported bundle, or NODE_EXTRA_CA_CERTS the exported weir-ca.pem. Bun writes "self signed" without a hyphen.',
    ),
    refused("ECONNREFUSED: Unable to connect. Is the computer able to access the url?"),
    missing("ENOENT: no such file or directory, open '…'"),
    bypassed("An inherited NO_PROXY overrides the proxy setting.", "getaddrinfo ENOTFOUND …"),
    ...CERTIFICATE_ERRORS,
  ],
};
