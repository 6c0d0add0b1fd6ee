import { Agent, request } from "node:http";
import { PLAIN_HOST } from "../authority.ts";
import { median } from "../figures.ts";
import type { Field, Part, Row } from "../part.ts";
import type { Verdict } from "../verdict.ts";
import { type RunningWeir, startWeir } from "../weir.ts";

/** The lines that are measured: round trip in ms, kbit/s down and up. */
const LINES = [
  { roundTrip: 28, down: 5_000, up: 1_000 },
  { roundTrip: 150, down: 1_600, up: 750 },
  { roundTrip: 300, down: 20_000, up: 8_000 },
] as const;
/** How long a download should take on its line, in seconds. */
const SECONDS = 4;
const PINGS = 15;

/** Whether conditions reach what they promise: 95 to 105 % of the rate, the round trip within 5 ms. */
export const conditions: Part = {
  name: "conditions",
  title: "Conditions: a download and small requests on slow lines, beside the computed figures (no tc netem)",
  measure: async (field) => {
    const rows: Row[] = [];
    const verdicts: Verdict[] = [];
    for (const line of LINES) {
      const { roundTrip, down, up } = line;
      const name = `${roundTrip} ms, ${down}/${up} kbit/s`;
      const further = ["--slow", `${roundTrip}ms,${down}/${up}`];
      const weir = await startWeir(field.environment, `conditions-${roundTrip}`, { further });
      try {
        const { rate, trip, least } = await measured(field, weir, line);
        rows.push({ subject: `Weir: ${name}`, figures: { "kbit/s": rate, "round trip ms": trip, "least ms": least } });
        rows.push({
          subject: `computed: ${name}`,
          figures: { "kbit/s": down, "round trip ms": roundTrip, "least ms": roundTrip },
        });
        const share = rate / down;
        verdicts.push(
          {
            must: `${name}: 95 to 105 % of the rate`,
            measured: `${(share * 100).toFixed(1)} %`,
            met: share >= 0.95 && share <= 1.05,
          },
          {
            must: `${name}: the least round trip ± 5 ms, since other programs only add to it`,
            measured: `${least.toFixed(1)} ms`,
            met: Math.abs(least - roundTrip) <= 5,
          },
        );
      } finally {
        await weir.stop();
      }
    }
    return { rows, verdicts };
  },
};

type Line = (typeof LINES)[number];

/**
 * A download's rate in kbit/s; the median and the least round trip of small requests, without the time of their bytes.
 */
async function measured(
  field: Field,
  weir: RunningWeir,
  { down, up }: Line,
): Promise<{ rate: number; trip: number; least: number }> {
  const { port } = weir.plain as { readonly port: number };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (path: string) =>
    asked({ port, path: `http://${PLAIN_HOST}:${field.environment.origin.plain}${path}`, agent });
  await ask("/api/first");
  const trips: number[] = [];
  for (let ping = 0; ping < PINGS; ping += 1) {
    const { took, sent, received } = await ask("/api/ping");
    trips.push(took - (sent * 8) / up - (received * 8) / down);
  }
  const { bytes, transfer } = await ask(`/bytes/${(down / 8) * 1_000 * SECONDS}`);
  agent.destroy();
  return { rate: (bytes * 8) / transfer, trip: median(trips), least: Math.min(...trips) };
}

interface Asked {
  readonly took: number;
  /** From the first to the last piece of the body, in ms, and the bytes after the first piece. */
  readonly transfer: number;
  readonly bytes: number;
  /** Bytes on the connection, both ways. */
  readonly sent: number;
  readonly received: number;
}

function asked({ port, path, agent }: { port: number; path: string; agent: Agent }): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const sending = request({ host: "127.0.0.1", port, path, agent, headers: { host: PLAIN_HOST } });
    sending.on("error", reject);
    sending.on("response", (response) => {
      const { socket } = response;
      let first: number | null = null;
      let bytes = 0;
      response.on("data", (chunk: Buffer) => {
        if (first === null) first = performance.now();
        else bytes += chunk.length;
      });
      response.on("end", () => {
        const now = performance.now();
        const { sent = 0, received = 0 } = seen.get(socket) ?? {};
        const passed = { sent: socket.bytesWritten - sent, received: socket.bytesRead - received };
        seen.set(socket, { sent: socket.bytesWritten, received: socket.bytesRead });
        resolve({ took: now - began, transfer: now - (first ?? now), bytes, ...passed });
      });
    });
    sending.end();
  });
}

/** The bytes of earlier exchanges on a connection. */
const seen = new WeakMap<object, { readonly sent: number; readonly received: number }>();
