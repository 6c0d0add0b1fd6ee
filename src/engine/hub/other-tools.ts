import { wordsOf } from "../model/words.ts";

/** A tool that works with the block of "Any terminal" and has no page of its own. */
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
    note: "uv reads HTTPS_PROXY and SSL_CERT_FILE from this block.",
  },
  {
    names: ["poetry"],
    note: "Poetry reads HTTPS_PROXY and REQUESTS_CA_BUNDLE from this block.",
  },
  {
    names: ["terraform", "opentofu"],
    note: "Terraform and OpenTofu read HTTPS_PROXY from this block, and SSL_CERT_FILE on Linux only. On macOS and Windows they use the system's certificate store.",
  },
  {
    names: ["gcloud"],
    note: "gcloud reads the block's proxy variables. Set gcloud's property core/custom_ca_certs_file to the bundle.",
  },
  {
    names: ["vscode", "vs code"],
    note: "This block works in VS Code's terminal. For the editor itself, use its settings http.proxy and http.systemCertificates.",
  },
  {
    names: ["cypress"],
    note: "Cypress reads HTTP_PROXY and HTTPS_PROXY from this block, in the terminal that starts Cypress.",
  },
  {
    names: ["grpc", "grpcio"],
    note: "gRPC for Python, Ruby, PHP, C++ and Node.js reads https_proxy and GRPC_DEFAULT_SSL_ROOTS_FILE_PATH from this block.",
  },
  {
    names: [".env", "dotenv"],
    note: "The block's variables also work in a .env file, as NAME=value. NODE_EXTRA_CA_CERTS and NODE_USE_ENV_PROXY do not, because Node.js reads them at its start.",
  },
];

/** The tool whose name starts with the words of `filter`; `null` if there is none. */
export function otherToolOf(filter: string): OtherTool | null {
  const wanted = wordsOf(filter).join(" ");
  if (wanted === "") return null;
  return OTHER_TOOLS.find(({ names }) => names.some((name) => name.startsWith(wanted))) ?? null;
}
