import type { ClientSessionOptions, ServerSessionOptions } from "node:http2";
import { LIMITS, type Limits } from "../http1/message.ts";
import { STREAM_WINDOW, STREAMS } from "./connection-memory.ts";

/** RFC 9113, 5.1.1: the highest stream number of a client. */
export const LAST_STREAM = 2 ** 31 - 1;
/**
 * The most HTTP/2 connections per route, shared by many clients. Another one is opened when all streams are in use, as
 * in Envoy and Go. Browsers open six HTTP/1.1 connections to a server; RFC 9113, 9.1, recommends one HTTP/2 connection.
 */
export const MOST_CONNECTIONS = 6;
/**
 * How many streams of a connection to a server Weir resets before it uses another one. Servers end a connection with
 * too many (CVE-2023-44487): nghttp2, and so Node, after a burst of 1,000, Envoy from 500 requests on.
 */
export const MOST_RESETS = 200;
/** How many streams a client may open and reset in a burst, and per second after that (CVE-2023-44487). */
const RESETS = { streamResetBurst: 500, streamResetRate: 50 };
/**
 * How many streams a client may open and reset within one turn of the event loop. RFC 9113, 6.5.2, recommends to allow
 * 100 streams at once; the `h2` crate of hyper allows 20 such resets. `RESETS` alone acts too late: nghttp2 first
 * handles all frames of one read, up to 1,700 such streams.
 */
export const RESETS_AT_ONCE = 100;
/** The most GOAWAY frames of a connection. RFC 9113, 6.8, has use for two; each costs Node a call, and 17 bytes. */
export const MOST_GOAWAYS = 16;
/**
 * Limits for messages that Weir has parsed under `LIMITS` and rewritten. Twice as high, so that a few added lines do
 * not exceed them.
 */
export const INNER_LIMITS: Limits = Object.freeze({ headSize: 2 * LIMITS.headSize, lines: 2 * LIMITS.lines });
/**
 * The longest name or value that nghttp2, and so most HTTP/2 implementations, accept. A longer one ends the connection.
 */
export const LONGEST_FIELD = 64 * 1024;
/**
 * The most fields of a request's head, each part of a divided Cookie counted (RFC 9113, 8.2.3). Node and V8 take some 2
 * µs for each, which nothing divides. Node allows 128 by default, Envoy 100; browsers keep 180 cookies of a site.
 */
export const MOST_FIELDS = 256;
/** Above that, Node resets the stream unread, with ENHANCE_YOUR_CALM and without an event. */
export const MOST_FIELDS_READ = 2 * MOST_FIELDS;
/** The most memory of a connection in MB, for heads and for bodies that the peer does not read. */
const SESSION_MEMORY = 64;

/**
 * Settings for connections to clients and to servers. They allow larger heads than `LIMITS`, so that Weir can refuse a
 * head with a reason. Above its own limits, Node resets the stream without an event.
 */
const EITHER = Object.freeze({
  maxSendHeaderBlockLength: 4 * LIMITS.headSize,
  maxSessionMemory: SESSION_MEMORY,
  strictSingleValueFields: false,
  // Without this, Node silently drops each field whose value begins or ends with a blank.
  strictFieldWhitespaceValidation: false,
});

/**
 * Limits of a client's connection. nghttp2 has further limits: floods of SETTINGS, PING, CONTINUATION and empty frames
 * end the connection; a malformed message (RFC 9113, 8.1.1) ends its stream.
 */
export const CLIENT_SESSION: ServerSessionOptions = Object.freeze({
  settings: {
    initialWindowSize: STREAM_WINDOW,
    maxConcurrentStreams: STREAMS,
    maxHeaderListSize: INNER_LIMITS.headSize,
  },
  ...EITHER,
  ...RESETS,
  maxHeaderListPairs: MOST_FIELDS_READ,
});

/** Limits of a server's connection. Push is off, because pushed responses could not be forwarded to a client. */
export const SERVER_SESSION: ClientSessionOptions = Object.freeze({
  settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: INNER_LIMITS.headSize },
  ...EITHER,
  maxHeaderListPairs: INNER_LIMITS.lines,
});
