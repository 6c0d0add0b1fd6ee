import { createHash } from "node:crypto";
import { type Answer, liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson, targetOf } from "../http.ts";

const etagOf = ({ headers: { etag } }: Answer): string => String(etag);

export const live = liveCase({
  story:
    "Phones synchronize every few seconds: a delta since the last revision, then each change with the revision of the answer before, and settings with their ETag; nothing is wrong.",
  draw: (draw) => {
    const [deltas = "", notes = "", settings = "", revision = ""] = draw.words(4);
    return {
      deltas,
      notes,
      settings,
      revision,
      phones: draw.int(6, 8),
      rounds: draw.int(4, 5),
      delta: draw.real(40, 90),
      save: draw.real(30, 70),
    };
  },
  causes: () => [],
  service: async ({ deltas, notes, revision, delta, save }, run) => {
    const etag = `"${createHash("sha1").update(run.name).digest("hex").slice(0, 12)}"`;
    await run.serve("sync", async (request, response) => {
      const [place] = segmentsOf(request);
      const body = await bodyOf(request);
      if (place === deltas) {
        await run.work(delta, 0.4);
        const changes = Array.from({ length: run.random.int(0, 5) }, () => run.random.text(60));
        sendJson(response, {
          since: targetOf(request).searchParams.get("since"),
          [revision]: run.random.text(18),
          changes,
        });
      } else if (place === notes) {
        await run.work(save, 0.4);
        sendJson(response, { [revision]: run.random.text(18), size: body.length });
      } else {
        await run.work(6, 0.3);
        if (request.headers["if-none-match"] === etag) response.writeHead(304, { ETag: etag }).end();
        else sendJson(response, { theme: "dark", language: "en" }, { ETag: etag, "Cache-Control": "no-cache" });
      }
    });
  },
  client: async ({ deltas, notes, settings, revision, phones, rounds }, run) => {
    await Promise.all(
      Array.from({ length: phones }, async (_, phone) => {
        const agent = run.actor(`phone ${phone}`, { userAgent: `notes/${phone + 4}`, address: `127.0.0.${phone + 2}` });
        let [last, known]: [Answer | null, Answer | null] = [null, null];
        await pause(run.random.real(0, 2_000));
        for (let round = 0; round < rounds; round += 1) {
          const setting: Promise<Answer> | null =
            round % 2 === 0
              ? agent.ask("GET", "sync", `/${settings}`, {
                  headers: known === null ? {} : { "If-None-Match": etagOf(known) },
                  needs: known === null ? [] : [known],
                })
              : null;
          const since: string = last === null ? "start" : last.json()[revision];
          last = await agent.ask("GET", "sync", `/${deltas}?since=${since}`, { needs: last === null ? [] : [last] });
          known ??= await setting;
          await setting;
          for (let count = run.random.int(0, 3); count > 0; count -= 1) {
            const before: Answer = last;
            last = await agent.ask("PUT", "sync", `/${notes}/${run.random.int(100_000, 999_999)}`, {
              body: JSON.stringify({ text: run.random.text(run.random.int(20, 400)) }),
              headers: { "Content-Type": "application/json", "If-Match": `"${before.json()[revision]}"` },
              needs: [before],
            });
          }
          await pause(run.random.real(2_100, 2_700));
        }
      }),
    );
  },
});
