import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { liveCase, now, pause } from "../contract.ts";
import { sendJson, targetOf } from "../http.ts";

/** As many as users, so that none waits for another's query. */
const CONNECTIONS = 5;

/** Each connection to the database is a thread of its own, as in most drivers. */
const CONNECTION = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { DatabaseSync } = require("node:sqlite");
  const database = new DatabaseSync(workerData, { readOnly: true });
  parentPort.on("message", (sql) => parentPort.postMessage(database.prepare(sql).all()));
`;

export const live = liveCase({
  story: "A list can be sorted by four columns; one of them has no index, so that SQLite reads and sorts the table.",
  draw: (draw) => {
    const [list = "", sort = "", other = "", badges = "", ...columns] = draw.words(8);
    return {
      list,
      sort,
      other,
      badges,
      columns: columns.slice(0, 4),
      rows: draw.int(450_000, 550_000),
      users: draw.int(4, 5),
      turns: draw.int(17, 20),
      share: draw.real(0.22, 0.32),
    };
  },
  causes: ({ list, sort, columns }) => [
    {
      name: "unindexed",
      accepts: [{ kind: "slow-when", attribute: `query:${sort}`, value: columns[3] ?? "" }],
      at: [`GET /${list}`],
    },
  ],
  service: async ({ list, sort, columns, rows }, run) => {
    const file = join(run.folder, "list.db");
    const database = new DatabaseSync(file);
    database.exec(`CREATE TABLE ${list} (id INTEGER PRIMARY KEY, ${columns.join(", ")})`);
    database.exec(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
       INSERT INTO ${list} SELECT i, ${columns.map(() => "abs(random() % 900000)").join(", ")} FROM n`,
    );
    for (const column of run.isOn("unindexed") ? columns.slice(0, 3) : columns)
      database.exec(`CREATE INDEX by_${column} ON ${list} (${column})`);
    database.close();
    const connections = Array.from(
      { length: CONNECTIONS },
      () => new Worker(CONNECTION, { eval: true, workerData: file }),
    );
    const idle: Worker[] = [];
    const query = async (sql: string, connection = idle.pop()): Promise<unknown[]> => {
      if (connection === undefined) throw new Error("no idle connection");
      connection.postMessage(sql);
      const [rows] = await once(connection, "message");
      idle.push(connection);
      return rows;
    };
    await Promise.all(connections.map((connection) => query(`SELECT max(id) FROM ${list}`, connection)));
    await run.serve("desk", async (request, response) => {
      const target = targetOf(request);
      await run.work(20, 0.3);
      if (target.pathname !== `/${list}`) return sendJson(response, { open: run.random.int(1, 10_000) });
      const column = target.searchParams.get(sort) ?? columns[0] ?? "";
      const from = now();
      const found = await query(
        `SELECT * FROM ${list} ORDER BY ${column} DESC LIMIT 12 OFFSET ${Number(target.searchParams.get("offset"))}`,
      );
      if (run.isOn("unindexed") && column === columns[3])
        run.added("unindexed", from, now(), request.headers["user-agent"] ?? "");
      sendJson(response, found);
    });
  },
  client: async ({ list, sort, other, badges, columns, users, turns, share }, run) => {
    await Promise.all(
      Array.from({ length: users }, async (_, user) => {
        const agent = run.actor(`user ${user}`, { userAgent: `desk/${user + 3}.1`, address: `127.0.0.${user + 2}` });
        // Drawn before, so that the order of answers changes nothing.
        const offsets = run.random.shuffled(Array.from({ length: 400 }, (__, offset) => offset));
        const asked = offsets.slice(0, turns).map((offset) => ({
          column: run.random.chance(share) ? columns[3] : run.random.pick(columns.slice(0, 3)),
          offset,
        }));
        await pause(run.random.real(0, 1_500));
        for (const [count, { column, offset }] of asked.entries()) {
          const badge =
            count % 4 === 1 ? agent.ask("GET", "desk", `/${badges}?${other}=${run.random.int(1, 5_000)}`) : null;
          await agent.ask("GET", "desk", `/${list}?${sort}=${column}&offset=${offset}`);
          await badge;
          await pause(run.random.real(320, 620));
        }
      }),
    );
  },
});
