import type { ClientSessionOptions, ServerSessionOptions } from "node:http2";
import { LIMITS, type Limits } from "../http1/limits.ts";

const MIB = 1024 * 1024;

/**
 * Default; not from a specification. Unread bytes per stream, which bounds what a stalled reader costs. Not a round
 * figure, as bodies often are: when a body just fills the window, Node as a server cannot send its end and resets the
 * stream.
 */
const STREAM_WINDOW = MIB + 4_099;
/**
 * Default; not from a specification. Bytes in flight per connection; Node replenishes this window as bytes arrive,
 * whether or not they are read.
 */
export const CONNECTION_WINDOW = 16 * MIB;
/**
 * Default; not from a specification. As many as a page requests at once; more streams are refused (RFC 9113, 5.1.2).
 */
const STREAMS = 256;
/** RFC 9113, 6.5.2 recommends no less: assumed until a server announces its limit. */
export const STREAMS_AT_FIRST = 100;
/** RFC 9113, 5.1.1: the highest stream number of a client. */
export const LAST_STREAM = 2 ** 31 - 1;
/**
 * Default; not from a specification. HTTP/2 connections per route, since many clients share them; one more is opened
 * when all streams are in use (as in Envoy and Go). Browsers open as many to an HTTP/1.1 server; RFC 9113, 9.1
 * recommends one.
 */
export const MOST_CONNECTIONS = 6;
/**
 * Default; not from a specification. Streams that a client may open and reset at once, and then per second
 * (CVE-2023-44487).
 */
const RESETS = { streamResetBurst: 500, streamResetRate: 50 };
/**
 * For messages that were already parsed under the usual limits and rewritten by Weir: a few added lines must not make
 * them exceed a limit.
 */
export const INNER_LIMITS: Limits = Object.freeze({ headSize: 2 * LIMITS.headSize, lines: 2 * LIMITS.lines });
/** nghttp2's limit, and so that of most HTTP/2 implementations: a longer name or value ends the whole connection. */
export const LONGEST_FIELD = 64 * 1024;
/** In MB: memory per connection for heads, and for bodies that the peer does not read. */
const SESSION_MEMORY = 64;

/**
 * For both sides. Heads may exceed our own limits, here and in the settings: over Node's limits a stream is reset
 * without a notification, but over ours it can be refused with a reason.
 */
const EITHER = Object.freeze({
  maxHeaderListPairs: INNER_LIMITS.lines,
  maxSendHeaderBlockLength: 4 * LIMITS.headSize,
  maxSessionMemory: SESSION_MEMORY,
  strictSingleValueFields: false,
  // Otherwise Node silently drops each field whose value begins or ends with a blank.
  strictFieldWhitespaceValidation: false,
});

/**
 * Limits of a client's connection. The others are nghttp2's: floods of SETTINGS, PING, CONTINUATION and empty frames
 * end the connection; malformed messages (RFC 9113, 8.1.1) end their stream.
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

/** Limits of a server's connection. Push is disabled: it could not be forwarded to a client. */
export const SERVER_SESSION: ClientSessionOptions = Object.freeze({
  settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: INNER_LIMITS.headSize },
  ...EITHER,
});
