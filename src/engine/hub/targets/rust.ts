import { literal } from "../../quoting/languages.ts";
import { bypassed, CERTIFICATE_ERRORS, DIRECT, refused, untrusted } from "../known-errors.ts";
import { plainForm } from "../snippet-forms.ts";
import { exactProbe, proxyUrl, type Target, type Values } from "../target.ts";

const text = (value: string) => literal(value, "rust");

const reqwest = (add: string) => (values: Values) =>
  `fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = reqwest::Certificate::from_pem(&std::fs::read(${text(values.ca)})?)?;
    let client = reqwest::blocking::Client::builder()
        .proxy(reqwest::Proxy::all(${text(proxyUrl(values))})?)
        ${add}
        .build()?;
    println!("{}", client.get(${text(values.url)}).send()?.status());
    Ok(())
}
`;

export const rust: Target = {
  slug: "rust",
  name: "Rust",
  category: "Runtimes",
  summary: "Send a Rust program's requests through Weir: reqwest.",
  also: ["Cargo"],
  support: "Proven end-to-end",
  overview: {
    today:
      "Weir writes a program for reqwest with the current proxy address and certificate. Weir watches for the probe.",
    manual: "Pasting the code into your program, adding reqwest to it, and building it.",
    changes: "Only your program's code.",
    undo: "Remove the lines from the program.",
    needs: 'A Rust toolchain and reqwest with the feature "blocking".',
  },
  setup: (values) => [
    { text: "Add reqwest to the program if needed.", code: "cargo add reqwest --features blocking" },
    "Choose the snippet for the version in Cargo.toml.",
    { text: "One proxy URL serves http and https.", code: proxyUrl(values) },
    { text: "The snippet adds Weir's root to the roots that reqwest trusts.", code: values.ca },
    { text: "Copy the snippet, run it, and confirm the request in Validate.", code: "cargo run" },
  ],
  userAgents: [],
  variants: [
    {
      id: "reqwest",
      title: "reqwest",
      heading: "In the program",
      language: "rust",
      note: "The same two calls exist on the async reqwest::Client::builder().",
      forms: [
        plainForm("reqwest 0.11", reqwest(".add_root_certificate(root)"), "0.11"),
        plainForm(null, reqwest(".add_root_certificate(root)"), "0.12"),
        plainForm(null, reqwest(".tls_certs_merge([root])"), "0.13 and newer"),
      ],
    },
  ],
  probe: exactProbe(
    "Build the program first, because the build takes longer than the test waits. Then start the test and run the program.",
  ),
  knownErrors: [
    untrusted(
      "certificate verify failed … self-signed certificate in certificate chain",
      "Copy the snippet again and check the path given to std::fs::read. The message comes from native-tls.",
    ),
    untrusted(
      "invalid peer certificate: UnknownIssuer",
      "Copy the snippet again and check the path given to std::fs::read. The message comes from rustls.",
    ),
    refused("tcp connect error … Connection refused"),
    DIRECT,
    bypassed(
      "Another client in the program has its own settings; NO_PROXY applies only to a proxy from the environment.",
    ),
    ...CERTIFICATE_ERRORS,
  ],
};
