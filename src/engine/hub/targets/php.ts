import { hostPort } from "../../model/host-port.ts";
import { literal } from "../../quoting/languages.ts";
import { answeredPlainly, bypassed, CERTIFICATE_ERRORS, DIRECT, missing, refused, untrusted } from "../known-errors.ts";
import { plainForm, programVariant } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "php");

const inProgram = programVariant("php");

const curl = (values: Values) => `<?php
$request = curl_init(${text(values.url)});
curl_setopt_array($request, [
    CURLOPT_PROXY => ${text(proxyUrl(values))},
    CURLOPT_NOPROXY => "",
    CURLOPT_CAINFO => ${text(values.bundle)},
    CURLOPT_RETURNTRANSFER => true,
]);
$body = curl_exec($request);
echo $body === false ? curl_error($request) : curl_getinfo($request, CURLINFO_RESPONSE_CODE), "\\n";
`;

const streams = (values: Values) => `<?php
$context = stream_context_create([
    "http" => ["proxy" => ${text(`tcp://${hostPort(values.host, values.port)}`)}, "request_fulluri" => false],
    "ssl" => ["cafile" => ${text(values.bundle)}],
]);
echo strlen(file_get_contents(${text(values.url)}, false, $context)), "\\n";
`;

const guzzle = (values: Values) => `<?php
require "vendor/autoload.php";

$client = new GuzzleHttp\\Client(["proxy" => ${text(proxyUrl(values))}, "verify" => ${text(values.bundle)}]);
echo $client->get(${text(values.url)})->getStatusCode(), "\\n";
`;

export const php: Target = {
  slug: "php",
  name: "PHP",
  category: "Runtimes",
  summary: "Send a PHP program's requests through Weir: curl extension, streams, Guzzle.",
  also: ["Laravel", "Symfony", "Composer"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes code for the curl extension, for streams and for Guzzle with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the code into your program and running it.",
    changes: "Only your program's code.",
    undo: "Remove the lines from the program.",
    needs:
      "PHP with OpenSSL; the curl extension or Guzzle for their snippets. The Guzzle snippet was not run in Weir's tests.",
  },
  setup: (values) => [
    { text: "The curl extension and Guzzle take the proxy as a URL.", code: proxyUrl(values) },
    {
      text: "Streams take the proxy as a URL with the scheme tcp.",
      code: `tcp://${hostPort(values.host, values.port)}`,
    },
    {
      text: "CURLOPT_CAINFO, cafile and verify replace the roots that PHP trusts. Give them the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    "Copy the snippet, run it, and confirm the request in Validate.",
  ],
  userAgents: ["GuzzleHttp"],
  variants: [
    inProgram(
      "curl",
      "curl extension",
      "CURLOPT_CAINFO replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("PHP 8.2", curl),
    ),
    inProgram(
      "streams",
      "Streams",
      "For file_get_contents, fopen and others that take a context. cafile replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("PHP 8.2", streams),
    ),
    inProgram(
      "guzzle",
      "Guzzle",
      "verify replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm(null, guzzle),
    ),
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      'Check that CURLOPT_CAINFO or verify is the exported bundle. Guzzle puts "cURL error 60:" before this message.',
    ),
    untrusted(
      "SSL operation failed with code 1 … certificate verify failed",
      "Check that cafile in the context's ssl part is the exported bundle.",
    ),
    refused(
      "Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
    ),
    refused("Failed to open stream: Connection refused"),
    answeredPlainly("SSL routines:…:wrong version number"),
    {
      text: 'Unable to find the socket transport "…" - did you forget to enable it when you configured PHP?',
      meaning: "A stream's proxy URL does not start with tcp://.",
      fix: "Copy the Streams snippet again; only its proxy URL starts with tcp://.",
    },
    DIRECT,
    missing("error setting certificate file: … / failed loading cafile stream: …"),
    bypassed(
      "Streams ignore proxy variables, and a request without the context bypasses the proxy.",
      "Could not resolve host: … / php_network_getaddresses: getaddrinfo for … failed",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
