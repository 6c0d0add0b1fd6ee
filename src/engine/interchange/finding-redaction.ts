import type { Figure, Finding, OperationEndpoint } from "../model/finding.ts";
import type { LoadStep, Where } from "../model/where.ts";
import { isSecretName } from "./redaction/secret-name.ts";
import { REDACTED, redactedFields, redactedText, redactedUrl } from "./redaction.ts";

/** Removes secrets from all captured texts of a finding, including its place. */
export function redactedFinding(finding: Finding): Finding {
  const secret = secretOf(finding.attribute);
  const said = (text: string) => redactedText(secret === null ? text : text.replaceAll(secret, REDACTED));
  const orNull = (text: string | null) => (text === null ? null : said(text));
  const { attribute } = finding;
  return {
    ...withoutSecrets(finding),
    origin: orNull(finding.origin),
    client: orNull(finding.client),
    attribute: attribute === null ? null : { name: nameOf(attribute.name), value: said(attribute.value) },
    summary: said(finding.summary),
    advice: said(finding.advice),
    evidence: finding.evidence.map((figure) => redactedFigure(figure, said)),
    basis: said(finding.basis),
  };
}

/** Removes secrets from the endpoints of where the time went. */
export function redactedWhere(where: Where): Where {
  return {
    ...where,
    parts: where.parts.map(withoutSecrets),
    slowest: where.slowest.map(withoutSecrets),
    loads: where.loads.map((load) => ({ ...load, path: load.path.map(stepWithoutSecrets) })),
  };
}

function stepWithoutSecrets(step: LoadStep): LoadStep {
  return { ...withoutSecrets(step), meanwhile: withoutSecrets({ endpoint: step.meanwhile }).endpoint };
}

function withoutSecrets<One extends Pick<Finding, "endpoint">>(one: One): One {
  return one.endpoint === null ? one : { ...one, endpoint: redactedEndpoint(one.endpoint) };
}

export function redactedEndpoint(endpoint: OperationEndpoint): OperationEndpoint {
  const operation = endpoint.operation === null ? null : redactedText(endpoint.operation);
  return { ...endpoint, path: redactedUrl(endpoint.path), operation };
}

/** The name of an attribute. That of `while:` holds a path. */
function nameOf(name: string): string {
  return name.startsWith("while:") ? redactedText(name) : name;
}

/** The value of an attribute with a secret name, or of a header that exports redact; else `null`. */
function secretOf(attribute: Finding["attribute"]): string | null {
  const [, kind = "", name = ""] =
    /^(query|body|request-header|response-header):(.*)$/s.exec(attribute?.name ?? "") ?? [];
  if (attribute === null || kind === "" || attribute.value === "") return null;
  if (kind === "query" || kind === "body") return isSecretName(name) ? attribute.value : null;
  const [field] = redactedFields([{ name, value: attribute.value }]);
  return field?.value === attribute.value ? null : attribute.value;
}

function redactedFigure({ name, value }: Figure, said: (text: string) => string): Figure {
  return { name: said(name), value: isSecretName(name) ? REDACTED : said(value) };
}
