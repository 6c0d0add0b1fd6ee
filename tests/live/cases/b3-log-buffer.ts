import { open } from "node:fs/promises";
import { join } from "node:path";
import { liveCase, now, pause } from "../contract.ts";
import { bodyOf } from "../http.ts";
import { answersOrdinary, arrivals, browse, clientOf } from "../ordinary.ts";

/**
 * Events are kept in a buffer, and the request whose event fills it writes all of them to a slow volume before it is
 * answered. The true cost is the time of these writes, every tenth request or so; without the cause, they happen after
 * the answer.
 */
export const live = liveCase({
  story: "Events are buffered; the request that fills the buffer writes it to a slow volume before it is answered.",
  draw: (draw) => {
    const [events = "", field = "", ...others] = draw.words(5);
    return {
      events,
      field,
      others,
      capacity: draw.int(10, 15) * 600,
      written: draw.int(220, 420),
      usual: draw.int(12, 22),
      requests: draw.int(140, 165),
      users: draw.int(6, 9),
    };
  },
  causes: ({ events }) => [
    { name: "flush", accepts: [{ kind: "slow-when", attribute: null }], at: [`POST /${events}`] },
  ],
  service: async ({ others, capacity, written, usual }, run) => {
    const file = await open(join(run.folder, "events.log"), "a");
    const volume = async (lines: readonly Buffer[]): Promise<void> => {
      await pause(run.random.lognormal(written, 0.06));
      await file.appendFile(Buffer.concat(lines));
      await file.datasync();
    };
    let buffer: Buffer[] = [];
    await run.serve("api", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const event = await bodyOf(request);
      await run.work(usual);
      buffer.push(event);
      if (buffer.reduce((bytes, { length }) => bytes + length, 0) < capacity) {
        response.writeHead(204).end();
        return;
      }
      const full = buffer;
      buffer = [];
      const since = now();
      if (!run.isOn("flush")) response.writeHead(204).end();
      await volume(full);
      if (!run.isOn("flush")) return;
      run.added("flush", since, now(), clientOf(request));
      response.writeHead(204).end();
    });
  },
  client: async ({ events, field, others, requests, users }, run) => {
    const use = (name: string, index: number): Promise<void> => {
      const app = run.actor(name, { userAgent: `app/12.4 (${name})`, address: `127.0.0.${11 + index}` });
      return arrivals(run.random, Math.round(requests / users), 54 * users, (at) =>
        app.ask("POST", "api", `/${events}`, {
          body: JSON.stringify({ at, [field]: run.random.text(run.random.int(480, 680)) }),
          headers: { "Content-Type": "application/json" },
        }),
      );
    };
    await Promise.all([...run.random.words(users).map(use), browse(run, "api", others, 25)]);
  },
});
