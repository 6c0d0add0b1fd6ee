import type { Side } from "../../engine/capture/event.ts";
import type { BodyPiece } from "../../engine/messages/exchange-messages.ts";
import type { Command } from "../../engine/messages/messages.ts";
import { capitalized } from "../../engine/model/letter-case.ts";
import type { Problem } from "../../engine/model/result.ts";
import type { ExchangeId } from "../../engine/model/units.ts";
import type { Commands } from "./commands.ts";

/** docs/specification.md, Messages: the bytes of a piece of a body; 256 KB in base64. */
const PIECE_BYTES = 192 * 1024;

/** A body, as far as it has been loaded. */
export class Body {
  readonly #commands: Commands;
  readonly #exchange: ExchangeId;
  readonly #side: Side;
  #bytes = new Uint8Array(0);
  #loaded = 0;
  #total: number | null = null;
  #problem: string | null = null;
  #loading: Promise<void> | null = null;

  constructor(commands: Commands, exchange: ExchangeId, side: Side) {
    this.#commands = commands;
    this.#exchange = exchange;
    this.#side = side;
  }

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#loaded);
  }

  /** Total bytes; `null` until the first piece arrived. */
  get total(): number | null {
    return this.#total;
  }

  /** Why the body is incomplete or not decoded, as text. */
  get problem(): Problem | null {
    return this.#problem;
  }

  get whole(): boolean {
    return this.#total !== null && this.#loaded >= this.#total;
  }

  /** Loads until at least `least` bytes, or the whole body, have arrived. Stops early if a piece cannot be read. */
  async load(least: number): Promise<void> {
    while (!this.whole && (this.#total === null || this.#loaded < least)) {
      this.#loading ??= this.#next().finally(() => {
        this.#loading = null;
      });
      const before = this.#loaded;
      await this.#loading;
      if (this.#loaded === before) return;
    }
  }

  async #next(): Promise<void> {
    const command: Command = {
      type: "read-body",
      exchange: this.#exchange,
      side: this.#side,
      form: "decoded",
      from: this.#loaded,
      count: PIECE_BYTES,
    };
    const reply = await this.#commands.send(command);
    if (!reply.ok) {
      this.#problem = reply.problem;
      return;
    }
    const piece = reply.value as BodyPiece;
    if (piece.problem !== null) this.#problem = sentenceOf(piece.problem);
    this.#append(bytesOf(piece.base64), piece.total);
  }

  #append(piece: Uint8Array, total: number): void {
    this.#total = total;
    if (this.#loaded + piece.length > this.#bytes.length) {
      const roomier = new Uint8Array(Math.max(this.#loaded + piece.length, Math.min(total, this.#bytes.length * 2)));
      roomier.set(this.bytes);
      this.#bytes = roomier;
    }
    this.#bytes.set(piece, this.#loaded);
    this.#loaded += piece.length;
  }
}

/**
 * Makes a sentence of an engine's reason. Reasons start in lower case and have no full stop, because elsewhere they
 * follow a colon.
 */
function sentenceOf(reason: string): string {
  return `${capitalized(reason)}${reason.endsWith(".") ? "" : "."}`;
}

export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return bytes;
}
