import { literal } from "../../quoting/languages.ts";
import { environmentForms, plainForm, UNDO_OF_BLOCK } from "../forms.ts";
import type { Target, Values } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { bypassed, CERTIFICATE_TROUBLES, missing, refused, untrusted } from "../troubles.ts";

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
  summary: "Send what a Bun program requests through Weir: fetch with its own options, or by its environment.",
  also: ["JavaScript", "TypeScript"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes code for fetch and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the code or the block, and running it.",
    changes: "Nothing outside your program's text, or outside the terminal in which the block was pasted.",
    undo: `Take the lines out of the program. ${UNDO_OF_BLOCK}`,
    needs: "Bun 1.",
  },
  setup: (values) => [
    { text: "Name the proxy with the request, or by the environment.", code: proxyUrl(values) },
    { text: "tls.ca replaces what Bun trusts, so give it the bundle.", code: values.bundle },
    { text: "NODE_EXTRA_CA_CERTS adds to it, so give it Weir's root alone.", code: values.ca },
    { text: "Copy the snippet, run it, and confirm it in Validate.", code: "bun run probe.ts" },
  ],
  sample: "https://example.com/",
  variants: [
    {
      id: "fetch",
      title: "fetch",
      place: "In the program",
      language: "javascript",
      note: "tls.ca replaces the roots, so it points at the bundle.",
      forms: [plainForm("Bun 1.4", bunFetch)],
    },
    {
      id: "environment",
      title: "Environment",
      place: "From the shell, without touching code",
      language: "text",
      note: "NODE_EXTRA_CA_CERTS adds Weir's root to Bun's own. In PowerShell the last line needs version 7.3: older ones pass no double quotes on.",
      forms: environmentForms({
        extra: [["NODE_EXTRA_CA_CERTS", (values) => values.ca]],
        command: (values, _, quote) => `bun -e ${quote(`console.log((await fetch(${text(values.url)})).status)`)}`,
        ran: { sh: "Bun 1.4" },
      }),
    },
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run one of the snippets. Each of them asks for the probe URL once.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "TypeError: self signed certificate in certificate chain",
      'Check that tls.ca is the exported bundle, or NODE_EXTRA_CA_CERTS the exported weir-ca.pem. Bun writes "self signed" without a hyphen.',
    ),
    refused("ECONNREFUSED: Unable to connect. Is the computer able to access the url?"),
    missing("ENOENT: no such file or directory, open '…'"),
    bypassed("An inherited NO_PROXY wins over the rest.", "getaddrinfo ENOTFOUND …"),
    ...CERTIFICATE_TROUBLES,
  ],
};
