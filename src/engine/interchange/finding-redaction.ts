import type { Figure, Finding } from "../model/finding.ts";
import type { Where } from "../model/where.ts";
import { REDACTED } from "./redaction/nested.ts";
import { isSecretName } from "./redaction/secret-name.ts";
import { redactedForm, redactedHeader, redactedUrl } from "./redaction.ts";

/** Removes secrets from a finding: values whose names are secret, such as `token`, and secrets in URLs. */
export function redactedFinding(finding: Finding): Finding {
  const secret = secretOf(finding.attribute);
  const said = (text: string) => withoutUrlSecrets(secret === null ? text : text.replaceAll(secret, REDACTED));
  return {
    ...finding,
    attribute: finding.attribute === null ? null : { ...finding.attribute, value: said(finding.attribute.value) },
    summary: said(finding.summary),
    advice: said(finding.advice),
    evidence: finding.evidence.map((figure) => redactedFigure(figure, said)),
    basis: said(finding.basis),
  };
}

/** Removes secrets from the endpoints of where the time went. */
export function redactedWhere(where: Where): Where {
  const without = <One extends Pick<Finding, "endpoint">>(one: One): One =>
    one.endpoint === null ? one : { ...one, endpoint: { ...one.endpoint, path: redactedUrl(one.endpoint.path) } };
  return {
    ...where,
    parts: where.parts.map(without),
    slowest: where.slowest.map(without),
    loads: where.loads.map((load) => ({ ...load, path: load.path.map(without) })),
  };
}

/** The value of an attribute with a secret name, or of a header that exports redact; else `null`. */
function secretOf(attribute: Finding["attribute"]): string | null {
  const [, kind = "", name = ""] = /^(query|request-header|response-header):(.*)$/s.exec(attribute?.name ?? "") ?? [];
  if (attribute === null || kind === "" || attribute.value === "") return null;
  if (isSecretName(name)) return attribute.value;
  return kind !== "query" && redactedHeader(name, attribute.value) !== attribute.value ? attribute.value : null;
}

function redactedFigure({ name, value }: Figure, said: (text: string) => string): Figure {
  return { name: said(name), value: isSecretName(name) ? REDACTED : said(value) };
}

/** Redacts absolute URLs, and paths with a query. */
function withoutUrlSecrets(text: string): string {
  return text.replaceAll(/\bhttps?:\/\/[^\s"'<>`]+/gi, redactedUrl).replaceAll(/[^\s"'<>`]+/g, redactedPath);
}

/** Redacts the query of a path; other words stay. */
function redactedPath(word: string): string {
  const query = word.indexOf("?") + 1;
  return word.startsWith("/") && query > 0 ? word.slice(0, query) + redactedForm(word.slice(query)) : word;
}
