import { literal } from "../../quoting/languages.ts";
import {
  answeredPlainly,
  bypassed,
  CERTIFICATE_ERRORS,
  missing,
  misspelt,
  refused,
  untrusted,
} from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, programVariant, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "javascript");

const variant = programVariant("javascript");
/** Node.js reads `import` in a file by its suffix `.mjs`. */
const inProgram = (...given: Parameters<typeof variant>) => ({ ...variant(...given), file: "request.mjs" });

/**
 * The proxy for hpagent. For IPv6, host and port instead of a URL, since hpagent resolves a URL's host with its
 * brackets and so fails.
 */
const forHpagent = (values: Values) =>
  values.host.includes(":")
    ? `{ protocol: "http:", hostname: ${text(values.host)}, port: ${values.port} }`
    : text(proxyUrl(values));

const axios = (values: Values) => `import { readFileSync } from "node:fs";
import axios from "axios";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";

const proxy = ${forHpagent(values)};
const httpAgent = new HttpProxyAgent({ proxy });
const httpsAgent = new HttpsProxyAgent({ proxy, ca: readFileSync(${text(values.bundle)}) });
const response = await axios.get(${text(values.url)}, { httpAgent, httpsAgent, proxy: false });
console.log(response.status);
`;

const fetchByUndici = (values: Values) => `import { readFileSync } from "node:fs";
import { ProxyAgent, setGlobalDispatcher } from "undici";

const ca = readFileSync(${text(values.bundle)});
setGlobalDispatcher(new ProxyAgent({ uri: ${text(proxyUrl(values))}, requestTls: { ca } }));

const response = await fetch(${text(values.url)});
console.log(response.status);
`;

/**
 * Whether the sample URL's scheme is http instead of https. node:https cannot request such a URL, and a request to the
 * proxy must contain the absolute URL.
 */
const isClear = ({ url }: Values) => /^http:/i.test(url);

const byHand = (values: Values) =>
  isClear(values)
    ? `import http from "node:http";

const url = new URL(${text(values.url)});
const options = { host: ${text(values.host)}, port: ${values.port}, path: url.href, headers: { host: url.host } };
http.get(options, (response) => console.log(response.statusCode));
`
    : `import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";

const url = new URL(${text(values.url)});
const ca = readFileSync(${text(values.bundle)});
const path = \`\${url.hostname}:\${url.port || 443}\`;
http
  .request({ host: ${text(values.host)}, port: ${values.port}, method: "CONNECT", path })
  .on("connect", (_, socket) => {
    const options = { socket, agent: false, ca, servername: url.hostname };
    https.get(url, options, (response) => console.log(response.statusCode));
  })
  .end();
`;

const proxyEnv = (values: Values) =>
  isClear(values)
    ? `import http from "node:http";

const agent = new http.Agent({ proxyEnv: { HTTP_PROXY: ${text(proxyUrl(values))} } });
http.get(${text(values.url)}, { agent }, (response) => {
  console.log(response.statusCode);
  agent.destroy();
});
`
    : `import { readFileSync } from "node:fs";
import https from "node:https";

const agent = new https.Agent({
  proxyEnv: { HTTPS_PROXY: ${text(proxyUrl(values))} },
  ca: readFileSync(${text(values.bundle)}),
});
https.get(${text(values.url)}, { agent }, (response) => {
  console.log(response.statusCode);
  agent.destroy();
});
`;

const got = (values: Values) => `import { readFileSync } from "node:fs";
import got from "got";
import { HttpProxyAgent, HttpsProxyAgent } from "hpagent";

const proxy = ${forHpagent(values)};
const certificateAuthority = readFileSync(${text(values.bundle)});
const response = await got(${text(values.url)}, {
  agent: { http: new HttpProxyAgent({ proxy }), https: new HttpsProxyAgent({ proxy }) },
  https: { certificateAuthority },
  retry: { limit: 0 },
});
console.log(response.statusCode);
`;

const fetchLine = (values: Values) => `fetch(${text(values.url)}).then((response) => console.log(response.status))`;

/** Before 22.21 and 24.5, Node.js knows no such option, and undici must make fetch use the proxy variables. */
const undiciLine = (values: Values) =>
  `process.allowedNodeEnvironmentFlags.has("--use-env-proxy") || require("undici").setGlobalDispatcher(new (require("undici").EnvHttpProxyAgent)()); ${fetchLine(values)}`;

const EXTRA: readonly (readonly [name: string, value: (values: Values) => string])[] = [
  ["NODE_USE_ENV_PROXY", () => "1"],
  ["NODE_EXTRA_CA_CERTS", (values) => values.ca],
];

