import type { MessageKind, Side, TlsFacts } from "../capture/event.ts";
import type { Annotation } from "../model/annotation.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Phases } from "../model/phases.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { EndpointStats, SlowRecord } from "./latency-messages.ts";
import type { FindingName } from "./ranked-findings.ts";

/* The full detail of one exchange: its inspector, bodies and messages. */

export interface MessageRecord {
  /** Counts from 0 within its exchange. */
  readonly index: number;
  readonly at: Instant;
  readonly side: Side;
  readonly kind: MessageKind;
  readonly size: Bytes;
  /** Text (or hex pairs for binary), at most its first 512 characters. */
  readonly preview: string;
  readonly cut: boolean;
}

export interface BodyFacts {
  /** Bytes as transferred. */
  readonly size: Bytes;
  /** Stored bytes of the body. */
  readonly kept: Bytes;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/** Other exchanges that shared a connection with one while it ran. */
export interface Sharing {
  /** The largest number of them that ran at one time. */
  readonly others: number;
  /** Whether there may be more: in a long session, not every exchange is checked. */
  readonly more: boolean;
  /** The other exchange that the connection was opened for, if known. */
  readonly openedBy: { readonly method: string; readonly target: string } | null;
}

export interface ExchangeDetail {
  readonly exchange: Exchange;
  readonly phases: Phases;
  readonly spans: readonly Span[];
  readonly latency: Milliseconds | null;
  /** As in a row of Traffic. */
  readonly failedAfter: Milliseconds | null;
  readonly upload: Milliseconds | null;
  readonly requestHead: string;
  readonly responseHead: string | null;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  readonly slow: SlowRecord | null;
  readonly oversized: boolean;
  /** The findings that cover it, the costliest first. */
  readonly findings: readonly FindingName[];
  /** The endpoint's row, if it has one, for the percentile ticks of the Timing tab. */
  readonly stats: EndpointStats | null;
  readonly server: { readonly address: string; readonly tls: TlsFacts | null } | null;
  /** The sharing of the server connection; `null` where no connection carried the exchange. */
  readonly serverSharing: Sharing | null;
  /** The sharing of the client connection; `null` where it is unknown. */
  readonly clientSharing: Sharing | null;
  readonly wait: Wait | null;
  readonly messages: number;
  readonly annotation: Annotation;
}

export interface BodyPiece {
  /** Bytes from `from` on, in the requested form. */
  readonly base64: string;
  readonly from: number;
  /** The stored size of the whole body in that form. */
  readonly total: Bytes;
  /** Why the piece is not whole or not decoded, as a sentence; `null` if it is. */
  readonly problem: string | null;
}

/** A command line for a shell (`curl`: sh, bash and zsh), code, or a HAR file of the one exchange. */
export const COPIED_AS = ["curl", "curl-fish", "curl-powershell", "curl-cmd", "fetch", "python", "har"] as const;

export type CopiedAs = (typeof COPIED_AS)[number];
