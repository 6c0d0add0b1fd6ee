import { createHash } from "node:crypto";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { type Answer, type ClientRun, liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf } from "../http.ts";
import { answersOrdinary, browse } from "../ordinary.ts";

/**
 * Nothing is wrong: devices upload files in pieces (tus 1.0.0): a POST makes the upload, and each PATCH begins where
 * the answer before says the file ends. Pieces are hashed and written to a file; they are sent at the pace of a good
 * line, and take what an upload takes.
 */
export const live = liveCase({
  story: "Healthy: files are uploaded piece by piece, each piece from the offset that the answer before tells.",
  draw: (draw) => {
    const [files = "", ...others] = draw.words(4);
    return {
      files,
      others,
      piece: draw.int(40, 70) * 1_024,
      rate: draw.int(6, 9) * 1_000_000,
      written: draw.int(34, 55),
      devices: draw.int(2, 3),
      uploads: draw.int(7, 9),
    };
  },
  causes: () => [],
  service: async ({ files, others, written }, run) => {
    const offsets = new Map<string, number>();
    await run.serve("files", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const body = await bodyOf(request);
      await run.work(written, 0.35);
      if (request.method === "POST") {
        const id = run.random.text(20);
        offsets.set(id, 0);
        response.writeHead(201, { Location: `/${files}/${id}`, "Tus-Resumable": "1.0.0", "Content-Length": 0 }).end();
        return;
      }
      const id = segmentsOf(request)[1] ?? "";
      const end = Number(request.headers["upload-offset"]) + body.length;
      const sum = createHash("sha1").update(body).digest("base64");
      if (request.headers["upload-checksum"] !== `sha1 ${sum}` || end - body.length !== offsets.get(id)) {
        response.writeHead(409, { "Content-Length": 0 }).end();
        return;
      }
      await appendFile(join(run.folder, id), body);
      offsets.set(id, end);
      response.writeHead(204, { "Upload-Offset": String(end), "Tus-Resumable": "1.0.0" }).end();
    });
  },
  client: async ({ files, others, piece, rate, devices, uploads }, run) => {
    const names = run.random.words(devices);
    const sending = names.map((name, index) => send(run, { name, index, files, piece, rate, uploads }));
    await Promise.all([...sending, browse(run, "files", others, 22)]);
  },
});

interface Device {
  readonly name: string;
  readonly index: number;
  readonly files: string;
  readonly piece: number;
  readonly rate: number;
  readonly uploads: number;
}

async function send(run: ClientRun, { name, index, files, piece, rate, uploads }: Device): Promise<void> {
  const device = run.actor(name, { userAgent: `camera/${index}.2 (${name})`, address: `127.0.0.${141 + index}` });
  const steps = Array.from({ length: uploads }, () => ({
    bytes: Buffer.from(run.random.text(Math.round(piece * run.random.real(1.2, 4.8)))),
    gap: run.random.real(350, 1_000),
  }));
  for (const { bytes, gap } of steps) {
    await pause(gap);
    const headers = { "Tus-Resumable": "1.0.0" };
    const made = await device.ask("POST", "files", `/${files}`, {
      headers: { ...headers, "Upload-Length": String(bytes.length), "Content-Length": "0" },
    });
    let before: Answer = made;
    for (let offset = 0; offset < bytes.length; offset = Number(before.headers["upload-offset"])) {
      const body = bytes.subarray(offset, offset + piece);
      before = await device.ask("PATCH", "files", String(made.headers["location"]), {
        headers: {
          ...headers,
          "Content-Type": "application/offset+octet-stream",
          "Content-Length": String(body.length),
          "Upload-Offset": String(offset),
          "Upload-Checksum": `sha1 ${createHash("sha1").update(body).digest("base64")}`,
        },
        body,
        rate,
        needs: before === made ? [made] : [made, before],
      });
      if (before.status !== 204) throw new Error(`an upload was refused with ${before.status}`);
    }
  }
}
