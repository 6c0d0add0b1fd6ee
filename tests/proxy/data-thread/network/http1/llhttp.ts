import type { Buffer } from "node:buffer";
import { createRequire } from "node:module";

/**
 * Node's own parser (llhttp, strict) as a second opinion, through an internal module: acceptable in a test, and the
 * only way to check tens of thousands of messages in a second.
 */
interface Native {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number): void;
  execute(bytes: Buffer): number | Error;
  finish(): undefined | Error;
  [event: number]: unknown;
}

interface NativeClass {
  new (): Native;
  readonly REQUEST: number;
  readonly RESPONSE: number;
  readonly kOnHeaders: number;
  readonly kOnHeadersComplete: number;
  readonly kOnBody: number;
  readonly kOnMessageComplete: number;
}

const internals: { HTTPParser: NativeClass; methods: readonly string[] } = createRequire(import.meta.url)(
  "node:_http_common",
);

/** The methods that llhttp knows. It refuses others, though RFC 9110, 9.1 allows any token. */
export const LISTED: ReadonlySet<string> = new Set(internals.methods);

/** One message as llhttp parsed it. */
export interface Seen {
  readonly method: string | null;
  readonly target: string | null;
  readonly status: number | null;
  readonly reason: string | null;
  readonly version: string;
  readonly keepAlive: boolean;
  readonly headers: readonly (readonly [name: string, value: string])[];
  body: string;
  isComplete: boolean;
}

export interface Opinion {
  readonly messages: readonly Seen[];
  readonly error: string | null;
}

/** llhttp's result for `bytes`. `method`: null for requests; for responses, the method of their request. */
export function opinionOn(bytes: Buffer, method: string | null): Opinion {
  const { HTTPParser: Parser, methods } = internals;
  const parser = new Parser();
  const messages: Seen[] = [];
  let early: string[] = [];
  let url: string | null = null;
  parser.initialize(method === null ? Parser.REQUEST : Parser.RESPONSE, {}, 1 << 20, 0);
  parser[Parser.kOnHeaders] = (lines: string[], target: string) => {
    if (messages.at(-1)?.isComplete === false) return; // Trailers.
    early = [...early, ...lines];
    url = (url ?? "") + target;
  };
  parser[Parser.kOnHeadersComplete] = (
    major: number,
    minor: number,
    lines: string[] | undefined,
    index: number | undefined,
    target: string | undefined,
    status: number | undefined,
    reason: string | undefined,
    _upgrade: boolean,
    keepAlive: boolean,
  ) => {
    const flat = lines ?? early;
    messages.push({
      method: method === null ? (methods[index ?? -1] ?? null) : null,
      target: method === null ? (target ?? url) : null,
      status: method === null ? null : (status ?? null),
      reason: method === null ? null : (reason ?? ""),
      version: `${major}.${minor}`,
      keepAlive,
      headers: flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1] ?? ""] as const] : [])),
      body: "",
      isComplete: false,
    });
    early = [];
    url = null;
    return method === "HEAD" ? 1 : 0;
  };
  parser[Parser.kOnBody] = (part: Buffer) => {
    const last = messages.at(-1);
    if (last !== undefined) last.body += part.toString("latin1");
  };
  parser[Parser.kOnMessageComplete] = () => {
    const last = messages.at(-1);
    if (last !== undefined) last.isComplete = true;
  };
  const result = parser.execute(bytes);
  const end = result instanceof Error ? result : parser.finish();
  return { messages, error: end instanceof Error ? String(Reflect.get(end, "reason")) : null };
}
