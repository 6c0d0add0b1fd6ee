import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, missing, misspelt, refused, untrusted } from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, programVariant, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "go");

const inProgram = programVariant("go");

const netHttp = (values: Values) => `package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
)

func main() {
	pool, err := x509.SystemCertPool()
	if err != nil {
		log.Fatal(err)
	}
	root, err := os.ReadFile(${text(values.ca)})
	if err != nil {
		log.Fatal(err)
	}
	pool.AppendCertsFromPEM(root)
	proxy, err := url.Parse(${text(proxyUrl(values))})
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{
		Proxy:           http.ProxyURL(proxy),
		TLSClientConfig: &tls.Config{RootCAs: pool},
	}}
	response, err := client.Get(${text(values.url)})
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	fmt.Println(response.StatusCode)
}
`;

const resty = (values: Values) => `package main

import (
	"fmt"
	"log"

	"github.com/go-resty/resty/v2"
)

func main() {
	client := resty.New().
		SetProxy(${text(proxyUrl(values))}).
		SetRootCertificate(${text(values.bundle)})
	response, err := client.R().Get(${text(values.url)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.StatusCode())
}
`;

export const go: Target = {
  slug: "go",
  name: "Go",
  category: "Runtimes",
  summary: "Send a Go program's requests through Weir: net/http, resty.",
  also: ["golang"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes programs for net/http and resty and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual:
      "Pasting the code into your program or the block into your terminal, fetching resty where it is used, and running the program.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs: "Go 1.16 or newer; for resty the module github.com/go-resty/resty/v2.",
  },
  setup: (values) => [
    "Set the proxy in the program (all systems) or in the environment (certificate on Linux only).",
    { text: "The proxy URL is the same for http and https.", code: proxyUrl(values) },
    { text: "AppendCertsFromPEM adds Weir's root to the system's.", code: values.ca },
    {
      text: "resty's SetRootCertificate replaces the trusted roots. Give it the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    { text: "Copy the snippet, run it, and confirm the request in Validate.", code: "go run ." },
  ],
  userAgents: ["Go-http-client", "go-resty"],
  variants: [
    inProgram(
      "net-http",
      "net/http",
      "The pool holds the system's roots and Weir's. A custom transport stays on HTTP/1.1.",
      plainForm("Go 1.19", netHttp),
    ),
    inProgram(
      "resty",
      "resty",
      "SetRootCertificate replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      plainForm("resty 2.6 on Go 1.19", resty),
    ),
    {
      ...FROM_SHELL,
      note: "For programs with http.DefaultTransport or ProxyFromEnvironment. localhost and 127.x always bypass the proxy. SSL_CERT_FILE works on Linux and other Unix systems, not on macOS or Windows. The variable replaces the system's file, so it names the bundle: the system's roots and Weir's.",
      forms: environmentForms({
        extra: [["SSL_CERT_FILE", (values) => values.bundle]],
        command: () => "go run .",
        ran: { sh: "Go 1.19" },
      }),
    },
  ],
  probe: exactProbe("Run a program from Snippets. With the block alone, let your program request the probe URL."),
  knownErrors: [
    untrusted(
      "x509: certificate signed by unknown authority",
      'Copy the snippet again and check the path of the file. Newer versions put "tls: failed to verify certificate:" before this message. macOS and Windows ignore SSL_CERT_FILE: use the code.',
    ),
    refused("proxyconnect tcp: dial tcp 127.0.0.1:…: connect: connection refused"),
    misspelt(
      "proxyconnect tcp: tls: first record does not look like a TLS handshake / proxyconnect tcp: dial tcp: lookup socks5h … no such host",
    ),
    missing("open …: no such file or directory"),
    bypassed(
      "ProxyFromEnvironment excludes localhost and 127.x, and a transport without a Proxy field reads no variables.",
      '"…": dial tcp: lookup … no such host',
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
