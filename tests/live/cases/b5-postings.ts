import { type Answer, liveCase, pause } from "../contract.ts";
import { browse } from "../ordinary.ts";

/**
 * An import holds SQLite's write lock while it reads its source line by line, and a posting that finds the lock taken
 * is refused at once. The tills try again after a back-off; the true cost is the time from the first refusal to the
 * attempt that succeeds. Without the cause, the import reads its source first and writes in one go.
 */
export const live = liveCase({
  story: "Postings are refused with 503 while an import holds the database's write lock, and are sent again later.",
  draw: (draw) => {
    const [postings = "", ...others] = draw.words(4);
    return {
      postings,
      others,
      usual: draw.int(18, 30),
      held: draw.int(260, 420),
      every: draw.int(900, 1_300),
      backOff: draw.int(250, 450),
      tills: draw.int(3, 4),
      calls: draw.int(18, 22),
    };
  },
  causes: ({ postings }) => [{ name: "busy", accepts: [{ kind: "retries" }], at: [`POST /${postings}`] }],
  service: { python: "b5-postings.py" },
  client: async ({ postings, others, backOff, tills, calls }, run) => {
    const sell = async (name: string, address: string): Promise<void> => {
      const till = run.actor(name, { userAgent: `till/${name}`, address });
      const steps = Array.from({ length: calls }, () => ({ ref: run.random.text(16), gap: run.random.real(150, 480) }));
      for (const { ref, gap } of steps) {
        await pause(gap);
        const body = JSON.stringify({ ref, amount: ref.length * 125, currency: "EUR" });
        const headers = { "Content-Type": "application/json", "Idempotency-Key": ref };
        const post = (needs: readonly Answer[]): Promise<Answer> =>
          till.ask("POST", "api", `/${postings}`, { body, headers, needs });
        let answer = await post([]);
        for (let wait = backOff; answer.status === 503; wait *= 1.6) {
          await pause(wait);
          answer = await post([answer]);
        }
      }
    };
    const sold = run.random.words(tills).map((name, index) => sell(name, `127.0.0.${61 + index}`));
    await Promise.all([...sold, browse(run, "api", others, 24)]);
  },
});
