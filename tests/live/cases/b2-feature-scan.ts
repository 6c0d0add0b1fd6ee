import { type Answer, liveCase, pause } from "../contract.ts";
import { Draw } from "../draw.ts";

/** Users with the feature search text in any place of the note, for which no index helps. */
export const live = liveCase({
  story: "Some users have a new search; for them each list reads the whole table instead of the owner's index.",
  draw: (draw) => {
    const [list = "", flag = "", column = "", other = "", notices = ""] = draw.words(5);
    const users = draw.int(3, 4);
    return {
      list,
      flag,
      column,
      other,
      notices,
      users,
      carrier: draw.pick(["cookie", "header", "query"] as const),
      flagged: draw.int(1, users - 2),
      rows: draw.int(250, 400) * 1_000,
      usual: draw.real(14, 30),
      visits: draw.int(20, 26),
      think: draw.int(200, 300),
    };
  },
  causes: ({ list, flag, carrier, flagged }) => [
    {
      name: "scan",
      accepts: [
        { cookie: `cookie:${flag}`, header: `request-header:x-${flag}`, query: `query:${flag}` }[carrier],
        // The feature and the user are the same where only one has it.
        ...(flagged === 1 ? ["client"] : []),
      ].map((attribute) => ({ kind: "slow-when", attribute })),
      at: [`GET /${list}`],
    },
  ],
  // A user opens a row a moment after its list came, which is the client's time by its definition.
  admits: () => [{ accepts: [{ kind: "client-time" }], at: ["app"] }],
  service: { python: "b2-feature-scan.py" },
  client: async ({ list, flag, other, notices, carrier, flagged, users, visits, think }, run) => {
    const visit = async (user: number): Promise<void> => {
      // Each user draws alone, so that all do the same whatever the others wait for.
      const random = new Draw(run.seed + user);
      const browser = run.actor(`user ${user}`, {
        userAgent: "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0",
        address: `127.0.0.${10 + user}`,
      });
      const hasFeature = user < flagged;
      const headers = {
        Cookie: `sid=u${user}-${random.text(12)}${hasFeature && carrier === "cookie" ? `; ${flag}=1` : ""}`,
        ...(hasFeature && carrier === "header" ? { [`X-${flag}`]: "1" } : {}),
      };
      const query = hasFeature && carrier === "query" ? `&${flag}=1` : "";
      await browser.ask("GET", "app", `/${other}`, { headers });
      let rows: Answer | null = null;
      for (let page = 1; page <= visits; page += 1) {
        if (random.chance(0.7)) {
          rows = await browser.ask("GET", "app", `/${list}?page=${page}${query}`, { headers });
          await pause(random.real(0.6, 1.4) * think);
        }
        const ids: number[] = rows?.json().rows.map(({ id }: { id: number }) => id) ?? [];
        if (ids.length > 0 && rows !== null && random.chance(0.5)) {
          await browser.ask("GET", "app", `/${list}/${random.pick(ids)}`, { headers, needs: [rows] });
          await pause(random.real(0.6, 1.4) * think);
        }
        if (random.chance(0.2)) await browser.ask("GET", "app", `/${notices}?after=${page}`, { headers });
      }
    };
    await Promise.all(Array.from({ length: users }, (_, user) => visit(user)));
  },
});
