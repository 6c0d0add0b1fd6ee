import * as assert from "uvu/assert";
import type { ExchangeFacts } from "../../src/engine/insights/exchange-facts.ts";
import { bodyFieldsOf } from "../../src/engine/insights/facts/body-fields.ts";
import { SentText } from "../../src/engine/insights/facts/sent-text.ts";
import type { Report } from "../../src/engine/insights/findings/finding-report.ts";
import { FindingSearch, type ReportOptions } from "../../src/engine/insights/findings/index.ts";
import type { Link } from "../../src/engine/insights/findings/link-index.ts";
import { type Traffic, trafficOf } from "../../src/engine/insights/findings/traffic.ts";
import type { ModelCall } from "../../src/engine/insights/models/read-call.ts";
import type { Outcome, Tag } from "../../src/engine/model/exchange.ts";
import type { Finding, FindingKind, OperationEndpoint } from "../../src/engine/model/finding.ts";
import type { WaitedFor } from "../../src/engine/model/phases.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";
import { exchange } from "./exchange.ts";

/** The fields of a request that a test sets; by default a GET over a reused connection. Times are in ms. */
export interface Asked {
  readonly at: number;
  readonly method?: string;
  readonly origin?: string;
  readonly target?: string;
  readonly client?: string;
  readonly queued?: number;
  readonly waitedFor?: WaitedFor;
  readonly dns?: number;
  readonly connect?: number;
  readonly tls?: number;
  readonly upload?: number;
  readonly server?: number;
  readonly transfer?: number;
  readonly status?: number;
  readonly outcome?: Outcome;
  readonly request?: Readonly<Record<string, string>>;
  readonly response?: Readonly<Record<string, string>>;
  readonly sent?: string;
  readonly sentBytes?: number;
  /** Equal texts stand for equal bodies; `null`: the body is unknown. */
  readonly body?: string | null;
  readonly bytes?: number;
  readonly compressed?: number;
  readonly type?: string;
  /** The template of the path. */
  readonly path?: string;
  readonly operation?: string;
  readonly applicationError?: boolean;
  readonly statedLifetime?: number;
  readonly address?: string;
  readonly reused?: boolean;
  readonly connection?: number;
  readonly stream?: number;
  readonly clientConnection?: number;
  readonly protocol?: string;
  readonly weir?: number;
  readonly events?: readonly number[];
  readonly model?: ModelCall;
  readonly tags?: readonly Tag[];
  readonly uncertainty?: number;
}

const PROOF = /\bprov(?:en?|es|ed|ably)\b|\bproofs?\b|\bcertain(?:ly)?\b|\bdefinite(?:ly)?\b|\bsurely\b/i;

/** The requests and links of an invented session. */
export class Scene {
  readonly facts: ExchangeFacts[] = [];
  readonly links: Link[] = [];
  #bodies = 0;

