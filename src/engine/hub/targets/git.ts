import { answeredPlainly, bypassed, CERTIFICATE_ERRORS, DIRECT, missing, refused, untrusted } from "../known-errors.ts";
import { commandForms, environmentForms, UNDO_OF_BLOCK } from "../snippet-forms.ts";
import { proxyUrl, SHORT_LIMIT, type Target } from "../target.ts";

export const git: Target = {
  slug: "git",
  name: "git",
  category: "Command line",
  summary: "Send git's https requests (fetch, push, ls-remote) through Weir.",
  also: ["GitHub", "GitLab"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes a command and a block for the shell with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the command or the block into a terminal.",
    changes: "The command changes no git configuration: -c applies to one run. The block affects only its terminal.",
    undo: UNDO_OF_BLOCK,
    needs: "git, with https remotes. ssh remotes use no http proxy.",
  },
  setup: (values) => [
    { text: "Set git's proxy for one run with -c.", code: `-c http.proxy=${proxyUrl(values)}` },
    {
      text: "http.sslCAInfo and GIT_SSL_CAINFO replace the roots that git trusts. Give them the bundle: the system's roots and Weir's.",
      code: values.bundle,
    },
    "Copy the command, run it, and confirm the request in Validate. The probe is not a repository, so git reports an error, but the test passes.",
  ],
  sample: "https://github.com/git/git.git",
  variants: [
    {
      id: "command",
      title: "Command",
      heading: "One git command",
      language: "text",
      note: "http.sslCAInfo replaces the trusted roots, so it names the bundle: the system's roots and Weir's. git adds /info/refs to the URL; Validate accepts any request below the probe's path.",
      forms: commandForms(
        (values, _, quote) =>
          `git -c ${quote(`http.proxy=${proxyUrl(values)}`)} -c ${quote(`http.sslCAInfo=${values.bundle}`)} ls-remote ${quote(values.url)}`,
        { sh: "git 2.39", fish: "git 2.39" },
      ),
    },
    {
      id: "environment",
      title: "Environment",
      heading: "Every git command in one terminal",
      language: "text",
      note: "GIT_SSL_CAINFO replaces the trusted roots, so it names the bundle: the system's roots and Weir's.",
      forms: environmentForms({
        extra: [["GIT_SSL_CAINFO", (values) => values.bundle]],
        command: (values, _, quote) => `git ls-remote ${quote(values.url)}`,
        ran: { sh: "git 2.39", fish: "git 2.39" },
      }),
    },
  ],
  probe: {
    path: "below",
    limit: SHORT_LIMIT,
    localhost: false,
    how: "Run the command. git requests /info/refs below the probe URL and then reports that it is not a repository.",
  },
  knownErrors: [
    untrusted(
      "server certificate verification failed. CAfile: … CRLfile: none",
      "Copy the command again and check the path in http.sslCAInfo. GIT_SSL_CAINFO overrides http.sslCAInfo: unset the variable, or use the Environment block. The message comes from git with GnuTLS.",
    ),
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      "Copy the command again and check the path in http.sslCAInfo. GIT_SSL_CAINFO overrides http.sslCAInfo: unset the variable, or use the Environment block. The message comes from git with OpenSSL.",
    ),
    {
      text: "CRYPT_E_NO_REVOCATION_CHECK (0x80092012) / SEC_E_UNTRUSTED_ROOT (0x80090325)",
      meaning:
        "This git uses Windows' Schannel, which ignores http.sslCAInfo and asks for a revocation list; Weir's certificates name none. This error was not seen in Weir's tests.",
      fix: "Put -c http.sslBackend=openssl before ls-remote, fetch or push: Git for Windows has both backends.",
    },
    refused(
      "Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
    ),
    answeredPlainly("gnutls_handshake() failed: An unexpected TLS packet was received"),
    {
      text: "fatal: … not valid: is this a git repository? / repository '…' not found",
      meaning:
        "The proxy and the certificate work, but the server is not a git repository. For the probe this is expected.",
      fix: "Nothing to fix when Validate shows the capture.",
    },
    DIRECT,
    missing("Problem with the SSL CA cert (path? access rights?) / error setting certificate file: …"),
    bypassed(
      "Possible causes: NO_PROXY is set, which overrides -c http.proxy (the Environment block empties it); the remote uses ssh or git://, which use no HTTP proxy; or http.<url>.proxy in your configuration overrides -c http.proxy.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
