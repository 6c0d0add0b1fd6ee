import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, DIRECT, missing, misspelt, refused, untrusted } from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, programVariant, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "ruby");

const inProgram = programVariant("ruby");

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
  summary: "Send a Ruby program's requests through Weir: Net::HTTP, HTTParty, Faraday.",
  also: ["Ruby on Rails", "gem", "Bundler"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes code for Net::HTTP, HTTParty and Faraday and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the code into your program, or the block into your terminal, and running it.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs: "Ruby with OpenSSL. HTTParty and Faraday are gems of the same names; Net::HTTP comes with Ruby.",
  },
  setup: (values) => [
    "Set the proxy in the program, or in one terminal's environment.",
    { text: "Net::HTTP and HTTParty take the proxy's host and port, Faraday one URL.", code: proxyUrl(values) },
    {
      text: "ca_file replaces the roots that Ruby trusts. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    "Copy the snippet, run it, and confirm the request in Validate.",
  ],
  userAgents: ["Ruby", "Faraday", "http.rb"],
  variants: [
    inProgram(
      "net-http",
      "Net::HTTP",
      "ca_file replaces the roots that Ruby trusts, so it names the bundle: the system's roots and Weir's.",
      plainForm("Ruby 3.1", netHttp),
    ),
    inProgram(
      "httparty",
      "HTTParty",
      "ssl_ca_file replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("HTTParty 0.21", httparty),
    ),
    inProgram(
      "faraday",
      "Faraday",
      "ssl ca_file replaces the trusted roots, so it names the bundle: the system's roots and Weir's. Faraday 2 takes the same options; not run in Weir's tests.",
      plainForm("Faraday 1.1", faraday),
    ),
    {
      ...FROM_SHELL,
      note: "Ruby reads http_proxy for https URLs too; https_proxy alone has no effect. Hosts that resolve to loopback bypass the proxy. SSL_CERT_FILE replaces the trusted roots, so it names the bundle: the system's roots and Weir's. In PowerShell, the last line needs version 7.3 or newer.",
      forms: environmentForms({
        extra: [["SSL_CERT_FILE", (values) => values.bundle]],
        command: (values, _, quote) =>
          `ruby -rnet/http -e ${quote(`puts Net::HTTP.get_response(URI(${text(values.url)})).code`)}`,
        ran: { sh: "Ruby 3.1", fish: "Ruby 3.1" },
      }),
    },
  ],
  probe: exactProbe("Run a snippet. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "SSL_connect returned=1 errno=0 peeraddr=127.0.0.1:… state=error: certificate verify failed (self-signed certificate in certificate chain) (OpenSSL::SSL::SSLError)",
      "Copy the snippet again and check that ca_file or SSL_CERT_FILE names the exported bundle. In Faraday the error is Faraday::SSLError.",
    ),
    {
      text: "peeraddr=…:443 state=error: certificate verify failed",
      meaning: "The port in peeraddr is the server's: Ruby bypassed the proxy.",
      fix: "Set the proxy in the program, or http_proxy in lower case.",
    },
    refused(
      "Failed to open TCP connection to 127.0.0.1:… (Connection refused - connect(2) for …) (Errno::ECONNREFUSED)",
    ),
    misspelt('bad URI(is not URI?): "127.0.0.1:…" (URI::InvalidURIError)'),
    {
      text: "HTTP.rb: no certificate error although the root is not given",
      meaning: "A bare OpenSSL::SSL::SSLContext verifies nothing before set_params.",
      fix: "On the context, call set_params(ca_file: …) with the path of the bundle.",
    },
    DIRECT,
    missing("SSL_CTX_load_verify_file: system lib"),
    bypassed(
      "In Ruby, https_proxy alone has no effect, and hosts that resolve to loopback bypass the proxy.",
      "Name or service not known / nodename nor servname provided",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
