import { type HarSource, harEntry } from "../../src/engine/interchange/har.ts";
import { NO_REMARK, type Remark } from "../../src/engine/model/remark.ts";
import { type ExchangeSketch, exchange } from "./exchange.ts";

interface SourceSketch extends Omit<ExchangeSketch, "requestBodySize"> {
  readonly requestHeaders?: readonly string[];
  /** `null`: no response came. */
  readonly responseHeaders?: readonly string[] | null;
  readonly requestBody?: Uint8Array | string;
  /** Decoded. */
  readonly responseBody?: Uint8Array | string | null;
  readonly whole?: boolean;
  readonly remark?: Remark;
  readonly messages?: HarSource["messages"];
}

/** An entry whole. */
export function entryText(source: HarSource, redact: boolean): string {
  return [...harEntry(source, redact)].join("");
}

/** An exchange with heads and bodies that fit it. */
export function harSource(sketch: SourceSketch = {}): HarSource {
  const requestBody = Buffer.from(sketch.requestBody ?? "");
  const responseBody = sketch.responseBody === null ? null : Buffer.from(sketch.responseBody ?? "");
  const size = responseBody?.length ?? 0;
  const whole = sketch.whole ?? true;
  const value = exchange({
    requestBodySize: requestBody.length,
    encodedBodySize: size,
    ...(responseBody === null ? {} : { decodedBodySize: size }),
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
    requestBody: { bytes: requestBody, whole },
    responseBody: responseBody === null ? null : { bytes: responseBody, whole },
    serverAddress: "192.0.2.7",
    remark: sketch.remark ?? NO_REMARK,
    messages: sketch.messages ?? [],
  };
}
