import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, refused, untrusted } from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "javascript");

const createHttpClient = (values: Values) => `// deno run --allow-net --allow-read probe.ts
const client = Deno.createHttpClient({
  proxy: { url: ${text(proxyUrl(values))} },
  caCerts: [Deno.readTextFileSync(${text(values.ca)})],
});
const response = await fetch(${text(values.url)}, { client });
console.log(response.status);
client.close();
`;

/**
 * Variables that clear ALL_PROXY in both letter cases. Deno prefers an inherited ALL_PROXY to HTTP_PROXY and
 * HTTPS_PROXY.
 */
export const NO_OTHER_PROXY = (["ALL_PROXY", "all_proxy"] as const).map((name) => [name, () => ""] as const);

export const deno: Target = {
  slug: "deno",
  name: "Deno",
  category: "Runtimes",
  summary: "Send a Deno program's requests through Weir, with a client for fetch or with the environment.",
  also: ["JavaScript", "TypeScript"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes code for Deno.createHttpClient and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Pasting the code into your program or the block into your terminal, and running it with the permissions it asks for.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs: "Deno 2.",
  },
  setup: (values) => [
    { text: "Set the proxy on the client or in the environment.", code: proxyUrl(values) },
    { text: "caCerts and DENO_CERT add Weir's root to what Deno trusts.", code: values.ca },
    {
      text: "Copy the snippet, run it, and confirm the request in Validate.",
      code: "deno run --allow-net --allow-read probe.ts",
    },
  ],
  userAgents: ["Deno"],
  variants: [
    {
      id: "fetch",
      title: "fetch",
      heading: "In the program",
      language: "javascript",
      note: "caCerts adds Weir's root to Deno's own.",
      forms: [plainForm("Deno 2.9", createHttpClient)],
    },
    {
      ...FROM_SHELL,
      note: "DENO_CERT adds Weir's root to Deno's own. In PowerShell, the last line needs version 7.3 or newer.",
      forms: environmentForms({
        extra: [["DENO_CERT", (values) => values.ca], ...NO_OTHER_PROXY],
        command: (values, _, quote) => `deno eval ${quote(`console.log((await fetch(${text(values.url)})).status)`)}`,
        ran: { sh: "Deno 2.9" },
      }),
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "error sending request for url (…): client error (Connect): invalid peer certificate: UnknownIssuer",
      "Check that caCerts or DENO_CERT is the exported weir-ca.pem.",
    ),
    refused("tcp connect error: Connection refused (os error …)"),
    missing(
      "NotFound: No such file or directory (os error 2): readfile '…' / Failed opening CA file: No such file or directory",
    ),
    bypassed(
      "NO_PROXY overrides a client passed to fetch. Such a client overrides the environment, and ALL_PROXY overrides HTTPS_PROXY.",
      "dns error: failed to lookup address information",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
