import { visibleJson } from "../interchange/table.ts";

/** A result that a code scanner shows at a line of a file. */
export interface SarifResult {
  /** The rule's id, such as "p95" or "n-plus-one". */
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  /** A path as given on the command line, or a session's name. */
  readonly file: string;
  readonly line: number;
}

/** The results as one run of SARIF 2.1.0 (OASIS Standard, errata 01). `version`: the version of Weir. */
export function sarifOf(results: readonly SarifResult[], version: string): string {
  const rules = [...new Set(results.map(({ rule }) => rule))].map((id) => ({ id }));
  const run = {
    tool: { driver: { name: "Weir", version, rules } },
    results: results.map(({ rule, level, message, file, line }) => ({
      ruleId: rule,
      level,
      message: { text: message },
      locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } }],
    })),
  };
  return `${visibleJson(JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, null, 2))}\n`;
}

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/**
 * The path as a relative reference (RFC 3986, 4.2). Colons are encoded too, since a colon in the first segment would
 * turn the text before it into a scheme.
 */
function uriOf(file: string): string {
  return file
    .replaceAll("\\", "/")
    .split("/")
    .map((part) => encodeURIComponent(part.replaceAll(/\p{Surrogate}/gu, "\ufffd")))
    .join("/");
}
