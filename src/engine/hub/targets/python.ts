import { literal } from "../../quoting/languages.ts";
import {
  answeredPlainly,
  bypassed,
  CERTIFICATE_ERRORS,
  DIRECT,
  missing,
  misspelt,
  refused,
  untrusted,
} from "../known-errors.ts";
import {
  environmentForms,
  FROM_SHELL,
  python as interpreter,
  plainForm,
  programVariant,
  UNDO_OF_BLOCK,
} from "../snippet-forms.ts";
import { exactProbe, type Form, proxyUrl, type Target, type Values } from "../target.ts";

const variant = programVariant("python");
const inProgram = (id: string, note: string, ...forms: readonly Form[]) => variant(id, id, note, ...forms);

const text = (value: string) => literal(value, "python");

const requests = (values: Values) => `import requests

session = requests.Session()
session.trust_env = False
session.proxies = {"http": ${text(proxyUrl(values))}, "https": ${text(proxyUrl(values))}}
session.verify = ${text(values.bundle)}
print(session.get(${text(values.url)}, timeout=15).status_code)
`;

const httpxTransport = (values: Values) => `import ssl
import httpx

context = ssl.create_default_context()
context.load_verify_locations(${text(values.ca)})
transport = httpx.HTTPTransport(proxy=httpx.Proxy(${text(proxyUrl(values))}), verify=context)
with httpx.Client(transport=transport, trust_env=False) as client:
    print(client.get(${text(values.url)}, timeout=15).status_code)
`;

const httpxProxy = (values: Values) => `import ssl
import httpx

context = ssl.create_default_context()
context.load_verify_locations(${text(values.ca)})
with httpx.Client(proxy=${text(proxyUrl(values))}, verify=context, trust_env=False) as client:
    print(client.get(${text(values.url)}, timeout=15).status_code)
`;

const aiohttp = (values: Values) => `import asyncio
import ssl
import aiohttp

async def main():
    context = ssl.create_default_context()
    context.load_verify_locations(${text(values.ca)})
    async with aiohttp.ClientSession() as session:
        async with session.get(${text(values.url)}, proxy=${text(proxyUrl(values))}, ssl=context) as response:
            print(response.status)

asyncio.run(main())
`;

const urllib3 = (values: Values) => `import urllib3

http = urllib3.ProxyManager(${text(proxyUrl(values))}, ca_certs=${text(values.bundle)})
print(http.request("GET", ${text(values.url)}, timeout=15).status)
`;

export const python: Target = {
  slug: "python",
  name: "Python",
  category: "Runtimes",
  summary: "Send a Python program's requests through Weir: requests, httpx, aiohttp, urllib3.",
  also: ["Python3", "pip", "conda", "Django", "Flask", "FastAPI"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes code for requests, httpx, aiohttp and urllib3 and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the code into your program, or the block into your terminal, and running it.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs: "Python 3 and the library you choose. The shell block needs only the standard library.",
  },
  setup: (values) => [
    "Check under Status that the proxy runs and the certificate is exported.",
    "Set the proxy in the program, or in one terminal's environment.",
    { text: "The proxy URL is the same for http and https, and its scheme is http.", code: proxyUrl(values) },
    {
      text: "Settings that replace the trusted roots (verify, ca_certs, REQUESTS_CA_BUNDLE) need the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "Settings that add to the trusted roots (load_verify_locations) need Weir's root alone.", code: values.ca },
    "Copy the snippet, run it, and confirm the request in Validate.",
  ],
  userAgents: ["python-requests", "python-httpx", "Python", "python-urllib3", "Python-urllib"],
  variants: [
    inProgram(
      "requests",
      "verify replaces the roots that requests trusts, so it names the bundle: the system's roots and Weir's. trust_env is off so that your environment does not override the session.",
      plainForm("requests 2.28", requests),
    ),
    inProgram(
      "httpx",
      "The context adds Weir's root to those of the system.",
      plainForm("httpx 0.23", httpxTransport, "before 0.26"),
      plainForm(null, httpxProxy, "0.26 and newer"),
    ),
    inProgram(
      "aiohttp",
      "aiohttp reads proxy variables only with trust_env=True; here the request names the proxy.",
      plainForm("aiohttp 3.8", aiohttp),
    ),
    inProgram(
      "urllib3",
      "urllib3 reads no proxy variables. ca_certs replaces the roots that urllib3 trusts, so it names the bundle: the system's roots and Weir's.",
      plainForm("urllib3 1.26", urllib3),
    ),
    {
      ...FROM_SHELL,
      note: "REQUESTS_CA_BUNDLE and SSL_CERT_FILE replace the roots that Python trusts, so they name the bundle: the system's roots and Weir's. aiohttp needs trust_env=True; urllib3 reads none of this. In PowerShell, the last line needs version 7.3 or newer.",
      forms: environmentForms({
        extra: [
          ["REQUESTS_CA_BUNDLE", (values) => values.bundle],
          ["SSL_CERT_FILE", (values) => values.bundle],
        ],
        command: (values, shell, quote) =>
          `${interpreter(shell)} -c ${quote(`import urllib.request as r; print(r.urlopen(${text(values.url)}, timeout=15).status)`)}`,
        ran: { sh: "Python 3.11", fish: "Python 3.11" },
      }),
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate in certificate chain / ClientConnectorCertificateError: Cannot connect to host …",
      "Copy the snippet again and check that the path in verify, ca_certs or load_verify_locations is the exported file.",
    ),
    {
      text: "OSError: Could not find a suitable TLS CA certificate bundle, invalid path: …",
      meaning: "requests found no file at the path in verify or REQUESTS_CA_BUNDLE.",
      fix: "Export the certificate again, or copy the snippet again if the export folder was changed.",
    },
    {
      text: "ssl.SSLError: [X509: NO_CERTIFICATE_OR_CRL_FOUND] no certificate or crl found",
      meaning: "The file is not PEM. weir-ca.cer is for phones; Python reads PEM only.",
      fix: "Use weir-ca.pem or weir-ca-bundle.pem.",
    },
    {
      text: "Missing Authority Key Identifier / Basic Constraints of CA cert not marked critical / CA cert does not include key usage extension",
      meaning:
        "Python 3.13 and newer check certificates strictly. Weir's certificates pass these checks; a root of your own may not.",
      fix: "Give your own root critical basic constraints, key usage and key identifiers.",
    },
    refused(
      "ProxyError('Cannot connect to proxy.', NewConnectionError(… / ProxyError('Unable to connect to proxy', NewConnectionError(…",
    ),
    refused("<urlopen error [Errno …] Connection refused>"),
    refused("httpx.ConnectError: [Errno …] Connection refused"),
    refused("ClientProxyConnectionError: Cannot connect to host 127.0.0.1:…"),
    refused("[WinError 10061] No connection could be made because the target machine actively refused it"),
    answeredPlainly(
      "Your proxy appears to only use HTTP and not HTTPS / [SSL: WRONG_VERSION_NUMBER] wrong version number",
    ),
    misspelt(
      "Unknown scheme for proxy URL / Using SOCKS proxy, but the 'socksio' package is not installed / Proxy URL had unsupported scheme … / Proxy URL had no scheme / aiohttp.client_exceptions.InvalidURL: 127.0.0.1:…",
    ),
    DIRECT,
    missing(
      "FileNotFoundError: [Errno 2] No such file or directory / FileNotFoundError(2, 'No such file or directory')",
    ),
    bypassed(
      "By default, urllib3 and aiohttp ignore the environment. An inherited NO_PROXY overrides the proxy setting.",
      "Name or service not known / nodename nor servname provided",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
