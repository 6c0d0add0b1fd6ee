import { PLACEHOLDER, segmentsOf, templateOf } from "../insights/path-templates.ts";
import type { Finding } from "../model/finding.ts";
import { aliasedHostOf, type HostAliases } from "../model/host-alias.ts";
import { redactedFinding } from "./finding-redaction.ts";

/** The SHA-256 digest of a text in hexadecimal (FIPS 180-4). */
export type Digest = (text: string) => string;

/** What a fingerprint is made of. The attribute counts by its name alone, since its values change between runs. */
export type Identified = Pick<Finding, "kind" | "endpoint" | "origin" | "attribute">;

const FINGERPRINT_DIGITS = 16;

/**
 * What identifies a finding in other recordings: 16 hexadecimal digits over its kind, method, host by alias, path
 * template, operation and the attribute's name. Scheme, client, figures and secrets are left out.
 */
export function fingerprintOf(finding: Identified, aliases: HostAliases, digest: Digest): string {
  return digest(JSON.stringify(partsOf(finding, aliases))).slice(0, FINGERPRINT_DIGITS);
}

/** The finding in words, as a reviewer reads it: "n-plus-one GET api.example.com/orders/{id}". */
export function identityText(finding: Identified, aliases: HostAliases): string {
  const [kind, method, host, path, operation, attribute] = partsOf(finding, aliases);
  const endpoint = [method, `${host ?? ""}${path ?? ""}`].filter((part) => part !== null && part !== "").join(" ");
  return [
    kind,
    endpoint,
    ...(operation === null ? [] : [`· ${operation}`]),
    ...(attribute === null ? [] : [`(${attribute})`]),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Kind, method, host, path, operation, and the attribute's name; `null` for what the finding has not. */
function partsOf(finding: Identified, aliases: HostAliases) {
  const { kind, endpoint, origin, attribute } = redactedFinding({ ...REST, ...finding });
  const of = endpoint?.origin ?? origin;
  const host = of === null ? null : aliasedHostOf(of, aliases);
  const path = endpoint === null ? null : stablePathOf(endpoint.path);
  return [kind, endpoint?.method ?? null, host, path, endpoint?.operation ?? null, attribute?.name ?? null] as const;
}

/** The path with one placeholder for ids, whether or not the settings group paths, and however a rule names them. */
function stablePathOf(path: string): string {
  return segmentsOf(templateOf(path))
    .map((segment) => (/^\{.*\}$/s.test(segment) ? PLACEHOLDER : segment))
    .join("/");
}

/** Fields of a finding that its identity leaves out. */
const REST: Omit<Finding, keyof Identified> = {
  client: null,
  count: 0,
  time: null,
  bytes: null,
  exchanges: [],
  summary: "",
  advice: "",
  evidence: [],
  basis: "",
  confidence: "certain",
};
