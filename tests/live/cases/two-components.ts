import { liveCase, now, pause } from "../contract.ts";
import { segmentsOf, sendJson } from "../http.ts";
import { answersOrdinary, browse, clientOf } from "../ordinary.ts";

/** Header and side bar of an app each load the same profile before they can ask for what they show. */
export const live = liveCase({
  story: "Two components of a page fetch the same profile one after the other.",
  draw: (draw) => {
    const [me = "", first = "", second = "", ...others] = draw.words(6);
    return { me, first, second, others, usual: draw.real(80, 140), users: draw.int(7, 10) };
  },
  causes: ({ me }) => [{ name: "twice", accepts: [{ kind: "duplicate-requests" }], at: [`GET /${me}`] }],
  service: async ({ me, usual, others }, run) => {
    const seen = new Set<string>();
    await run.serve("app", async (request, response) => {
      if (await answersOrdinary(run, others, request, response)) return;
      const [name = "", id = ""] = segmentsOf(request);
      const since = now();
      await run.work(usual, 0.25);
      const user = String(request.headers.authorization).slice(-5);
      sendJson(response, name === me ? { user, team: `team-${user}` } : { [name]: id, text: run.random.text(200) });
      if (name !== me) return;
      if (seen.has(user)) run.added("twice", since, now(), clientOf(request));
      seen.add(user);
    });
  },
  client: async ({ me, first, second, users, others }, run) => {
    const visit = async (index: number): Promise<void> => {
      await pause(index * 900);
      const user = run.actor(`user ${index}`, { userAgent: `app/${index}.8`, address: `127.0.0.${60 + index}` });
      const headers = { Authorization: `Bearer u${10_000 + index * 331}` };
      const profile = () => user.ask("GET", "app", `/${me}`, { headers });
      const known = await profile();
      await user.ask("GET", "app", `/${first}/${known.json().team}`, { headers, needs: [known] });
      const again = run.isOn("twice") ? await profile() : known;
      await user.ask("GET", "app", `/${second}/${again.json().team}`, { headers, needs: [again] });
    };
    await Promise.all([browse(run, "app", others, 18), ...Array.from({ length: users }, (_, index) => visit(index))]);
  },
});
