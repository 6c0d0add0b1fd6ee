import { visibleJson } from "../interchange/table.ts";
import { ruleOf } from "./rules.ts";

/** A result that a code scanner shows at a line of a file. */
export interface SarifResult {
  /** The rule's id, such as "p95" or "n-plus-one". */
  readonly rule: string;
  readonly level: "error" | "warning" | "note";
  readonly message: string;
  /** A path as given on the command line, or a session's name. */
  readonly file: string;
  readonly line: number;
  /** Of the finding; `null` for a limit, which `limit` identifies. */
  readonly fingerprint: string | null;
  readonly limit: string;
  /** Against the baseline (SARIF 2.1.0, 3.27.24); `null` without one. */
  readonly state: "new" | "updated" | "unchanged" | "absent" | null;
  /** Why the result is accepted; if its level is "error", the acceptance has expired or was outgrown. */
  readonly acceptance: { readonly reason: string; readonly until: string | null } | null;
}

/** The results as one run of SARIF 2.1.0 (OASIS Standard, errata 01). `version`: the version of Weir. */
export function sarifOf(results: readonly SarifResult[], version: string): string {
  const ids = [...new Set(results.map(({ rule }) => rule))];
  const run = {
    tool: { driver: { name: "Weir", version, rules: ids.map(described) } },
    results: results.map((result) => {
      const { rule, level, message, file, line, fingerprint, limit, state } = result;
      return {
        ruleId: rule,
        ruleIndex: ids.indexOf(rule),
        level,
        message: { text: message },
        locations: [{ physicalLocation: { artifactLocation: { uri: uriOf(file) }, region: { startLine: line } } }],
        partialFingerprints: fingerprint === null ? { "weirLimit/v1": limit } : { "weirFinding/v1": fingerprint },
        ...(state === null ? {} : { baselineState: state }),
        suppressions: suppressionsOf(result),
      };
    }),
  };
  return `${visibleJson(JSON.stringify({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, null, 2))}\n`;
}

function described(id: string) {
  const { name, description, help } = ruleOf(id);
  return {
    id,
    name,
    shortDescription: { text: name },
    fullDescription: { text: description },
    help: { text: help, markdown: help },
  };
}

/** SARIF 2.1.0, 3.27.23: if one result of a run has the property, all have it, so that it is empty for most. */
function suppressionsOf({ acceptance, level }: SarifResult) {
  if (acceptance === null) return [];
  const { reason, until } = acceptance;
  const justification = until === null ? reason : `${reason} (until ${until})`;
  return [{ kind: "external", status: level === "error" ? "rejected" : "accepted", justification }];
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
