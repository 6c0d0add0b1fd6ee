import type { HeaderField } from "../../model/head.ts";
import { isRecord, jsonOf } from "../../model/json.ts";
import type { Operation } from "../../model/operation.ts";
import { fieldIn } from "./field-values.ts";
import type { SentText } from "./sent-text.ts";

/** The parts of a request that can name an operation. */
export interface OperationRequest {
  readonly method: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly fields: readonly HeaderField[];
  readonly body: SentText;
}

/** The most names listed for a batch (`MOST_IN_BATCH`), and the most characters of a name (`LONGEST_NAME`). */
const MOST_IN_BATCH = 20;
const LONGEST_NAME = 200;

/** The operation that a request names; `null` if it names none. */
export function operationOf(request: OperationRequest): Operation | null {
  return soapOf(request) ?? (request.method === "GET" ? graphqlInQuery(request) : inBody(request));
}

function inBody({ fields, body }: OperationRequest): Operation | null {
  if (/^application\/graphql\b/i.test(fieldIn(fields, "content-type") ?? ""))
    return { kind: "graphql", name: cut(nameInDocument(body.text)) };
  if (!/"(?:query|operationName|extensions|jsonrpc)"/.test(body.text)) return null;
  const sent = body.json;
  const items = Array.isArray(sent) ? sent : [sent];
  const operations = items.slice(0, MOST_IN_BATCH).map((item) => graphqlIn(item) ?? jsonRpcIn(item));
  const [first] = operations;
  if (first === undefined || first === null || operations.includes(null)) return null;
  if (!Array.isArray(sent)) return first;
  const names = operations.map((operation) => operation?.name ?? "?");
  return { kind: first.kind, name: `[${names.join(", ")}${items.length > MOST_IN_BATCH ? ", …" : ""}]` };
}

/**
 * The operation that a GraphQL request names in `query`, `operationName` or `extensions` (GraphQL over HTTP, 5 and 6).
 * A persisted query without a name is named by its hash or document id.
 */
function graphqlIn(item: unknown): Operation | null {
  if (!isRecord(item)) return null;
  const { query, operationName } = item;
  const isDocument =
    typeof query === "string" && /^[\s,\ufeff]*(?:#|\{|query\b|mutation\b|subscription\b|fragment\b)/.test(query);
  const hash = persistedHashIn(item["extensions"]) ?? textIn(item["documentId"]) ?? textIn(item["doc_id"]);
  const isNamed = typeof operationName === "string" && operationName !== "" && "variables" in item;
  if (!isDocument && hash === null && !isNamed) return null;
  const named = textIn(operationName) ?? (isDocument ? nameInDocument(query) : null) ?? hash;
  return { kind: "graphql", name: cut(named) };
}

function graphqlInQuery({ query }: OperationRequest): Operation | null {
  if (query.length === 0) return null;
  const pairs = Object.fromEntries(query);
  if (pairs["query"] === undefined && pairs["extensions"] === undefined && pairs["operationName"] === undefined)
    return null;
  const sent: Record<string, unknown> = { ...pairs, extensions: jsonOf(pairs["extensions"] ?? "") };
  return graphqlIn(sent);
}

/** The hash of a persisted query, from `{persistedQuery: {version, sha256Hash}}`; `null` if there is none. */
function persistedHashIn(extensions: unknown): string | null {
  const persisted = isRecord(extensions) ? extensions["persistedQuery"] : null;
  return isRecord(persisted) ? textIn(persisted["sha256Hash"]) : null;
}

/** The name of the document's first named operation; `null` if there is none. */
function nameInDocument(document: string): string | null {
  const plain = document.replaceAll(/#[^\n]*|"""(?:"{0,2}[^"])*"{0,3}|"(?:[^"\\\n]|\\.)*"?/g, " ");
  return /(?:^|[\s},])(?:query|mutation|subscription)\s+([_A-Za-z]\w*)/.exec(plain)?.[1] ?? null;
}

/** The method of a JSON-RPC request (JSON-RPC 2.0, 4); `null` if `item` is not such a request. */
function jsonRpcIn(item: unknown): Operation | null {
  if (!isRecord(item) || item["jsonrpc"] !== "2.0" || typeof item["method"] !== "string") return null;
  return { kind: "json-rpc", name: cut(item["method"]) };
}

/** The SOAP action: a header field in SOAP 1.1 (6.1.1), a parameter of the media type in SOAP 1.2 (A.3). */
function soapOf({ fields }: OperationRequest): Operation | null {
  const action = fieldIn(fields, "soapaction") ?? actionIn(fieldIn(fields, "content-type") ?? "");
  const name = action?.replaceAll('"', "").trim() ?? "";
  return name === "" ? null : { kind: "soap", name: cut(name) };
}

function actionIn(type: string): string | null {
  return /^application\/soap\+xml\b.*?;\s*action=("[^"]*"|[^;\s]+)/i.exec(type)?.[1] ?? null;
}

function textIn(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function cut(name: string | null): string | null {
  return name === null ? null : name.slice(0, LONGEST_NAME);
}
