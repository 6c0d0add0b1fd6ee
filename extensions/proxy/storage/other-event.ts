import type {
  BodyDecoded,
  CaptureEvent,
  CertificateFacts,
  ClientNamed,
  ConnectionOpened,
  EventsDropped,
  PageDescribed,
  TlsFacts,
} from "../../../src/engine/capture/event.ts";
import { programNamed } from "../../../src/engine/model/program.ts";
import type { ExchangeId, Instant, Milliseconds } from "../../../src/engine/model/units.ts";
import { parsedJson } from "./json.ts";

/** Events that are stored apart from the rows of exchanges. */
export type OtherEvent = ConnectionOpened | BodyDecoded | ClientNamed | PageDescribed | EventsDropped;

const OTHERS: ReadonlySet<string> = new Set<OtherEvent["type"]>([
  "connection-opened",
  "body-decoded",
  "client-named",
  "page-described",
  "events-dropped",
]);

export function isOther(event: CaptureEvent): event is OtherEvent {
  return OTHERS.has(event.type);
}

/** An event as JSON text. */
export function otherEventText(event: OtherEvent): string {
  return JSON.stringify(event.type === "page-described" ? { ...event, marks: [...event.marks] } : event);
}

/** Decodes an event from JSON; `null` if it is damaged. */
export function otherEventOf(text: string): OtherEvent | null {
  const value = recordOf(parsedJson(text));
  if (value === null) return null;
  const { type, id, at, size, count, address, tls } = value;
  if (type === "body-decoded") {
    const known = typeof id === "number" && (size === null || typeof size === "number");
    const { failed } = value;
    return known ? Object.freeze({ type, id: id as ExchangeId, size, ...(failed === true ? { failed } : {}) }) : null;
  }
  if (type === "client-named") return clientNamedOf(value);
  if (type === "page-described") return pageDescribedOf(value);
  if (typeof at !== "number") return null;
  if (type === "events-dropped") {
    return typeof count === "number" ? Object.freeze({ type, at: at as Instant, count }) : null;
  }
  if (type !== "connection-opened" || typeof id !== "number" || typeof address !== "string") return null;
  const facts = tls === null ? null : tlsOf(recordOf(tls));
  return tls !== null && facts === null ? null : Object.freeze({ type, id, at: at as Instant, address, tls: facts });
}

function clientNamedOf({ type, connection, program }: Record<string, unknown>): ClientNamed | null {
  const name = typeof program === "string" ? programNamed(program) : null;
  if (type !== "client-named" || typeof connection !== "number" || name === null) return null;
  return Object.freeze({ type, connection, program: name });
}

function pageDescribedOf({ page, title, at, marks }: Record<string, unknown>): PageDescribed | null {
  if (typeof page !== "string" || typeof title !== "string" || !Array.isArray(marks)) return null;
  if (at !== null && typeof at !== "number") return null;
  const isMark = (one: unknown): one is [string, Milliseconds] =>
    Array.isArray(one) && typeof one[0] === "string" && typeof one[1] === "number";
  const read = new Map(marks.filter(isMark));
  return Object.freeze({ type: "page-described", page, title, at: at as Instant | null, marks: read });
}

function tlsOf(value: Record<string, unknown> | null): TlsFacts | null {
  if (value === null) return null;
  const { version, cipher, alpn, resumed, certificates } = value;
  if (typeof version !== "string" || typeof cipher !== "string" || typeof resumed !== "boolean") return null;
  if (!(alpn === null || typeof alpn === "string") || !Array.isArray(certificates)) return null;
  const chain = certificates.map((one) => certificateOf(recordOf(one)));
  const whole = chain.filter((one) => one !== null);
  return whole.length < chain.length ? null : { version, cipher, alpn, resumed, certificates: whole };
}

function certificateOf(value: Record<string, unknown> | null): CertificateFacts | null {
  if (value === null) return null;
  const { subject, issuer, names, validFrom, validTo, fingerprint } = value;
  if (typeof subject !== "string" || typeof issuer !== "string" || typeof names !== "string") return null;
  if (typeof validFrom !== "string" || typeof validTo !== "string" || typeof fingerprint !== "string") return null;
  return { subject, issuer, names, validFrom, validTo, fingerprint };
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
}
