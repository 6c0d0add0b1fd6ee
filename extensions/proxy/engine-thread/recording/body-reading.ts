import type { ContentReader, DecodedBody } from "../../../../src/engine/capture/content-reader.ts";
import type { Side } from "../../../../src/engine/capture/event.ts";
import type { BodyPiece } from "../../../../src/engine/messages/exchange-messages.ts";
import type { Exchange } from "../../../../src/engine/model/exchange.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { storedBodyOf } from "../../../../src/engine/report/stored-body.ts";

/** The most bytes of a piece. messages.ts: a message is at most 1 MB, and base64 adds a third to the bytes. */
const MOST_BYTES = 256 * 1024;

interface Decoded {
  readonly reader: ContentReader;
  readonly id: ExchangeId;
  readonly side: Side;
  readonly kept: number;
  readonly body: DecodedBody;
}

/** Returns pieces of bodies. Caches the last decoded body, because a UI client reads one body piece by piece. */
export class BodyReading {
  #decoded: Decoded | null = null;

  async piece(
    reader: ContentReader,
    exchange: Exchange,
    side: Side,
    form: "wire" | "decoded",
    from: number,
    count: number,
  ): Promise<BodyPiece> {
    const most = Math.min(count, MOST_BYTES);
    const { id } = exchange;
    if (form === "wire") {
      const part = reader.readBody(id, side, from, most);
      if (!part.ok) return { base64: "", from, total: 0, problem: part.problem };
      return { base64: base64Of(part.value), from, total: reader.keptOf(id, side), problem: null };
    }
    const { bytes, total, problem } = await this.#decode(reader, exchange, side);
    return { base64: base64Of(bytes.subarray(from, from + most)), from, total, problem };
  }

  messagePiece(reader: ContentReader, id: ExchangeId, index: number): BodyPiece {
    const part = reader.readMessage(id, index);
    if (!part.ok) return { base64: "", from: 0, total: 0, problem: part.problem };
    const bytes = part.value;
    const problem = bytes.length > MOST_BYTES ? "only its beginning is shown" : null;
    return { base64: base64Of(bytes.subarray(0, MOST_BYTES)), from: 0, total: bytes.length, problem };
  }

  async #decode(reader: ContentReader, exchange: Exchange, side: Side): Promise<DecodedBody> {
    const { id } = exchange;
    const kept = reader.keptOf(id, side);
    const last = this.#decoded;
    const isKnown = last !== null && last.reader === reader && last.id === id && last.side === side;
    if (isKnown && last.kept === kept) return last.body;
    const heads = reader.headsOf(id);
    const head = side === "request" ? heads?.request : heads?.response;
    const body = await storedBodyOf(reader, exchange, side, head ?? "");
    this.#decoded = { reader, id, side, kept, body };
    return body;
  }
}

function base64Of({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString("base64");
}
