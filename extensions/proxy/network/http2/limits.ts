import type { ClientSessionOptions, ServerSessionOptions } from "node:http2";
import { LIMITS, type Limits } from "../http1/limits.ts";

const MIB = 1024 * 1024;

/**
 * Default; not from a specification: the most unread bytes per stream, and so the memory that a stalled reader costs.
 * Not a round figure, because many bodies have a round size: if a body just fills the window, Node as a server cannot
 * send its end and resets the stream.
 */
const STREAM_WINDOW = MIB + 4_099;
/**
 * Default; not from a specification: bytes in flight per connection. Node refills this window as bytes arrive, whether
 * they are read or not.
 */
export const CONNECTION_WINDOW = 16 * MIB;
/**
 * Default; not from a specification: the most streams at once, as many as a page requests. Further streams are refused
 * (RFC 9113, 5.1.2).
 */
const STREAMS = 256;
/**
 * How many streams a server is assumed to allow before it announces its limit; RFC 9113, 6.5.2, recommends at least
 * this.
 */
export const STREAMS_AT_FIRST = 100;
/** RFC 9113, 5.1.1: the highest stream number of a client. */
export const LAST_STREAM = 2 ** 31 - 1;
/**
 * Default; not from a specification: the most HTTP/2 connections per route, shared by many clients. Another connection
 * is opened when all streams are in use (as in Envoy and Go). Browsers open six connections to an HTTP/1.1 server; RFC
 * 9113, 9.1, recommends one to an HTTP/2 server.
 */
export const MOST_CONNECTIONS = 6;
/**
 * Default; not from a specification: how many streams a client may open and reset at once, and then per second
 * (CVE-2023-44487).
 */
const RESETS = { streamResetBurst: 500, streamResetRate: 50 };
/**
 * Default; not from a specification: how many streams a client may reset in the turn of the event loop that opened
 * them, as many as RFC 9113, 6.5.2, recommends to allow at once. `RESETS` alone acts too late: nghttp2 first handles
 * all frames that were read, up to 1,700 such streams. The `h2` crate of hyper allows 20.
 */
export const RESETS_AT_ONCE = 100;
/**
 * Limits for messages that were parsed under the usual limits and then rewritten by Weir. They are higher, so that a
 * few added lines do not exceed them.
 */
export const INNER_LIMITS: Limits = Object.freeze({ headSize: 2 * LIMITS.headSize, lines: 2 * LIMITS.lines });
/** The limit of nghttp2, and so of most HTTP/2 implementations: a longer name or value ends the whole connection. */
export const LONGEST_FIELD = 64 * 1024;
/** MB of memory per connection, for heads and for bodies that the peer does not read. */
const SESSION_MEMORY = 64;

/**
 * Settings for both sides. They allow larger heads than our own limits do: above Node's limits a stream is reset
 * without an event, but above ours it can be refused with a reason.
 */
const EITHER = Object.freeze({
  maxHeaderListPairs: INNER_LIMITS.lines,
  maxSendHeaderBlockLength: 4 * LIMITS.headSize,
  maxSessionMemory: SESSION_MEMORY,
  strictSingleValueFields: false,
  // Without this, Node silently drops each field whose value begins or ends with a blank.
  strictFieldWhitespaceValidation: false,
});

/**
 * Limits of a client's connection. Further limits are nghttp2's: floods of SETTINGS, PING, CONTINUATION and empty
 * frames end the connection; a malformed message (RFC 9113, 8.1.1) ends its stream.
 */
export const CLIENT_SESSION: ServerSessionOptions = Object.freeze({
  settings: {
    initialWindowSize: STREAM_WINDOW,
    maxConcurrentStreams: STREAMS,
    maxHeaderListSize: INNER_LIMITS.headSize,
  },
  ...EITHER,
  ...RESETS,
});

/** Limits of a server's connection. Push is off, since it could not be forwarded to a client. */
export const SERVER_SESSION: ClientSessionOptions = Object.freeze({
  settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: INNER_LIMITS.headSize },
  ...EITHER,
});
