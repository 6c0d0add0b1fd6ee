import { once } from "node:events";
import type { Socket } from "node:net";
import { answerParent } from "../child.ts";
import { AnswerEnd, headFor, openConnection, trust } from "./connection.ts";
import { CLIENT_FRAME, SERVER_FRAME } from "./frames.ts";
import type { Job, Outcome, Route, Target } from "./job.ts";
import { RequestLoad } from "./request-load.ts";

/** The load generator: raw sockets, and one job at a time. */

const PIECE = Buffer.alloc(64 * 1024, "0123456789abcdef");

let load: RequestLoad | null = null;

answerParent<Job>({}, async (job) => {
  switch (job.do) {
    case "trust":
      return trust(job.certificates);
    case "prepare":
      load = await RequestLoad.prepare(job.route, job.target, job.connections);
      return null;
    case "run":
      return job.rate === null ? load?.closedLoop(job.seconds) : load?.openLoop(job.seconds, job.rate);
    case "requests":
      return load?.exactly(job.count);
    case "release":
      load?.release();
      load = null;
      return null;
    case "connections":
      return connections(job);
    case "transfer":
      return transfer(job);
    case "messages":
      return messages(job);
  }
});

async function connections({ route, target, seconds, parallel, hosts }: Job & { do: "connections" }): Promise<Outcome> {
  const times: number[] = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < until && (hosts === null || next < hosts.length)) {
      const host = hosts?.[next] ?? target.host;
      next += 1;
      const started = performance.now();
      await oneExchange(route, { ...target, host });
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
  return outcome(times.length, began, times);
}

async function oneExchange(route: Route, target: Target): Promise<void> {
  const socket = await openConnection(route, target);
  socket.write(headFor("GET", "/api/items/1", route, target));
  await answered(socket);
  socket.destroy();
}

async function answered(socket: Socket): Promise<void> {
  const end = new AnswerEnd();
  for (;;) {
    const [bytes] = (await once(socket, "data")) as [Buffer];
    if (end.isIn(bytes)) return;
  }
}

async function transfer({ route, target, direction, bytes }: Job & { do: "transfer" }): Promise<Outcome> {
  const socket = await openConnection(route, target);
  const began = performance.now();
  await (direction === "download" ? download(socket, bytes, route, target) : upload(socket, bytes, route, target));
  const result = outcome(1, began, []);
  socket.destroy();
  return result;
}

/** Reads `bytes` of a response. The bytes of the head count too, but are too few to matter. */
async function download(socket: Socket, bytes: number, route: Route, target: Target): Promise<void> {
  let left = bytes;
  const done = new Promise<void>((resolve, reject) => {
    socket.on("data", (piece: Buffer) => {
      left -= piece.length;
      if (left <= 0) resolve();
    });
    socket.on("close", () => reject(new Error(`closed with ${left} bytes to come`)));
  });
  socket.write(headFor("GET", `/bytes/${bytes}`, route, target));
  await done;
}

async function upload(socket: Socket, bytes: number, route: Route, target: Target): Promise<void> {
  socket.write(
    headFor("PUT", "/upload", route, target, `Content-Length: ${bytes}`, "Content-Type: application/octet-stream"),
  );
  const done = answered(socket);
  for (let left = bytes; left > 0; left -= PIECE.length) {
    if (!socket.write(left < PIECE.length ? PIECE.subarray(0, left) : PIECE)) await once(socket, "drain");
  }
  await done;
}

/** Each connection keeps `ahead` messages in flight; messages in both directions count. */
async function messages(job: Job & { do: "messages" }): Promise<Outcome> {
  const sockets = await Promise.all(Array.from({ length: job.connections }, () => openSocket(job.route, job.target)));
  let heard = 0;
  let isOver = false;
  const began = performance.now();
  for (const socket of sockets) {
    let pending = 0;
    socket.on("data", (bytes: Buffer) => {
      pending += bytes.length;
      const count = Math.floor(pending / SERVER_FRAME.length);
      pending -= count * SERVER_FRAME.length;
      heard += count;
      if (!isOver) for (let more = 0; more < count; more += 1) socket.write(CLIENT_FRAME);
    });
    socket.resume();
    for (let count = 0; count < job.ahead; count += 1) socket.write(CLIENT_FRAME);
  }
  await new Promise((resolve) => setTimeout(resolve, job.seconds * 1_000));
  isOver = true;
  const result = outcome(heard * 2, began, []);
  for (const socket of sockets) socket.destroy();
  return result;
}

async function openSocket(route: Route, target: Target): Promise<Socket> {
  const socket = await openConnection(route, target);
  const words = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"];
  socket.write(headFor("GET", "/socket", route, target, ...words, "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="));
  let head = "";
  while (!head.includes("\r\n\r\n")) head += String((await once(socket, "data"))[0]);
  socket.pause();
  if (!head.startsWith("HTTP/1.1 101")) throw new Error(`no WebSocket: ${head.split("\r\n")[0]}`);
  return socket;
}

function outcome(operations: number, began: number, times: readonly number[]): Outcome {
  return { operations, seconds: (performance.now() - began) / 1_000, times: Float64Array.from(times) };
}
