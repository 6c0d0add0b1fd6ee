import { type Answer, type ClientRun, liveCase, pause } from "../contract.ts";

/**
 * A list of stock is sorted by SQLite: of four columns one has no index, so that all rows are read and sorted for one
 * page. And a manager's page asks for its four panels one after the other, although each needs the site's key alone.
 */
export const live = liveCase({
  story: "A list sorted by one of its columns reads all rows; and a page awaits each of its four panels in turn.",
  draw: (draw) => {
    const [items = "", sort = "", sites = "", ...rest] = draw.words(11);
    return {
      items,
      sort,
      sites,
      columns: rest.slice(0, 4),
      panels: rest.slice(4, 8),
      rows: draw.int(260_000, 320_000),
      usual: draw.int(22, 36),
      panel: draw.int(45, 75),
      asked: draw.int(36, 42),
      unindexed: draw.real(0.2, 0.3),
      opened: draw.int(9, 11),
    };
  },
  causes: ({ items, sort, columns }) => [
    {
      name: "sort",
      accepts: [{ kind: "slow-when", attribute: `query:${sort}`, value: columns[0] ?? "" }],
      at: [`GET /${items}`],
    },
    { name: "turns", accepts: [{ kind: "sequential-requests" }], at: ["api"], unlogged: true },
  ],
  // Clerks ask again for pages that one of them has seen.
  admits: ({ items }) => [
    { accepts: [{ kind: "duplicate-requests" }, { kind: "unchanged-refetches" }], at: [`GET /${items}`] },
  ],
  service: { python: "b5-stock-list.py" },
  client: async ({ items, sort, sites, columns, panels, asked, unindexed, opened }, run) => {
    const [slow = "", ...indexed] = columns;
    const clerk = async (name: string, address: string): Promise<void> => {
      const terminal = run.actor(name, { userAgent: `stock-list/7.2 (${name})`, address });
      const steps = Array.from({ length: asked }, () => ({
        column: run.random.chance(unindexed) ? slow : run.random.pick(indexed),
        page: run.random.int(1, 6),
        gap: run.random.real(90, 260),
      }));
      for (const { column, page, gap } of steps) {
        await pause(gap);
        await terminal.ask("GET", "api", `/${items}?${sort}=${column}&page=${page}`);
      }
    };
    const clerks = run.random.words(3).map((name, index) => clerk(name, `127.0.0.${31 + index}`));
    await Promise.all([...clerks, manage(run, sites, panels, opened)]);
  },
});

/** Opens one site after another; the panels of a site need its key. */
async function manage(run: ClientRun, sites: string, panels: readonly string[], opened: number): Promise<void> {
  const manager = run.actor("manager", { userAgent: "site-view/3.0", address: "127.0.0.41" });
  const steps = Array.from({ length: opened }, () => ({ site: run.random.text(9), gap: run.random.real(350, 900) }));
  for (const { site, gap } of steps) {
    await pause(gap);
    const opening = await manager.ask("GET", "api", `/${sites}/${site}`);
    const show = (panel: string): Promise<Answer> =>
      manager.ask("GET", "api", `/${panel}?key=${opening.json().key}`, { needs: [opening] });
    if (!run.isOn("turns")) await Promise.all(panels.map(show));
    else for (const panel of panels) await show(panel);
  }
}
