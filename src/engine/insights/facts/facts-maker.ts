import { pathOf } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import type { HeaderField } from "../../model/head.ts";
import { isRecord, jsonOf } from "../../model/json.ts";
import { MOST_OPERATIONS, type OperationKind, POOLED_OPERATION } from "../../model/operation.ts";
import { overheadOf, waitOf } from "../../model/phases.ts";
import type { Instant, Milliseconds } from "../../model/units.ts";
import type { BodyFacts, ExchangeFacts } from "../exchange-facts.ts";
import { takeJsonValues } from "../links/json-values.ts";
import type { ModelCall } from "../models/read-call.ts";
import type { PathTemplates } from "../path-templates.ts";
import { BodyFieldPool, bodyFieldsOf } from "./body-fields.ts";
import { apart, FieldPool } from "./field-pool.ts";
import { fieldIn } from "./field-values.ts";
import { operationOf } from "./operations.ts";
import { queryPairsOf } from "./query-pairs.ts";
import { SentText } from "./sent-text.ts";
import { claimsOf } from "./web-token.ts";

/** The content of an exchange. Texts are decoded; "" stands for a body that is not text. */
export interface ExchangeContent {
  readonly requestHead: string;
  readonly responseHead: string | null;
  readonly requestText: string;
  readonly responseText: string;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  /** `address:port`; `null` if not known. */
  readonly serverAddress: string | null;
  readonly events: readonly Instant[] | null;
  readonly model: ModelCall | null;
}

/** Computes the facts of a session's exchanges. Equal parts are shared between exchanges to save memory. */
export class FactsMaker {
  readonly #templates: PathTemplates;
  readonly #fields = new FieldPool();
  readonly #bodyFields = new BodyFieldPool();
  readonly #endpoints = new Map<string, OperationEndpoint>();
  readonly #operations = new Map<string, Set<string>>();

  constructor(templates: PathTemplates) {
    this.#templates = templates;
  }

  /** The facts of an ended exchange, which keep `exchange`. `responseBody` may be completed later. */
  factsOf(exchange: Exchange, content: ExchangeContent): ExchangeFacts & { responseBody: BodyFacts } {
    const requestFields = this.#fields.requestFieldsOf(content.requestHead);
    const responseFields = this.#fields.fieldsOf(content.responseHead);
    const query = queryPairsOf(exchange.target);
    const body = new SentText(content.requestText);
    const operation = operationOf({ method: exchange.method, query, fields: requestFields, body });
    const endpoint = this.#endpointOf(exchange, operation?.name ?? null);
    const sent = bodyFieldsOf({ fields: requestFields, body, facts: content.requestBody });
    const wait = waitOf(exchange);
    return {
      exchange,
      endpoint,
      query,
      requestFields,
      bodyFields: this.#bodyFields.kept(endpoint, sent),
      responseFields,
      requestBody: content.requestBody,
      responseBody: content.responseBody,
      applicationError: isApplicationError(operation?.kind ?? null, responseFields, content.responseText),
      statedLifetime: statedLifetimeOf(content.responseText, exchange.instants.responseEnd),
      serverAddress: content.serverAddress,
      queued: wait === null || wait.waitedFor === "browser" ? null : wait.to - wait.from,
      weir: overheadOf(exchange.instants, wait),
      events: content.events,
      model: content.model,
    };
  }

  /** The endpoint of an exchange. All exchanges of an endpoint get the same object. */
  #endpointOf({ method, origin, target }: Exchange, wanted: string | null): OperationEndpoint {
    const path = this.#templates.templateOf(origin, pathOf(target));
    const plain = `${method} ${origin}${path}`;
    const operation = this.#listed(plain, wanted);
    const key = operation === null ? plain : `${plain} ${operation}`;
    let endpoint = this.#endpoints.get(key);
    if (endpoint === undefined) {
      endpoint = Object.freeze({ method, origin, path: apart(path), operation });
      this.#endpoints.set(key, endpoint);
    }
    return endpoint;
  }

  #listed(endpoint: string, operation: string | null): string | null {
    if (operation === null) return null;
    let known = this.#operations.get(endpoint);
    if (known === undefined) {
      known = new Set();
      this.#operations.set(endpoint, known);
    }
    if (known.size >= MOST_OPERATIONS && !known.has(operation)) return POOLED_OPERATION;
    known.add(operation);
    return operation;
  }
}

/**
 * Whether a response reports that the operation failed, whatever the status is: GraphQL `errors` (response format,
 * 7.1), JSON-RPC `error` (5.1), or a `grpc-status` other than 0.
 */
export function isApplicationError(kind: OperationKind | null, fields: readonly HeaderField[], body: string): boolean {
  const status = fieldIn(fields, "grpc-status");
  if (status !== null && status.trim() !== "0") return true;
  if (kind !== "graphql" && kind !== "json-rpc") return false;
  if (!/"errors?"/.test(body)) return false;
  const answer = jsonOf(body);
  const items: readonly unknown[] = Array.isArray(answer) ? answer : [answer];
  return items.some((item) => isRecord(item) && (kind === "graphql" ? hasErrors(item) : isRecord(item["error"])));
}

function hasErrors({ errors }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(errors) && errors.length > 0;
}

/** A longer body is data, not a credential. */
const LONGEST_BODY = 65_536;

/**
 * How long a JSON body says that its content stays valid after `received`: `expires_in` in seconds (RFC 6749, 5.1), or
 * `exp` of a JSON Web Token (RFC 7519, 4.1.4). The shortest if it says several; `null` if it says none.
 */
export function statedLifetimeOf(body: string, received: Instant | null): Milliseconds | null {
  if (body.length > LONGEST_BODY || !/expires_?in|eyJ/i.test(body)) return null;
  let shortest = Number.POSITIVE_INFINITY;
  takeJsonValues(body, (value, name) => {
    if (/^expires_?in$/i.test(name) && /^\d{1,9}$/.test(value)) shortest = Math.min(shortest, Number(value) * 1_000);
    const end = value.startsWith("eyJ") ? endOfToken(value) : null;
    if (end !== null && received !== null) shortest = Math.min(shortest, end - received);
  });
  return shortest === Number.POSITIVE_INFINITY ? null : Math.max(0, shortest);
}

/** When the token expires, in epoch ms; `null` if the value is no JSON Web Token or does not say. */
function endOfToken(value: string): number | null {
  const end = claimsOf(value)?.["exp"];
  return typeof end === "number" ? end * 1_000 : null;
}
