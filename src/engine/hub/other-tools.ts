import { wordsOf } from "../model/words.ts";

/** A tool without a page of its own, which works with the block of "Any terminal". */
export interface OtherTool {
  /** The tool's names, as users type them. */
  readonly names: readonly string[];
  /**
   * Which variables of the block the tool reads, and what else it needs. From the tool's documentation; not tested
   * here.
   */
  readonly note: string;
}

const OTHER_TOOLS: readonly OtherTool[] = [
  {
    names: ["kubectl"],
    note: "kubectl reads the block's proxy variables, but trusts only the certificate-authority of its kubeconfig. Let the cluster's host pass through.",
  },
  {
    names: ["uv"],
    note: "uv reads HTTPS_PROXY and SSL_CERT_FILE of this block.",
  },
  {
    names: ["poetry"],
    note: "Poetry reads HTTPS_PROXY and REQUESTS_CA_BUNDLE of this block.",
  },
  {
    names: ["terraform", "opentofu"],
    note: "It reads HTTPS_PROXY of this block, and SSL_CERT_FILE on Linux alone. macOS and Windows use the system's store.",
  },
  {
    names: ["gcloud"],
    note: "gcloud reads the block's proxy variables. Set its property core/custom_ca_certs_file to the bundle.",
  },
  {
    names: ["vscode", "vs code"],
    note: "This block serves VS Code's terminal. The editor itself has the settings http.proxy and http.systemCertificates.",
  },
  {
    names: ["cypress"],
    note: "Cypress reads HTTP_PROXY and HTTPS_PROXY of this block, in the terminal that starts it.",
  },
  {
    names: ["grpc", "grpcio"],
    note: "gRPC for Python, Ruby, PHP, C++ and Node.js reads https_proxy of this block. Set GRPC_DEFAULT_SSL_ROOTS_FILE_PATH to the bundle.",
  },
  {
    names: [".env", "dotenv"],
    note: "The block's variables work in a .env file too, as NAME=value. What Node.js reads at its start does not: NODE_EXTRA_CA_CERTS and NODE_USE_ENV_PROXY.",
  },
];

/** The tool whose name starts with the words of `filter`; `null` if there is none. */
export function otherToolOf(filter: string): OtherTool | null {
  const wanted = wordsOf(filter).join(" ");
  if (wanted === "") return null;
  return OTHER_TOOLS.find(({ names }) => names.some((name) => name.startsWith(wanted))) ?? null;
}
