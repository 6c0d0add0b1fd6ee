import type { MessageKind, Side, TlsFacts } from "../capture/event.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Phases } from "../model/phases.ts";
import type { Remark } from "../model/remark.ts";
import type { Span } from "../model/span.ts";
import type { Bytes, Instant, Milliseconds } from "../model/units.ts";
import type { Wait } from "../model/wait.ts";
import type { EndpointStats, SlowRecord } from "./latency-messages.ts";

/* One exchange whole: its inspector, its bodies and its messages. */

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
  /** Bytes of them that were kept. */
  readonly kept: Bytes;
  readonly contentType: string | null;
  readonly contentEncoding: string | null;
}

/** Other exchanges on one connection at the same time as one. */
export interface Sharing {
  readonly others: number;
  /** Whether there may be more of them: not every exchange of a long session is looked at. */
  readonly more: boolean;
  /** Another exchange, for which it was opened, as far as that is known. */
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
  readonly overhead: Milliseconds | null;
  readonly requestHead: string;
  readonly responseHead: string | null;
  readonly requestBody: BodyFacts;
  readonly responseBody: BodyFacts;
  readonly slow: SlowRecord | null;
  readonly oversized: boolean;
  /** The endpoint's row, if it has one, for the ticks of the Timing tab. */
  readonly stats: EndpointStats | null;
  readonly server: { readonly address: string; readonly tls: TlsFacts | null } | null;
  /** Who else was on the connection to the server while it ran; `null` where none carried it. */
  readonly serverSharing: Sharing | null;
  /** The same of the connection from the client; `null` where it is not known. */
  readonly clientSharing: Sharing | null;
  readonly wait: Wait | null;
  readonly messages: number;
  readonly remark: Remark;
}

export interface BodyPiece {
  /** Bytes `from` … of the form asked for. */
  readonly base64: string;
  readonly from: number;
  /** Size of the whole in that form, as far as it was kept. */
  readonly total: Bytes;
  /** Why it is not whole or not decoded, in words; `null` if it is. */
  readonly problem: string | null;
}

/** A command line for a shell (`curl`: sh, bash and zsh), code, or a HAR file of the one exchange. */
export const COPIED_AS = ["curl", "curl-fish", "curl-powershell", "curl-cmd", "fetch", "python", "har"] as const;

export type CopiedAs = (typeof COPIED_AS)[number];