  /** Adds a request and returns its id. */
  ask(asked: Asked): ExchangeId {
    const id = (this.facts.length + 1) as ExchangeId;
    const { queued = 0, dns, connect, tls, upload = 0, server = 40, transfer = 1 } = asked;
    const { method = "GET", origin = "https://api.test", target = "/" } = asked;
    const lookedUp = asked.at + queued;
    const connecting = lookedUp + (dns ?? 0);
    const secured = connecting + (connect ?? 0);
    const begun = secured + (tls ?? 0);
    const answered = begun + upload + server;
    const end = answered + transfer;
    const isFresh = connect !== undefined;
    const made = exchange({
      id,
      method,
      origin,
      target,
      client: asked.client ?? "10.0.0.1 test/1.0",
      start: asked.at,
      end,
      status: asked.status ?? 200,
      ...(asked.outcome === undefined ? {} : { outcome: asked.outcome }),
      instants: {
        domainLookupStart: dns === undefined ? null : lookedUp,
        domainLookupEnd: dns === undefined ? null : connecting,
        connectStart: isFresh ? connecting : null,
        secureConnectionStart: tls === undefined ? null : secured,
        connectEnd: isFresh ? begun : null,
        requestStart: begun,
        requestEnd: begun + upload,
        responseStart: answered,
        responseForwarded: answered,
        responseEnd: end,
      },
      requestBodySize: asked.sentBytes ?? asked.sent?.length ?? 0,
      encodedBodySize: asked.bytes ?? 100,
      contentType: asked.type ?? "application/json",
      reused: asked.reused ?? !isFresh,
      connection: asked.connection ?? 1,
      stream: asked.stream ?? null,
      clientConnection: asked.clientConnection ?? 1,
      waitedFor: queued > 0 ? (asked.waitedFor ?? "unsaid") : null,
      protocol: asked.protocol ?? "http/1.1",
      tags: asked.tags ?? [],
      uncertainty: asked.uncertainty ?? 0,
    });
    const [plain = "", query = ""] = target.split("?");
    const endpoint: OperationEndpoint = {
      method,
      origin,
      path: asked.path ?? plain,
      operation: asked.operation ?? null,
    };
    this.#bodies += 1;
    const body = asked.body === undefined ? `body ${this.#bodies}` : asked.body;
    const requestBody = {
      size: made.requestBodySize,
      hash: asked.sent ?? (made.requestBodySize === 0 ? "" : null),
      compressed: null,
    };
    const requestFields = fieldsOf(asked.request);
    this.facts.push({
      exchange: made,
      endpoint,
      requestFields,
      bodyFields: bodyFieldsOf({ fields: requestFields, body: new SentText(asked.sent ?? ""), facts: requestBody }),
      responseFields: fieldsOf(asked.response),
      query:
        query === ""
          ? []
          : query.split("&").map((pair) => [pair.split("=")[0] ?? "", pair.split("=")[1] ?? ""] as const),
      requestBody,
      responseBody: { size: made.encodedBodySize, hash: body, compressed: asked.compressed ?? null },
      applicationError: asked.applicationError ?? false,
      statedLifetime: asked.statedLifetime ?? null,
      serverAddress: asked.address ?? "192.0.2.1:443",
      queued: queued > 0 ? queued : null,
      weir: asked.weir ?? null,
      events: (asked.events as readonly Instant[] | undefined) ?? null,
      model: asked.model ?? null,
    });
    return id;
  }

  prove(from: ExchangeId, to: ExchangeId, basis: Link["basis"] = "value"): void {
    this.links.push({ from, to, kind: "proven", basis });
  }

  follow(from: ExchangeId, to: ExchangeId): void {
    this.links.push({ from, to, kind: "sequential", basis: "order" });
  }

  /** The traffic that detectors see. */
  traffic(): Traffic {
    return trafficOf(this.facts, this.links);
  }

  /** The report, in whose words no finding that is not certain is proven. */
  report(options: Partial<ReportOptions> = {}): Report {
    const search = new FindingSearch(this.facts, this.links, { source: "scene", baseline: new Map(), ...options });
    const { report } = search.findAll();
    for (const { kind, confidence, summary, advice, basis, evidence } of report.findings) {
      const words = [summary, advice, basis, ...evidence.flatMap(({ name, value }) => [name, value])];
      if (confidence !== "certain") assert.not.match(words.join("\n"), PROOF, `a ${confidence} finding: ${kind}`);
    }
    return report;
  }

  kinds(options: Partial<ReportOptions> = {}): readonly FindingKind[] {
    return this.report(options).findings.map(({ kind }) => kind);
  }

  /** The only finding; throws if there is none or several. */
  only(options: Partial<ReportOptions> = {}): Finding {
    const { findings } = this.report(options);
    const [finding] = findings;
    if (finding === undefined || findings.length > 1)
      throw new Error(`findings: ${findings.map(({ summary }) => summary).join("; ")}`);
    return finding;
  }
}

function fieldsOf(fields: Readonly<Record<string, string>> = {}): { readonly name: string; readonly value: string }[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value }));
}

/** The numbers from 0 to below `count`. */
export function times(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index);
}
