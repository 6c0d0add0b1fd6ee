import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { liveCase, now, pause } from "../contract.ts";

const ROWS = 200;

/** A write transaction of an import holds SQLite's lock, and readers in another connection wait in their busy loop. */
export const live = liveCase({
  story: "Saving an import locks the database; other users' reads wait until it commits.",
  draw: (draw) => {
    const [items = "", imports = "", table = ""] = draw.words(3);
    return {
      items,
      imports,
      table,
      held: draw.int(400, 700),
      every: draw.int(900, 1_300),
      saves: draw.int(8, 10),
      reads: draw.int(110, 140),
      think: draw.int(60, 110),
    };
  },
  causes: ({ items, imports }) => [
    {
      name: "lock",
      accepts: [{ kind: "slow-when", attribute: `while:POST /${imports}` }],
      at: [`GET /${items}/*`],
    },
  ],
  admits: ({ imports }) => [{ accepts: [{ kind: "slow-server" }], at: [`POST /${imports}`] }],
  service: async ({ items, table, held }, run) => {
    const file = join(run.folder, "shop.db");
    const writer = new DatabaseSync(file);
    writer.exec(`CREATE TABLE ${table} (id INTEGER PRIMARY KEY, name TEXT)`);
    for (let id = 1; id <= ROWS; id += 1) writer.exec(`INSERT INTO ${table} VALUES (${id}, 'name ${id}')`);
    const reader = new DatabaseSync(file, { timeout: 0 });
    // The rollback journal's exclusive lock keeps readers out.
    const read = async (id: number): Promise<unknown> => {
      const since = now();
      for (let tries = 0; ; tries += 1) {
        try {
          const row = reader.prepare(`SELECT * FROM ${table} WHERE id = ?`).get(id);
          if (tries > 0) run.added("lock", since);
          return row;
        } catch {
          await pause(5);
        }
      }
    };
    await run.serve("api", async (request, response) => {
      if (request.method === "POST") {
        request.resume();
        if (run.isOn("lock")) writer.exec("BEGIN EXCLUSIVE");
        await pause(held);
        if (!run.isOn("lock")) writer.exec("BEGIN EXCLUSIVE");
        writer.exec(`UPDATE ${table} SET name = name || '.'`);
        writer.exec("COMMIT");
        response.writeHead(204).end();
        return;
      }
      await run.work(18);
      const row = await read(Number(request.url?.slice(items.length + 2)));
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(row ?? {}));
    });
  },
  client: async ({ items, imports, every, saves, reads, think }, run) => {
    const reader = run.actor("reader", { userAgent: "shop/4.2", address: "127.0.0.2" });
    const importer = run.actor("importer", { userAgent: "import-job/1.1", address: "127.0.0.3" });
    const ids = run.random.shuffled(Array.from({ length: ROWS }, (_, index) => index + 1));
    const reading = (async () => {
      for (const id of ids.slice(0, reads)) {
        await reader.ask("GET", "api", `/${items}/${id}`);
        await pause(run.random.real(0.5, 1.5) * think);
      }
    })();
    for (let count = 0; count < saves; count += 1) {
      await pause(run.random.real(0.8, 1.2) * every);
      const rows = JSON.stringify({ rows: run.random.text(900) });
      await importer.ask("POST", "api", `/${imports}`, { body: rows, headers: { "Content-Type": "application/json" } });
    }
    await reading;
  },
});
