import { type HarSource, harEntry } from "../../src/engine/interchange/har.ts";
import { type Annotation, NO_ANNOTATION } from "../../src/engine/model/annotation.ts";
import { type ExchangeSketch, exchange } from "./exchange.ts";

interface SourceSketch extends Omit<ExchangeSketch, "requestBodySize"> {
  readonly requestHeaders?: readonly string[];
  /** `null`: there was no response. */
  readonly responseHeaders?: readonly string[] | null;
  readonly requestBody?: Uint8Array | string;
  /** The decoded body. */
  readonly responseBody?: Uint8Array | string;
  /** Why the body is not decoded. */
  readonly problem?: string | null;
  /** Storing stopped after this many bytes of both bodies together. */
  readonly cutAt?: number;
  readonly annotation?: Annotation;
  readonly messages?: HarSource["messages"];
}

/** A complete entry as text. */
export function entryText(source: HarSource, redact: boolean): string {
  return [...harEntry(source, { redact, leftOut: 0 })].join("");
}

/** An exchange with heads and bodies that belong to it. */
export function harSource(sketch: SourceSketch = {}): HarSource {
  const requestBody = Buffer.from(sketch.requestBody ?? "");
  const responseBody = Buffer.from(sketch.responseBody ?? "");
  const size = responseBody.length;
  const problem = sketch.problem ?? null;
  const cutAt = sketch.cutAt ?? null;
  const value = exchange({
    requestBodySize: requestBody.length,
    encodedBodySize: size,
    decodedBodySize: size,
    ...sketch,
  });
  const head = (line: string, headers: readonly string[]) => `${[line, ...headers].join("\r\n")}\r\n\r\n`;
  return {
    exchange: value,
    requestHead: head(`${value.method} ${value.target} HTTP/1.1`, sketch.requestHeaders ?? []),
    responseHead:
      sketch.responseHeaders === null
        ? null
        : head(`HTTP/1.1 ${value.outcome?.status} OK`, sketch.responseHeaders ?? []),
    requestBody: { bytes: requestBody, cutAt, problem: null },
    responseBody: { bytes: responseBody, cutAt, problem },
    serverAddress: "192.0.2.7",
    annotation: sketch.annotation ?? NO_ANNOTATION,
    initiator: null,
    pageref: null,
    fields: null,
    messages: sketch.messages ?? [],
  };
}
