import { commandForms, environmentForms, UNDO_OF_BLOCK } from "../forms.ts";
import type { Target } from "../target.ts";
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

export const git: Target = {
  slug: "git",
  name: "git",
  category: "Command line",
  summary: "Send git's https requests (fetch, push, ls-remote) through Weir.",
  also: ["GitHub", "GitLab"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Writes a command and a block for the shell, each with the proxy's address and certificate of now, and watches for the request when you run it.",
    manual: "Pasting the line into a terminal.",
    changes:
      "The command changes no git configuration: -c holds for one run. The block holds for the terminal in which it was pasted.",
    undo: UNDO_OF_BLOCK,
    needs: "git. Remotes over ssh do not pass a http proxy.",
  },
  setup: (values) => [
    { text: "Give git the proxy for one run with -c.", code: `-c http.proxy=${proxyUrl(values)}` },
    { text: "http.sslCAInfo and GIT_SSL_CAINFO replace what git trusts: give them the bundle.", code: values.bundle },
    {
      text: "Copy the command, run it, and confirm it in Validate. The probe is no repository, so git ends with an error of its own; the capture counts.",
      code: null,
    },
  ],
  sample: "https://github.com/git/git.git",
  variants: [
    {
      id: "command",
      title: "Command",
      place: "One run",
      language: "text",
      note: "http.sslCAInfo replaces the roots, so it points at the bundle. git adds /info/refs to the URL; Validate counts whatever lies below the probe's path.",
      forms: commandForms(
        (values, _, quote) =>
          `git -c ${quote(`http.proxy=${proxyUrl(values)}`)} -c ${quote(`http.sslCAInfo=${values.bundle}`)} ls-remote ${quote(values.url)}`,
        { sh: "git 2.39", fish: "git 2.39" },
      ),
    },
    {
      id: "environment",
      title: "Environment",
      place: "All of a terminal's runs",
      language: "text",
      note: "GIT_SSL_CAINFO replaces the roots, so it points at the bundle.",
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
    how: "Run the command. git asks for /info/refs below the probe URL and then says that it is no repository.",
  },
  trust: { kind: "loads-file" },
  remote: false,
  troubles: [
    untrusted(
      "server certificate verification failed. CAfile: … CRLfile: none",
      "Copy the command again and check the path in http.sslCAInfo. Where GIT_SSL_CAINFO is set, it wins over that: unset it, or take the block of Environment. This is git with GnuTLS speaking.",
    ),
    untrusted(
      "SSL certificate problem: self-signed certificate in certificate chain",
      "Copy the command again and check the path in http.sslCAInfo. Where GIT_SSL_CAINFO is set, it wins over that: unset it, or take the block of Environment. This is git with OpenSSL speaking.",
    ),
    {
      text: "CRYPT_E_NO_REVOCATION_CHECK (0x80092012) / SEC_E_UNTRUSTED_ROOT (0x80090325)",
      meaning:
        "This git uses Windows' Schannel, which reads no http.sslCAInfo and asks for a revocation list; Weir's certificates name none. This was not seen here.",
      fix: "Put -c http.sslBackend=openssl before ls-remote, fetch or push: Git for Windows has both.",
    },
    refused(
      "Failed to connect to 127.0.0.1 port … after … ms: Couldn't connect to server / Could not connect to server",
    ),
    answeredPlainly("gnutls_handshake() failed: An unexpected TLS packet was received"),
    misspelt("Received invalid version in initial SOCKS5 response"),
    {
      text: "fatal: … not valid: is this a git repository? / repository '…' not found",
      meaning:
        "The proxy and the certificate work; what answered is no git repository. For the probe this is as it should be.",
      fix: "Nothing to fix when Validate shows the capture.",
    },
    DIRECT,
    missing("Problem with the SSL CA cert (path? access rights?) / error setting certificate file: …"),
    bypassed(
      "An inherited NO_PROXY wins over -c http.proxy: the block of Environment empties it. A remote over ssh or git:// passes no http proxy, and http.<url>.proxy in your configuration is more specific than -c http.proxy.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_TROUBLES,
  ],
};
