import type { ClientSessionOptions, ServerSessionOptions } from "node:http2";
import { LIMITS, type Limits } from "../http1/limits.ts";

const MIB = 1024 * 1024;

/**
 * Our choice: bytes one stream may have on the way before we read them; it bounds what a stalled reader costs. No round
 * figure, as bodies often are: Node as a server resets a stream whose end it cannot say, since the window is just used up.
 */
const STREAM_WINDOW = MIB + 4_099;
/** Our choice: the same of a whole connection. Node gives this one back as bytes arrive, whoever reads them. */
export const CONNECTION_WINDOW = 16 * MIB;
/** Our choice: as many as a page asks for at once; over it a stream is refused (RFC 9113, 5.1.2). */
const STREAMS = 256;
/** RFC 9113, 6.5.2 recommends no less: of a server that has not yet said how many streams it takes. */
export const STREAMS_AT_FIRST = 100;
/** RFC 9113, 5.1.1: what a client's last stream may be called. */
export const LAST_STREAM = 2 ** 31 - 1;
/**
 * Our choice: one more is opened where the streams of all are taken (as Envoy and Go do), since clients that would each have
 * a connection share it here. Never more than browsers open to a server that speaks HTTP/1.1: 9.1 asks for one.
 */
export const MOST_SESSIONS = 6;
/** Our choice: streams that a client may open and reset at once, and per second from then on (CVE-2023-44487). */
const RESETS = { streamResetBurst: 500, streamResetRate: 50 };
/**
 * For messages that have been read before, under the usual limits, and were written by ourselves: a few lines may have been
 * added since, and nothing of them may be refused.
 */
export const INNER_LIMITS: Limits = Object.freeze({ headSize: 2 * LIMITS.headSize, lines: 2 * LIMITS.lines });
/** Of nghttp2, and so of most readers of HTTP/2: of a longer name or value they make an end of the whole connection. */
export const LONGEST_FIELD = 64 * 1024;
/** In MB: what one connection may hold of heads and of bodies that its client does not take. */
const SESSION_MEMORY = 64;

/**
 * On either side. Heads may be larger than ours, here and in the settings: of what is over Node's limits no one is told, its
 * stream is reset as if the other side had been too eager; what is over ours can be refused in words.
 */
const EITHER = Object.freeze({
  maxHeaderListPairs: INNER_LIMITS.lines,
  maxSendHeaderBlockLength: 4 * LIMITS.headSize,
  maxSessionMemory: SESSION_MEMORY,
  strictSingleValueFields: false,
});

/**
 * What a client's connection may do. The rest is nghttp2's own: floods of SETTINGS, PING, CONTINUATION and empty frames end
 * the connection; malformed messages (RFC 9113, 8.1.1) end their stream.
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

/** What a server's connection may do. Nothing is pushed: no client of ours could be told. */
export const SERVER_SESSION: ClientSessionOptions = Object.freeze({
  settings: { enablePush: false, initialWindowSize: STREAM_WINDOW, maxHeaderListSize: INNER_LIMITS.headSize },
  ...EITHER,
});