export const nodejs: Target = {
  slug: "nodejs",
  name: "Node.js",
  category: "Runtimes",
  summary: "Send a Node.js program's requests through Weir: axios, node:https, got, fetch.",
  also: [
    "JavaScript",
    "TypeScript",
    "undici",
    "node-fetch",
    "Express",
    "NestJS",
    "Nuxt",
    "SvelteKit",
    "Remix",
    "Vite",
    "Jest",
  ],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes code for axios, fetch, node:https and got, and a block for the shell that also covers fetch, with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Pasting the code into your program, or the block into your terminal; installing the HTTP library that the code imports; and running the program.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs:
      "Node.js 20 or newer. axios and got also need the npm package hpagent, and fetch undici 7; the shell block needs undici only on Node.js 20 to 22.20 and 23 to 24.4.",
  },
  setup: (values) => [
    { text: "Check the version of Node.js. It decides which snippet you need.", code: "node --version" },
    {
      text: "Node.js ignores system proxy settings. Set the proxy in the program or in the environment.",
      code: proxyUrl(values),
    },
    {
      text: "A ca option replaces the roots that Node.js trusts. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    {
      text: "NODE_EXTRA_CA_CERTS adds to the trusted roots. Give it Weir's root alone. Node.js reads it once, at its start.",
      code: values.ca,
    },
    "Install what the snippet imports. Snippets shows the line beside Copy.",
    "Copy the snippet into a module (.mjs), run it, and confirm the request in Validate.",
  ],
  userAgents: ["axios", "got", "node", "undici"],
  variants: [
    inProgram(
      "axios",
      "axios",
      "proxy: false keeps axios from handling proxy variables a second time. ca replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("axios 1.21 on Node.js 20, 22, 24 and 26", axios, null, "npm install axios hpagent"),
    ),
    inProgram(
      "node-https",
      "node:https",
      "Before 22.21, and from 23 to 24.4, node:https has no proxy setting, so the code opens the tunnel. ca replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("Node.js 20, 22, 24 and 26", byHand, "Node.js 20 and newer"),
      plainForm("Node.js 22, 24 and 26", proxyEnv, "Node.js 22.21, 24.5 and newer"),
    ),
    inProgram(
      "got",
      "got",
      "got reads no proxy variables. certificateAuthority replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("got 14 on Node.js 20, 22, 24 and 26", got, "Node.js 20 and newer", "npm install got@14 hpagent"),
      plainForm("got 16 on Node.js 22, 24 and 26", got, "Node.js 22 and newer", "npm install got hpagent"),
    ),
    {
      ...inProgram(
        "fetch",
        "fetch",
        "The first four lines at the start of a program send every fetch of it through the proxy. ca replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
        plainForm("undici 7.30 on Node.js 20, 22, 24 and 26", fetchByUndici, null, "npm install undici@7"),
      ),
      heading: "In a program that uses fetch",
    },
    {
      ...FROM_SHELL,
      heading: "From the shell, also for fetch",
      note: "Node.js 22.21, 24.5 and newer send fetch, node:http and node:https of a program through the proxy without a change in its code, and 24.0 to 24.4 fetch alone. Node.js 20 to 22.20 and 23 ignore the switch silently, and a program of your own bypasses Weir: put the first lines for fetch, above, at its start. In PowerShell, the last line needs version 7.3 or newer.",
      forms: [
        ...environmentForms({
          version: "Node.js 20 and newer",
          install: "npm install undici@7",
          installFor: "Node.js 20 to 22.20 and 23 to 24.4, whose own programs need the lines for fetch above",
          extra: EXTRA,
          command: (values, _, quote) => `node -e ${quote(undiciLine(values))}`,
          ran: { sh: "Node.js 20 with undici 7, 22, 24 and 26" },
        }),
        ...environmentForms({
          version: "Node.js 22.21, 24.5 and newer",
          extra: EXTRA,
          command: (values, _, quote) => `node -e ${quote(fetchLine(values))}`,
          ran: { sh: "Node.js 22, 24 and 26", fish: "Node.js 24" },
        }),
      ],
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "self-signed certificate in certificate chain / SELF_SIGNED_CERT_IN_CHAIN",
      "Give ca or certificateAuthority the bundle, or NODE_EXTRA_CA_CERTS Weir's root before node starts. https-proxy-agent ignores ca inside the tunnel: use hpagent or NODE_EXTRA_CA_CERTS.",
    ),
    {
      text: "unable to verify the first certificate / UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      meaning:
        "The certificate was probably the server's own: the request bypassed Weir, and Node.js does not trust the server's chain.",
      fix: "Check that the agent or the variables are used. NODE_USE_ENV_PROXY is ignored before 22.21, by 23 and, for node:https, by 24.0 to 24.4.",
    },
    {
      text: "TypeError: fetch failed",
      meaning: "fetch hides the reason in the error's cause.",
      fix: "Print error.cause and search for its text here.",
    },
    {
      text: "Warning: Ignoring extra certs from `…`, load failed: error:80000002:system library::No such file or directory",
      meaning: "The file in NODE_EXTRA_CA_CERTS is missing. A DER file is silently ignored.",
      fix: "Copy the block again. The file must be weir-ca.pem, not weir-ca.cer.",
    },
    refused("connect ECONNREFUSED 127.0.0.1:…"),
    answeredPlainly("SSL routines:…:wrong version number"),
    misspelt("Setting the TLS ServerName to an IP address is not permitted"),
    misspelt(
      "Invalid URL protocol: the URL must start with `http:` or `https:` / code: 'ERR_INVALID_URL', input: '127.0.0.1:…'",
    ),
    missing("ENOENT: no such file or directory, open '…'"),
    bypassed(
      "Without an agent, node:https ignores proxy variables before Node.js 22.21 and from 23 to 24.4, and got always ignores them.",
      "getaddrinfo ENOTFOUND …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
