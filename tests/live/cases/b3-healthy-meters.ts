import { createHash } from "node:crypto";
import type { ServerResponse } from "node:http";
import { type Answer, type ClientRun, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";

/**
 * Meters wake at the same moments and send a reading each, renew tokens that have ended, read settings that have
 * changed, and one loads firmware in the background. Nothing is wrong: the service has room for the bursts, its times
 * are noise, each 401 follows from a token's end, and the download comes at its line's rate.
 */
export const live = liveCase({
  story:
    "Meters wake at the same moments, send a reading, renew tokens that have ended and read changed settings; one loads firmware; nothing is wrong.",
  draw: (draw) => {
    const [readings = "", settings = "", serial = "", field = ""] = draw.words(4);
    return {
      readings,
      settings,
      serial,
      field,
      meters: draw.int(11, 15),
      wakes: draw.int(5, 6),
      every: draw.int(2_050, 2_350),
      jitter: draw.int(60, 250),
      usual: draw.int(35, 70),
      noise: draw.real(0.4, 0.65),
      lasts: draw.int(5_500, 7_500),
      valid: draw.int(4_500, 6_500),
      firmware: draw.int(700, 1_100) * 1_024,
    };
  },
  causes: () => [],
  // A token that ends between reading and settings is not renewed for the latter.
  admits: ({ settings }) => [{ accepts: [{ kind: "errors" }], at: [`GET /${settings}/*`] }],
  service: async ({ settings, field, usual, noise, lasts, valid, firmware }, run) => {
    const ends = new Map<string, number>();
    const image = Buffer.from(run.random.text(firmware));
    let [revision, changed] = [1, now()];
    await run.serve("hub", async (request, response) => {
      const [name = ""] = segmentsOf(request);
      request.resume();
      if (name === "firmware") return sendAtRate(response, image, 170_000);
      const token = request.headers.authorization ?? "";
      if (name !== "token" && (ends.get(token) ?? 0) < now()) {
        await run.work(6);
        response.writeHead(401, { "WWW-Authenticate": 'Bearer error="invalid_token"', "Content-Length": 0 }).end();
        return;
      }
      await run.work(usual, noise);
      if (name === "token") {
        const made = run.random.text(32);
        ends.set(`Bearer ${made}`, now() + lasts);
        return sendJson(response, { access_token: made, expires_in: Math.floor(lasts / 1_000) });
      }
      if (now() - changed > valid) [revision, changed] = [revision + 1, now()];
      const tag = createHash("sha1").update(`${revision}${field}`).digest("hex");
      if (name === settings) return sendJson(response, { [field]: revision * 30, tag }, { ETag: `"${tag}"` });
      sendJson(response, { stored: run.random.text(10), settings: tag });
    });
  },
  client: async (plan, run) => {
    const serials = Array.from({ length: plan.meters }, () => `${plan.serial}-${run.random.int(10_000, 99_999)}`);
    await Promise.all([
      ...serials.map((serial, index) => meter(plan, run, serial, `127.0.1.${index + 1}`)),
      (async () => {
        await pause(plan.every * 1.5);
        const loader = run.actor("loader", { userAgent: `loader (${serials[0]})`, address: "127.0.1.1" });
        await loader.ask("GET", "hub", "/firmware/5.2.bin");
      })(),
    ]);
  },
});

interface Meters {
  readonly readings: string;
  readonly settings: string;
  readonly wakes: number;
  readonly every: number;
  readonly jitter: number;
}

/** One meter's wakes; its reading's answer names the settings that it should have. */
async function meter(
  { readings, settings, wakes, every, jitter }: Meters,
  run: ClientRun,
  serial: string,
  address: string,
): Promise<void> {
  const actor = run.actor(serial, { userAgent: `meter/5.1 (${serial})`, address });
  const start = now();
  let [token, tag]: [Answer | null, string | null] = [null, null];
  for (let wake = 0; wake < wakes; wake += 1) {
    await pause(start + wake * every + run.random.real(0, jitter) - now());
    const send = (body: string): Promise<Answer> =>
      actor.ask("PUT", "hub", `/${readings}/${serial}`, {
        body,
        headers: { Authorization: `Bearer ${token?.json().access_token}`, "Content-Type": "application/json" },
        needs: token === null ? [] : [token],
      });
    token ??= await actor.ask("POST", "hub", `/token/${serial}`);
    const reading = JSON.stringify({ at: wake, watts: Array.from({ length: 24 }, () => run.random.int(20, 4_000)) });
    let answer = await send(reading);
    if (answer.status === 401) {
      token = await actor.ask("POST", "hub", `/token/${serial}`, { needs: [answer] });
      answer = await send(reading);
    }
    if (answer.json().settings === tag) continue;
    tag = answer.json().settings;
    await actor.ask("GET", "hub", `/${settings}/${serial}?tag=${tag}`, {
      headers: { Authorization: `Bearer ${token.json().access_token}` },
      needs: [answer, token],
    });
  }
}

/** Sends a file as over a line of so many bytes a second. */
async function sendAtRate(response: ServerResponse, file: Buffer, rate: number): Promise<void> {
  response.writeHead(200, { "Content-Type": "application/octet-stream", "Content-Length": file.length });
  for (let at = 0; at < file.length; at += rate / 50) {
    response.write(file.subarray(at, at + rate / 50));
    await pause(20);
  }
  response.end();
}
