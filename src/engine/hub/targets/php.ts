import { hostPort } from "../../model/host-port.ts";
import { literal } from "../../quoting/languages.ts";
import { plainForm } from "../forms.ts";
import type { Form, Target, Values } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import {
  answeredPlainly,
  bypassed,
  CERTIFICATE_TROUBLES,
  DIRECT,
  missing,
  misspelt,
  refused,
  untrusted,
} from "../troubles.ts";

const text = (value: string) => literal(value, "php");

const inProgram = (id: string, title: string, note: string, form: Form) => ({
  id,
  title,
  place: "In the program",
  language: "php",
  note,
  forms: [form],
});

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
  summary: "Send what a PHP program requests through Weir: curl extension, streams, Guzzle.",
  also: ["Laravel", "Symfony", "Composer"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes code for the curl extension, for streams and for Guzzle, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the code into your program and running it.",
    changes: "Nothing outside your program's text.",
    undo: "Take the lines out of the program.",
    needs:
      "PHP with OpenSSL; the curl extension or Guzzle for their tabs. The curl and streams texts were run here, Guzzle's was not.",
  },
  setup: (values) => [
    { text: "The curl extension and Guzzle take the proxy as a URL.", code: proxyUrl(values) },
    { text: "Streams take it with the scheme tcp.", code: `tcp://${hostPort(values.host, values.port)}` },
    { text: "CURLOPT_CAINFO, cafile and verify replace what PHP trusts: give them the bundle.", code: values.bundle },
    { text: "Copy the snippet, run it, and confirm it in Validate.", code: null },
  ],
  sample: "https://example.com/",
  variants: [
    inProgram(
      "curl",
      "curl extension",
      "CURLOPT_CAINFO replaces the roots, so it points at the bundle.",
      plainForm("PHP 8.2", curl),
    ),
    inProgram(
      "streams",
      "Streams",
      "For file_get_contents, fopen and all that takes a context. cafile replaces the roots, so it points at the bundle.",
      plainForm("PHP 8.2", streams),
    ),
    inProgram("guzzle", "Guzzle", "verify replaces the roots, so it points at the bundle.", plainForm(null, guzzle)),
  ],
  probe: {
    path: "exact",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the snippet. Each of them asks for the probe URL once.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      'Check that CURLOPT_CAINFO or verify is the exported bundle. Guzzle puts "cURL error 60:" before it.',
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
    misspelt("Received invalid version in initial SOCKS5 response"),
    {
      text: 'Unable to find the socket transport "…" - did you forget to enable it when you configured PHP?',
      meaning: "The proxy's address of a stream begins with another scheme than tcp://.",
      fix: "Copy the snippet of streams again: only there the address begins with tcp://.",
    },
    DIRECT,
    missing("error setting certificate file: … / failed loading cafile stream: …"),
    bypassed(
      "Streams read no proxy variables; a request without the context goes directly.",
      "Could not resolve host: … / php_network_getaddresses: getaddrinfo for … failed",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
