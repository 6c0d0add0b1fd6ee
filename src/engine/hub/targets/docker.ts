import { hostPort } from "../../model/host-port.ts";
import { bypassed, CERTIFICATE_ERRORS, refused, untrusted } from "../known-errors.ts";
import { commandForms } from "../snippet-forms.ts";
import { exactProbe, LONG_LIMIT, type Target, type Values } from "../target.ts";
import { unglobbed } from "./curl.ts";

/**
 * Docker's option that mounts the certificate. With `-v`, a colon ends the path except after a drive letter. A path
 * with another colon gets `--mount`, which reads CSV: a quoted field may contain any character.
 */
function mount(file: string, quote: (value: string) => string): string {
  if (!file.replace(/^[A-Za-z]:/, "").includes(":")) return `-v ${quote(`${file}:/weir-ca.pem:ro`)}`;
  const source = /[",]/.test(file) ? `"source=${file.replaceAll('"', '""')}"` : `source=${file}`;
  return `--mount ${quote(`type=bind,${source},target=/weir-ca.pem,readonly`)}`;
}

const run =
  (network: string, host: (values: Values) => string) =>
  (values: Values, _: unknown, quote: (value: string) => string) =>
    [
      `docker run --rm ${network}${mount(values.bundle, quote)}`,
      "curlimages/curl",
      `--proxy ${quote(`http://${hostPort(host(values), values.port)}`)} --cacert /weir-ca.pem${unglobbed(values.url)} ${quote(values.url)}`,
    ].join(" ");

export const docker: Target = {
  slug: "docker",
  name: "Docker",
  category: "Containers",
  summary: "Send the probe from a container, with the host's IPv4 address and a mounted copy of the CA.",
  also: ["Podman", "Kubernetes", "k8s", "Compose", "docker-compose"],
  support: "Proven when the tool is present",
  overview: {
    today:
      "Weir writes the command that runs curl in a container with this computer's address and the certificate mounted. Weir watches for the probe.",
    manual: "Turning on local network access if the container has its own network, and running the command.",
    changes: "Docker keeps the image curlimages/curl after its first use. The container is removed when it ends.",
    undo: "docker image rm curlimages/curl, and turn off local network access.",
    needs:
      "Docker or Podman. Weir's tests ran the command with buildah instead of Docker, on the host's network and on a network of the container's own.",
  },
  setup: (values) => [
    "Inside a container, 127.0.0.1 is the container itself, except on the host's network.",
    {
      text:
        values.lan === null
          ? "In Settings, Proxy, turn on “Reachable from the local network”. Without it, a container with its own network cannot reach Weir."
          : "Containers reach Weir at this address.",
      code: values.lan === null ? null : hostPort(values.lan, values.port),
    },
    {
      text: "Docker Desktop (macOS, Windows) knows this computer as host.docker.internal.",
      code: `host.docker.internal:${values.port}`,
    },
    {
      text: "The command mounts this file read-only. It holds the system's roots and Weir's, because curl's --cacert replaces all trusted roots.",
      code: values.bundle,
    },
    "Run the command and confirm the request in Validate. The first run downloads the image.",
    "For your own image, pass HTTP_PROXY, HTTPS_PROXY and its runtime's certificate variable with -e, and mount the same file. With Compose and Kubernetes (on this computer), set the same variables and mount in their files.",
  ],
  userAgents: ["curl"],
  variants: [
    {
      id: "run",
      title: "docker run",
      heading: "One container",
      language: "text",
      note: "A container with its own network needs this computer's address; Docker Desktop has a name for it. --cacert replaces the trusted roots, so the bundle is mounted.",
      forms: [
        ...commandForms(
          run("", (values) => values.lan ?? ""),
          { sh: "buildah 1.28 in place of docker" },
          { version: "Host IPv4 address", lan: true },
        ),
        ...commandForms(
          run("--network host ", (values) => values.host),
          { sh: "buildah 1.28 in place of docker" },
          { version: "Linux, host network" },
        ),
        ...commandForms(
          run("", () => "host.docker.internal"),
          {},
          { version: "Docker Desktop" },
        ),
      ],
    },
  ],
  probe: exactProbe("Run the command. The test waits longer, because the image may be downloaded first.", LONG_LIMIT),
  remote: "partly",
  knownErrors: [
    untrusted(
      "curl: (60) SSL certificate problem: self-signed certificate in certificate chain",
      "Check that the mounted file is the exported bundle. A path that does not exist becomes an empty folder in the container.",
    ),
    {
      text: "curl: (77) error setting certificate file: /weir-ca.pem",
      meaning: "Docker found no file at the mounted path and created a folder there.",
      fix: "Export the certificate, remove the folder, and copy the command again. Docker Desktop must be allowed to share that path.",
    },
    refused("curl: (7) Failed to connect to … port …"),
    {
      text: "curl: (5) Could not resolve proxy: host.docker.internal",
      meaning: "Docker on Linux does not know host.docker.internal.",
      fix: "Use the host's IPv4 address or the host's network.",
    },
    bypassed(
      "The image or Docker's own proxy configuration may set NO_PROXY in the container.",
      "Could not resolve host: …",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
