import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Actor, type Answer, type ClientRun, liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson, targetOf } from "../http.ts";
import { lineTo } from "../line.ts";

/*
 * People scroll a feed: each page names the next one and its pictures, reading takes two seconds and more, tokens end
 * and are renewed, news are asked for in the background, and a stream shows who is there. Nothing is a cause: the
 * pauses are the readers', each answer is new and needed, and each picture is fetched once.
 */

interface Reader {
  readonly name: string;
  readonly start: number;
  /** How long each page is read, ms. */
  readonly reading: readonly number[];
  /** Pauses of the background's questions, ms. */
  readonly news: readonly number[];
}

export const live = liveCase({
  story: "People scroll a feed with pictures, read for seconds, renew tokens that end, and get news in the background.",
  // Handshakes at the start would be a cost of their own.
  scheme: "http",
  draw: (draw) => {
    const [feed = "", inbox = "", ...rest] = draw.words(8);
    const readerOf = (name: string): Reader => ({
      name,
      start: draw.real(0, 2_500),
      reading: Array.from({ length: 4 }, () => draw.real(2_080, 3_100)),
      news: Array.from({ length: 4 }, () => draw.real(2_100, 3_300)),
    });
    return {
      feed,
      inbox,
      readers: rest.slice(0, 4).map(readerOf),
      nodes: rest.slice(4),
      delay: draw.real(4, 9),
      ranking: draw.real(60, 95),
      valid: draw.real(4_200, 6_000),
    };
  },
  causes: () => [],
  service: async ({ feed, inbox, nodes, delay, ranking, valid }, run) => {
    const id = (kind: string): string => `${kind}_${run.random.text(16)}`;
    const take = (median: number): Promise<void> => pause(Math.min(350, run.random.lognormal(median, 0.42)));
    const api = await run.serve("api", async (request, response) => {
      request.resume();
      const [kind = ""] = segmentsOf(request);
      response.setHeader("X-Served-By", run.random.pick(nodes));
      if (kind === "presence") return stream(response, () => run.random.lognormal(420, 0.15));
      if (kind === "sessions") {
        await take(35);
        return sendJson(response, { token: id("tok"), renewal: id("ren"), expiresIn: valid / 1_000 });
      }
      if (kind === feed) {
        await take(ranking);
        const items = Array.from({ length: 4 }, () => ({ id: id("itm"), picture: `/m/${run.random.text(18)}.webp` }));
        return sendJson(response, { items, next: id("cur") }, { "Cache-Control": "private, no-store" });
      }
      await take(22);
      if (kind !== inbox) return response.writeHead(204).end();
      const messages = run.random.chance(0.5) ? [{ from: id("usr"), text: run.random.text(50) }] : [];
      return sendJson(response, { messages, since: id("pos") }, { "Cache-Control": "no-store" });
    });
    const cdn = await run.serve("cdn", async (request, response) => {
      await take(14);
      const picture = Buffer.from(run.random.text(run.random.int(14_000, 48_000)));
      response.writeHead(200, {
        "Content-Type": "image/webp",
        "Content-Length": picture.length,
        "X-Served-By": run.random.pick(nodes),
        "Cache-Control": "public, max-age=31536000, immutable",
        ETag: `"${targetOf(request).pathname.slice(3, 15)}"`,
      });
      response.end(picture);
    });
    run.serves("api", await lineTo((api.address() as AddressInfo).port, { delay }));
    run.serves("cdn", await lineTo((cdn.address() as AddressInfo).port, { delay }));
  },
  client: async ({ feed, inbox, readers }, run) => {
    await Promise.all(
      readers.map((reader, index) => read(run, { ...reader, feed, inbox, address: `127.0.0.${50 + index}` })),
    );
  },
});

type Device = Reader & { readonly feed: string; readonly inbox: string; readonly address: string };

async function read(run: ClientRun, { name, start, reading, news, feed, inbox, address }: Device): Promise<void> {
  await pause(start);
  const actor = run.actor(name, { userAgent: `feed-app/${name}`, address, sockets: 8 });
  const signed = await tokens(actor);
  const first = await signed();
  const left = new AbortController();
  const presence = actor.ask("GET", "api", "/presence", { ...withToken(first), signal: left.signal });
  const background = (async () => {
    let since: Answer | null = null;
    for (const length of news) {
      await pause(length);
      const token: Answer = await signed();
      const from: string = since === null ? "start" : since.json().since;
      const needs = since === null ? [] : [since];
      since = await actor.ask("GET", "api", `/${inbox}?since=${from}`, withToken(token, needs));
    }
  })();
  let page: Answer | null = null;
  for (const length of reading) {
    const token: Answer = await signed();
    const cursor: string = page === null ? "" : `?cursor=${page.json().next}`;
    const shown: Answer = await actor.ask(
      "GET",
      "api",
      `/${feed}${cursor}`,
      withToken(token, page === null ? [] : [page]),
    );
    page = shown;
    const items: { id: string; picture: string }[] = shown.json().items;
    await Promise.all(items.map(({ picture }) => actor.ask("GET", "cdn", picture, { needs: [shown] })));
    await pause(length);
    const liked = run.random.pick(items);
    if (run.random.chance(0.5))
      await actor.ask("POST", "api", `/likes/${liked.id}`, withToken(await signed(), [shown]));
  }
  await background;
  left.abort();
  await presence;
}

const withToken = (token: Answer, needs: readonly Answer[] = []) => ({
  headers: { Authorization: `Bearer ${token.json().token}` },
  needs: [token, ...needs],
});

/** Signs in, and gives the token's answer at any time; renews it only when it ends. */
async function tokens(actor: Actor): Promise<() => Promise<Answer>> {
  const ask = async (body: object, needs: readonly Answer[]) => {
    const answer = await actor.ask("POST", "api", "/sessions", {
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      needs,
    });
    return { answer, until: now() + answer.json().expiresIn * 1_000 - 400 };
  };
  let current = ask({ device: actor.agent.maxSockets, grant: "password" }, []);
  await current;
  return async () => {
    const held = current;
    const { answer, until } = await held;
    if (now() > until && held === current)
      current = ask({ renewal: answer.json().renewal, grant: "renewal" }, [answer]);
    return (await current).answer;
  };
}

function stream(response: ServerResponse, gap: () => number): void {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const send = (): void => {
    if (response.destroyed) return;
    response.write(`data: {"here":${Date.now() % 400}}\n\n`);
    setTimeout(send, gap());
  };
  send();
}
