/** Why a connection to a transparent port is refused. */
export type RefusedArrival =
  | "unnamed"
  | "misnamed"
  | "hello"
  | "hostless"
  | "own"
  | "proxy"
  | "http2"
  | "other"
  | "late"
  | "cut";

interface TransparentRefusal {
  /** A sentence without text of the client. */
  readonly reason: string;
  /** The TLS alert that a client gets without a request; `null` if its bytes are no TLS. */
  readonly alert: Buffer | null;
  /** The status of the response to a request; `null` if there is none to respond to. */
  readonly status: number | null;
}

/** A fatal alert in a record of TLS 1.2, which clients of every version read (RFC 8446, 5.1 and 6). */
function fatalAlert(description: number): Buffer {
  return Buffer.from([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, description]);
}

/** Alerts of RFC 8446, 6. */
export const TLS_ALERTS = Object.freeze({
  accessDenied: fatalAlert(49),
  decodeError: fatalAlert(50),
  missingExtension: fatalAlert(109),
  unrecognizedName: fatalAlert(112),
});

export const TRANSPARENT_REFUSALS: Readonly<Record<RefusedArrival, TransparentRefusal>> = Object.freeze({
  unnamed: {
    reason: "Its TLS names no server (SNI), so Weir cannot know which one the client wants.",
    alert: TLS_ALERTS.missingExtension,
    status: null,
  },
  misnamed: {
    reason: "Its TLS gives an address or an invalid name in place of a server's name (SNI).",
    alert: TLS_ALERTS.unrecognizedName,
    status: null,
  },
  hello: { reason: "Its ClientHello cannot be read.", alert: TLS_ALERTS.decodeError, status: null },
  hostless: {
    reason: "The request has no Host, so Weir cannot know which server the client wants.",
    alert: null,
    status: 400,
  },
  own: {
    reason: "It asks for this computer itself. This port is for clients that want another server.",
    alert: TLS_ALERTS.unrecognizedName,
    status: 508,
  },
  proxy: {
    reason: "The client uses this port as its proxy. The proxy has another port.",
    alert: null,
    status: 400,
  },
  http2: { reason: "HTTP/2 without TLS does not name its server in its first bytes.", alert: null, status: null },
  other: { reason: "Its first bytes are neither TLS nor HTTP.", alert: null, status: null },
  late: { reason: "Its first bytes did not arrive in time.", alert: null, status: null },
  cut: { reason: "It ended within its first bytes.", alert: null, status: null },
});
