import { bypassed, CERTIFICATE_ERRORS, misspelt, refused, untrusted } from "../known-errors.ts";
import { commandForms, program } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target } from "../target.ts";

export const wget: Target = {
  slug: "wget",
  name: "wget",
  category: "Command line",
  summary: "Send one wget download through Weir.",
  also: [],
  support: "Proven when the tool is present",
  overview: {
    today: "Weir writes the command with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the command into a terminal.",
    changes: "Nothing.",
    undo: "Nothing to undo.",
    needs: "wget 1.x. wget2 1.99 fails through http proxies and is not covered.",
  },
  setup: (values) => [
    {
      text: "wget takes the proxy as options.",
      code: `-e use_proxy=yes -e https_proxy=${proxyUrl(values)}`,
    },
    { text: "--ca-certificate adds Weir's root to what wget trusts.", code: values.ca },
    "Copy the command, run it, and confirm the request in Validate.",
  ],
  userAgents: ["Wget"],
  variants: [
    {
      id: "command",
      title: "Command",
      heading: "One request",
      language: "text",
      note: "In the environment, wget reads https_proxy in lower case only; set the certificate on the command line or in .wgetrc.",
      forms: commandForms(
        (values, shell, quote) =>
          [
            `${program("wget", shell)} -e use_proxy=yes -e ${quote(`http_proxy=${proxyUrl(values)}`)} -e ${quote(`https_proxy=${proxyUrl(values)}`)}`,
            `-e no_proxy= --ca-certificate ${quote(values.ca)} -O - ${quote(values.url)}`,
          ].join(" "),
        { sh: "wget 1.21", fish: "wget 1.21" },
      ),
    },
  ],
  probe: exactProbe("Run the command. It requests the probe URL once."),
  knownErrors: [
    untrusted(
      "ERROR: The certificate of '…' is not trusted. / doesn't have a known issuer.",
      "Copy the command again and check the path in --ca-certificate.",
    ),
    {
      text: "Failed to open cert … / ERROR: Failed to open cert",
      meaning: "The file is missing, or is not PEM.",
      fix: "Export the certificate again. weir-ca.cer is for phones; wget reads PEM.",
    },
    refused("Connecting to 127.0.0.1:… failed: Connection refused."),
    misspelt("Error parsing proxy URL …: Unsupported scheme"),
    bypassed("wget does not read HTTPS_PROXY in upper case.", "unable to resolve host address"),
    ...CERTIFICATE_ERRORS,
  ],
};
