import { pathOf } from "../../model/endpoint.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { OperationEndpoint } from "../../model/finding.ts";
import { MOST_OPERATIONS, POOLED_OPERATION } from "../../model/operation.ts";
import { overheadOf } from "../../model/phases.ts";
import type { Instant } from "../../model/units.ts";
import { waitOf } from "../../model/wait.ts";
import type { BodyFacts } from "../exchange-facts.ts";
import type { ModelCall } from "../models/read-call.ts";
import type { PathTemplates } from "../path-templates.ts";
import { isApplicationError } from "./application-error.ts";
import { BodyFieldPool, bodyFieldsOf } from "./body-fields.ts";
import { apart, FieldPool } from "./field-pool.ts";
import { SentText } from "./json.ts";
import { operationOf } from "./operations.ts";
import { queryPairsOf } from "./query-pairs.ts";
import { RowFacts } from "./row-facts.ts";
import { statedLifetimeOf } from "./stated-lifetime.ts";

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

  /** The facts of an ended exchange, which keep `exchange`. */
  factsOf(exchange: Exchange, content: ExchangeContent): RowFacts {
    const requestFields = this.#fields.fieldsOf(content.requestHead);
    const responseFields = this.#fields.fieldsOf(content.responseHead);
    const query = queryPairsOf(exchange.target);
    const body = new SentText(content.requestText);
    const operation = operationOf({ method: exchange.method, query, fields: requestFields, body });
    const endpoint = this.#endpointOf(exchange, operation?.name ?? null);
    const sent = bodyFieldsOf({ fields: requestFields, body, facts: content.requestBody });
    const wait = waitOf(exchange);
    return new RowFacts({
      exchange,
      endpoint,
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
    });
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
