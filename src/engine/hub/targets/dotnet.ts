import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { environmentForms, FROM_SHELL, plainForm, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "csharp");

/**
 * C# for HttpClient. Revocation is not checked (NoCheck, also the default), since Weir's leaf certificates name no
 * revocation list.
 */
const httpClient = (values: Values) => `using System.Net;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

var policy = new X509ChainPolicy
{
    TrustMode = X509ChainTrustMode.CustomRootTrust,
    RevocationMode = X509RevocationMode.NoCheck,
};
policy.CustomTrustStore.ImportFromPemFile(${text(values.bundle)});
var handler = new SocketsHttpHandler
{
    Proxy = new WebProxy(${text(proxyUrl(values))}),
    UseProxy = true,
    SslOptions = new SslClientAuthenticationOptions { CertificateChainPolicy = policy },
};
using var client = new HttpClient(handler);
using var response = await client.GetAsync(${text(values.url)});
Console.WriteLine((int)response.StatusCode);
`;

export const dotnet: Target = {
  slug: "dotnet",
  name: ".NET",
  category: "Runtimes",
  summary: "Send a .NET program's requests through Weir: HttpClient.",
  also: ["C#", "csharp", "F#", "ASP.NET", "aspnet"],
  support: "Snippet + capture check",
  overview: {
    today:
      "Weir writes code for HttpClient and a block for the shell with the current proxy address and certificate. Weir watches for the probe. The snippets were not run in Weir's tests.",
    manual: "Pasting the code into your program or the block into your terminal, and running the program.",
    changes: "Only your program's code, or the terminal into which you paste the block.",
    undo: `Remove the lines from the program. ${UNDO_OF_BLOCK}`,
    needs:
      ".NET 7 or newer for the code (CertificateChainPolicy). The shell block's certificate part works on Linux only.",
  },
  setup: (values) => [
    { text: "Set the proxy on the handler.", code: proxyUrl(values) },
    { text: "A custom trust store replaces the system's, so import the bundle.", code: values.bundle },
    { text: "Copy the snippet into Program.cs, run it, and confirm the request in Validate.", code: "dotnet run" },
  ],
  variants: [
    {
      id: "httpclient",
      title: "HttpClient",
      heading: "In the program",
      language: "csharp",
      note: "CustomRootTrust replaces the roots, so the bundle is imported. NoCheck for revocation is HttpClient's own default.",
      forms: [plainForm(null, httpClient, ".NET 7 and newer")],
    },
    {
      ...FROM_SHELL,
      note: "HttpClient reads the proxy variables on all systems. SSL_CERT_FILE is read on Linux only. The variable replaces the system's file, so it names the bundle: the system's roots and Weir's.",
      inTest: true,
      forms: environmentForms({
        extra: [["SSL_CERT_FILE", (values) => values.bundle]],
        command: () => "dotnet run",
        ran: {},
      }),
    },
  ],
  probe: exactProbe(
    "Build the program from Snippets before you start the test, because the build may take longer than the test waits. Then run the program.",
  ),
  knownErrors: [
    untrusted(
      "The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot",
      "Check that ImportFromPemFile is given the exported bundle. This error was not seen in Weir's tests.",
    ),
    refused("Connection refused (127.0.0.1:…)"),
    bypassed("A handler with UseProxy = false uses no proxy, and each HttpClient has its own handler."),
    ...CERTIFICATE_ERRORS,
  ],
};
