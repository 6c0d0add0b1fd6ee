import { literal } from "../../quoting/languages.ts";
import { environmentForms, plainForm, UNDO_OF_BLOCK } from "../forms.ts";
import type { Form, Target, Values } from "../target.ts";
import { proxyUrl, SHORT_LIMIT } from "../target.ts";
import { bypassed, CERTIFICATE_TROUBLES, DIRECT, missing, misspelt, refused, untrusted } from "../troubles.ts";

const text = (value: string) => literal(value, "ruby");

const inProgram = (id: string, title: string, note: string, form: Form) => ({
  id,
  title,
  place: "In the program",
  language: "ruby",
  note,
  forms: [form],
});

const netHttp = (values: Values) => `require "net/http"

uri = URI(${text(values.url)})
http = Net::HTTP.new(uri.host, uri.port, ${text(values.host)}, ${values.port})
http.use_ssl = uri.scheme == "https"
http.ca_file = ${text(values.bundle)}
puts http.get(uri.request_uri).code
`;

const httparty = (values: Values) => `require "httparty"

response = HTTParty.get(
  ${text(values.url)},
  http_proxyaddr: ${text(values.host)},
  http_proxyport: ${values.port},
  ssl_ca_file: ${text(values.bundle)}
)
puts response.code
`;

const faraday = (values: Values) => `require "faraday"

connection = Faraday.new(
  proxy: ${text(proxyUrl(values))},
  ssl: { ca_file: ${text(values.bundle)} }
)
puts connection.get(${text(values.url)}).status
`;

export const ruby: Target = {
  slug: "ruby",
  name: "Ruby",
  category: "Runtimes",
  summary: "Send what a Ruby program requests through Weir: Net::HTTP, HTTParty, Faraday.",
  also: ["Ruby on Rails", "gem", "Bundler"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Writes code for Net::HTTP, HTTParty and Faraday and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the code into your program, or the block into your terminal, and running it.",
    changes: "Nothing outside your program's text, or outside the terminal in which the block was pasted.",
    undo: `Take the lines out of the program. ${UNDO_OF_BLOCK}`,
    needs: "Ruby with OpenSSL. HTTParty and Faraday are gems of the same names; Net::HTTP comes with Ruby.",
  },
  setup: (values) => [
    {
      text: "Choose how to point Ruby at the proxy: in the program, or for one terminal by its environment.",
      code: null,
    },
    { text: "Net::HTTP and HTTParty want the proxy's host and port apart, Faraday one URL.", code: proxyUrl(values) },
    { text: "ca_file replaces what Ruby trusts, so give it the bundle.", code: values.bundle },
    { text: "Copy the snippet, run it, and confirm it in Validate.", code: null },
  ],
  sample: "https://example.com/",
  variants: [
    inProgram(
      "net-http",
      "Net::HTTP",
      "ca_file replaces the roots Ruby trusts, so it points at the bundle.",
      plainForm("Ruby 3.1", netHttp),
    ),
    inProgram(
      "httparty",
      "HTTParty",
      "ssl_ca_file replaces the roots, so it points at the bundle.",
      plainForm("HTTParty 0.21", httparty),
    ),
    inProgram(
      "faraday",
      "Faraday",
      "ssl ca_file replaces the roots, so it points at the bundle. Faraday 2 takes the same options; that was not run here.",
      plainForm("Faraday 1.1", faraday),
    ),
    {
      id: "environment",
      title: "Environment",
      place: "From the shell, without touching code",
      language: "text",
      note: "Ruby reads http_proxy for https URLs too; https_proxy alone is ignored. It looks the host up and goes directly when its address is a loopback one. SSL_CERT_FILE replaces the roots, so it points at the bundle. In PowerShell the last line needs version 7.3: older ones pass no double quotes on.",
      forms: environmentForms({
        extra: [["SSL_CERT_FILE", (values) => values.bundle]],
        command: (values, _, quote) =>
          `ruby -rnet/http -e ${quote(`puts Net::HTTP.get_response(URI(${text(values.url)})).code`)}`,
        ran: { sh: "Ruby 3.1", fish: "Ruby 3.1" },
      }),
    },
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
      "SSL_connect returned=1 errno=0 peeraddr=127.0.0.1:… state=error: certificate verify failed (self-signed certificate in certificate chain) (OpenSSL::SSL::SSLError)",
      "Copy the snippet again and check that ca_file or SSL_CERT_FILE is the exported bundle. Faraday says the same as Faraday::SSLError.",
    ),
    {
      text: "peeraddr=…:443 state=error: certificate verify failed",
      meaning: "The address ends in the server's port: Ruby went to the server directly.",
      fix: "Name the proxy in the program, or set http_proxy in lower case.",
    },
    refused(
      "Failed to open TCP connection to 127.0.0.1:… (Connection refused - connect(2) for …) (Errno::ECONNREFUSED)",
    ),
    misspelt('bad URI(is not URI?): "127.0.0.1:…" (URI::InvalidURIError)'),
    {
      text: "HTTP.rb: no certificate error although the root is not given",
      meaning: "A bare OpenSSL::SSL::SSLContext does not verify until set_params is called on it.",
      fix: "Call set_params(ca_file: …) on the context with the bundle.",
    },
    DIRECT,
    missing("SSL_CTX_load_verify_file: system lib"),
    bypassed(
      "Ruby ignores https_proxy alone, and never sends a host through the proxy that it finds at a loopback address.",
      "Name or service not known / nodename nor servname provided",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
