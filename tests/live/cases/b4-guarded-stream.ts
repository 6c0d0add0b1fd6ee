import { type Answer, type ClientRun, liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/*
 * An assistant streams its answer word by word, but holds each paragraph until a policy check has read the text so
 * far. The truth is the time of those checks; without the cause, the same checks run beside the stream.
 */

export const live = liveCase({
  story: "The stream of an answer stands still at each paragraph while a policy check reads the text so far.",
  draw: (draw) => {
    const [app = "", ...others] = draw.words(4);
    return {
      app,
      others,
      users: draw.words(4),
      word: draw.real(16, 24),
      words: draw.int(46, 54),
      paragraph: draw.int(18, 21),
      check: draw.real(480, 820),
      reading: Array.from({ length: 12 }, () => draw.real(2_050, 2_500)),
    };
  },
  causes: ({ app }) => [{ name: "check", accepts: [{ kind: "slow-streams" }], at: [`POST /v1/${app}/answers`] }],
  service: async ({ app, others, word, words, paragraph, check }, run) => {
    await run.serve("api", async (request, response) => {
      const [, , kind] = segmentsOf(request);
      const body = (await bodyOf(request)).toString();
      if (await answersOrdinary(run, others, request, response)) return;
      await run.work(18, 0.25);
      if (kind === "threads") return sendJson(response, { thread: `thr_${run.random.text(14)}` });
      if (kind !== "answers") return sendJson(response, { noted: body.length });
      response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
      for (let index = 1; index <= words; index += 1) {
        response.write(`data: {"delta":" ${run.random.text(run.random.int(2, 7))}"}\n\n`);
        await run.work(word, 0.2);
        if (index % paragraph !== 0) continue;
        const since = Date.now();
        const checked = run.work(check, 0.12);
        if (!run.isOn("check")) continue;
        await checked;
        run.added("check", since, undefined, clientOf(request));
      }
      response.end(`data: {"end":"${app}","message":"msg_${run.random.text(14)}"}\n\n`);
    });
  },
  client: async ({ app, others, users, reading }, run) => {
    const asked = users.map((user, index) => converse(run, { app, user, address: `127.0.0.${20 + index}`, reading }));
    await Promise.all([...asked, browse(run, "api", others, 20, 500)]);
  },
});

interface Person {
  readonly app: string;
  readonly user: string;
  readonly address: string;
  readonly reading: readonly number[];
}

/** Opens a thread with the first question, and asks again once the answer is read. */
async function converse(run: ClientRun, { app, user, address, reading }: Person): Promise<void> {
  await pause(run.random.real(0, 900));
  const actor = run.actor(user, { userAgent: `assistant-${user}/4.1`, address });
  const post = (kind: string, body: object, needs: readonly Answer[]): Promise<Answer> =>
    actor.ask("POST", "api", `/v1/${app}/${kind}`, {
      headers: { "Content-Type": "application/json", Accept: kind === "answers" ? "text/event-stream" : "*/*" },
      body: JSON.stringify(body),
      needs,
    });
  const opened = await post("threads", { title: run.random.text(20) }, []);
  for (let turn = 0; turn < 3; turn += 1) {
    if (turn > 0) await pause(run.random.pick(reading));
    const answer = await post("answers", { thread: opened.json().thread, question: run.random.text(60) }, [opened]);
    const message = /"message":"(\w+)"/.exec(answer.body.toString())?.[1];
    await post("seen", { message, length: answer.body.length }, [answer]);
  }
}
