import type { Transform } from "node:stream";
import type { Problem } from "../../../src/engine/model/result.ts";
import type { Bytes, Milliseconds } from "../../../src/engine/model/units.ts";

/** docs/security.md L2: limits of a decoded body: its bytes, its ratio to the encoded bytes, and the time in ms. */
export const DECODING_LIMITS = Object.freeze({ bytes: 10 * 1024 * 1024, ratio: 200, time: 200 });
/**
 * Decoded bytes above which the ratio is limited. Below, a high ratio is harmless and common: a run of blanks
 * compresses a thousandfold.
 */
const RATIO_COUNTS_FROM = 1024 * 1024;

/** A decoding stream of zlib. */
export type Decoder = Transform & { readonly bytesWritten: number };

/** The remaining time for a body, shared by all its codings. */
export interface Patience {
  steps: number;
  readonly step: Milliseconds;
}

export interface DecoderRun {
  /** `cut`: the input ended early; `excess`: a limit was reached. */
  readonly kind: "ended" | "cut" | "excess" | "damaged";
  readonly parts: readonly Buffer[];
  /** Encoded bytes up to the end of the coding. */
  readonly taken: Bytes;
  /** Why a limit was reached or the body is damaged, in words; else "". */
  readonly problem: string;
}

/**
 * Runs a decoder over `body`. `made`: how many bytes were already decoded from other parts of the same body; `encoded`:
 * the length of the whole encoded body.
 */
export function runDecoder(
  decoder: Decoder,
  body: Buffer,
  patience: Patience,
  made = 0,
  encoded = body.length,
): Promise<DecoderRun> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let total = made;
    const settle = (kind: DecoderRun["kind"], problem = "") => {
      clearTimeout(timer);
      const taken = decoder.bytesWritten;
      decoder.removeAllListeners("data");
      decoder.destroy();
      resolve({ kind, parts, taken, problem });
    };
    const endStep = () => {
      patience.steps -= 1;
      if (patience.steps === 0) return settle("excess", "decoding it takes too long");
      timer = setTimeout(endStep, patience.step);
    };
    let timer = setTimeout(endStep, patience.step);
    decoder.on("data", (part: Buffer) => {
      const problem = excessOf(total + part.length, encoded);
      if (problem !== null) return settle("excess", problem);
      parts.push(part);
      total += part.length;
    });
    decoder.on("error", (error: NodeJS.ErrnoException) => {
      if (isCut(error)) settle("cut");
      else settle("damaged", `it is not valid in its declared encoding (${error.code ?? error.message})`);
    });
    decoder.on("end", () => settle("ended"));
    decoder.end(body);
  });
}

function excessOf(total: Bytes, encoded: Bytes): Problem | null {
  if (total > DECODING_LIMITS.bytes) return "it is larger than 10 MB when decoded";
  const isBomb = total > RATIO_COUNTS_FROM && total > encoded * DECODING_LIMITS.ratio;
  return isBomb ? `it grows more than ${DECODING_LIMITS.ratio} times when decoded` : null;
}

function isCut(error: NodeJS.ErrnoException): boolean {
  return /unexpected end/i.test(error.message) || error.code === "ZSTD_error_srcSize_wrong";
}
