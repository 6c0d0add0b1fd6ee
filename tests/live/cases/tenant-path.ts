import { liveCase } from "../contract.ts";
import { arrivals, browse } from "../ordinary.ts";

export const live = liveCase({
  story: "One tenant's table has no index; the tenant is a segment of the path.",
  draw: (draw) => {
    const [slow = "", bills = "", ...rest] = draw.words(16);
    return {
      slow,
      path: bills,
      others: rest.slice(0, 3),
      tenants: draw.shuffled([slow, ...rest.slice(3)]),
      rows: draw.int(34_000, 46_000),
      bills: draw.int(12, 18),
      share: draw.real(0.16, 0.24),
      requests: draw.int(120, 150),
    };
  },
  causes: ({ slow, path }) => [
    {
      name: "tenant",
      accepts: [
        { kind: "slow-when", attribute: "path:1", value: slow },
        { kind: "slow-when", attribute: "path:2", value: slow },
        // A tenant that is no `{id}` is an endpoint of its own.
        { kind: "slow-server", segment: slow },
      ],
      at: [`GET /t/*/${path}/*`],
    },
  ],
  service: { python: "tenant-path.py" },
  client: async ({ slow, path, tenants, share, requests, others }, run) => {
    const calm = tenants.filter((tenant) => tenant !== slow);
    const clerks = [1, 2, 3].map((clerk) => run.actor(`clerk ${clerk}`, { userAgent: `clerk/${clerk}.2` }));
    const asked = Array.from({ length: requests }, (_, index) => {
      const tenant = run.random.chance(share) ? slow : run.random.pick(calm);
      return `/t/${tenant}/${path}/${run.random.int(1, 8) * 100 + (index % 50)}`;
    });
    await Promise.all([
      browse(run, "api", others, 24),
      ...clerks.map((clerk, mine) => {
        const paths = asked.filter((_, index) => index % clerks.length === mine);
        return arrivals(run.random, paths.length, 270, (index) => clerk.ask("GET", "api", paths[index] ?? "/"));
      }),
    ]);
  },
});
