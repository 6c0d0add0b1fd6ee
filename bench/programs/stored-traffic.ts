import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { BatchWriter } from "../../extensions/proxy/event-codec/event-batch.ts";
import { ENGINE_LIMITS, type FromWorker, type ToWorker, type WorkerStart } from "../../extensions/proxy/threads.ts";
import type { CaptureEvent } from "../../src/engine/capture/event.ts";
import { NOTHING_AT_END } from "../../src/engine/model/exchange-fields.ts";
import type { ExchangeId, Instant } from "../../src/engine/model/units.ts";
import { answerParent } from "../child.ts";

/* The engine's thread as released, fed with generated exchanges. Arguments: a data folder, a certificate. */

const BUILD = new URL("../../build/", import.meta.url);
const HOSTS = ["api", "auth", "cdn", "pay", "events", "img", "search", "www"] as const;
const WORDS = [
  "orders",
  "users",
  "cart",
  "products",
  "reviews",
  "checkout",
  "sessions",
  "quotes",
  "batch",
  "avatars",
] as const;
const ENDPOINTS = 400;
/** Exchanges in a message to the engine. */
const BATCH = 2_000;
/** Milliseconds from the start of one exchange to the start of the next. */
const EVERY = 4;

/**
 * Batches that may be unacknowledged: more than the engine acknowledges at once (worker.ts), so that the engine never
 * waits.
 */
const AHEAD = 6;

const ticket = randomBytes(16).toString("hex");
const start: WorkerStart = {
  version: "bench",
  dataDir: process.argv[2] ?? "",
  resources: fileURLToPath(new URL("resources", BUILD)),
  ticket,
  uiPort: 0,
  uiHostName: null,
  host: "browser",
  certificate: {
    subject: "",
    issuer: "",
    names: "",
    validFrom: "",
    validTo: "",
    fingerprint: "",
    pem: "/weir-ca.pem",
    bundle: "/weir-ca-bundle.pem",
    der: "/weir-ca.cer",
    endsAt: (Date.now() + 1e11) as Instant,
    renewable: true,
  },
  certificatePem: readFileSync(process.argv[3] ?? "", "utf8"),
  notices: [],
  neutralino: null,
  handoff: null,
};

const worker = new Worker(new URL("extensions/proxy/worker.mjs", BUILD), {
  workerData: start,
  resourceLimits: ENGINE_LIMITS,
});
const writer = new BatchWriter();
let uiPort = 0;
let batches = 0;
let folded = 0;
let made = 0;
const began = Date.now() - 3_600_000;

worker.on("message", (message: FromWorker) => {
  if (message.type === "progress") folded = message.folded;
  if (message.type === "cut") worker.postMessage({ type: "cut", at: Date.now() as Instant } satisfies ToWorker);
  if (message.type !== "ready") return;
  uiPort = message.uiPort;
  answerParent<{ rows: number }>({ ui: `http://127.0.0.1:${uiPort}/#ticket=${ticket}` }, ({ rows }) => fillTo(rows));
});

/** Captures exchanges until there are `rows`. Returns the elapsed microseconds per exchange. */
async function fillTo(rows: number): Promise<number> {
  const first = made;
  const from = performance.now();
  while (made < rows) {
    for (let count = 0; count < BATCH && made < rows; count += 1) for (const event of exchange()) writer.add(event);
    batches += 1;
    worker.postMessage({ type: "batch", number: batches, batch: writer.finish() } satisfies ToWorker);
    while (batches - folded >= AHEAD) await pause(1);
  }
  while (folded < batches) await pause(1);
  return ((performance.now() - from) * 1_000) / Math.max(1, made - first);
}

/**
 * The events of the next exchange, the same in each run. The endpoints differ widely in use and speed. One exchange in
 * fifty fails, and one in thirty is far slower.
 */
function exchange(): readonly CaptureEvent[] {
  made += 1;
  const id = made as ExchangeId;
  const endpoint = Math.floor(chance() * chance() * ENDPOINTS);
  const host = `${HOSTS[endpoint % HOSTS.length]}.shop.test`;
  const word = WORDS[endpoint % WORDS.length];
  const method = endpoint % 4 === 3 ? "POST" : "GET";
  const target = `/v1/${word}/${endpoint}${endpoint % 3 === 0 ? `?page=${made % 97}` : ""}`;
  const status = chance() < 0.02 ? 503 : 200;
  const start = began + made * EVERY;
  const fresh = chance() < 0.05;
  const wait = (4 + (endpoint % 40) * 5) * (0.6 + chance()) * (chance() < 0.033 ? 8 : 1);
  const size = 400 + Math.floor(chance() * 40_000);
  const at = (after: number) => (start + after) as Instant;
  const sent = fresh ? 31 : 0.4;
  const head = `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n`;
  const answer = `HTTP/1.1 ${status} OK\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n`;
  return [
    {
      type: "request-started",
      id,
      at: at(0),
      method,
      origin: `https://${host}`,
      target,
      head,
      clientAddress: "127.0.0.1",
      protocol: "http/1.1",
      clientConnection: 1,
      clientStream: null,
      tags: [],
    },
    { type: "response-started", id, at: at(sent + wait), status, head: answer },
    {
      type: "exchange-ended",
      id,
      at: at(sent + wait + 3),
      instants: {
        startTime: at(0),
        headReceived: at(0.1),
        domainLookupStart: fresh ? at(0.3) : null,
        domainLookupEnd: fresh ? at(4) : null,
        connectStart: fresh ? at(4) : null,
        secureConnectionStart: fresh ? at(14) : null,
        connectEnd: fresh ? at(30) : null,
        requestStart: at(sent),
        requestEnd: at(sent + 0.1),
        responseStart: at(sent + wait),
        responseForwarded: at(sent + wait + 0.2),
        responseEnd: at(sent + wait + 3),
      },
      outcome: { kind: "responded", status },
      requestBodySize: 0,
      encodedBodySize: size,
      ...NOTHING_AT_END,
      reused: !fresh,
      tags: [],
      uncertainty: 0,
    },
  ];
}

let seed = 1;
/** A pseudo-random number from 0 to 1 (Park and Miller). */
function chance(): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
}
