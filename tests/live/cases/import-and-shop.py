import json, os, sqlite3, threading, time
from live import FACTS, Handler, PLAN, RANDOM, added, is_on, now, serve, work

FILE = os.path.join(FACTS["folder"], "shops.db")
LOCAL = threading.local()
TABLE = PLAN["path"]

made = sqlite3.connect(FILE, isolation_level=None)
made.execute("PRAGMA synchronous = OFF")
made.execute(f"CREATE TABLE {TABLE} (shop TEXT, article INTEGER, stock INTEGER)")
made.execute("CREATE TABLE old (shop TEXT, article INTEGER, stock INTEGER)")
made.execute("BEGIN")
for shop in PLAN["shops"]:
    made.executemany(f"INSERT INTO {TABLE} VALUES (?, ?, ?)", ((shop, i, i * 7 % 90) for i in range(600)))
# The largest shop still has a table of the old system, which nobody has given an index.
made.executemany("INSERT INTO old VALUES (?, ?, ?)", ((PLAN["slow"], i, i * 7 % 90) for i in range(PLAN["rows"])))
made.execute(f"CREATE INDEX by_article ON {TABLE} (shop, article)")
if not is_on("shop"):
    made.execute("CREATE INDEX by_old ON old (article, shop)")
made.execute("COMMIT")


def database():
    if not hasattr(LOCAL, "database"):
        LOCAL.database = sqlite3.connect(FILE, timeout=30, isolation_level=None)
    return LOCAL.database


class Stock(Handler):
    def do_GET(self):
        work(20, 0.4)
        self.answer({"path": self.path, "note": RANDOM.random()})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        client, one = self.headers["User-Agent"], database()
        if self.path == "/" + PLAN["imports"]:
            # Without the cause, the import reads its file before it locks the database.
            if is_on("lock"):
                one.execute("BEGIN EXCLUSIVE")
            time.sleep(PLAN["held"] / 1000)
            if not is_on("lock"):
                one.execute("BEGIN EXCLUSIVE")
            one.execute(f"UPDATE {TABLE} SET stock = stock + 1 WHERE article = ?", (body["article"],))
            one.execute("COMMIT")
            return self.answer({"imported": body["article"], "at": now()})
        work(16, 0.35)
        since = now()
        one.execute("BEGIN")
        one.execute(f"SELECT 1 FROM {TABLE} LIMIT 1").fetchone()
        if now() - since > 20 and is_on("lock"):
            added("lock", since, client=client)
        since = now()
        table = "old" if body["shop"] == PLAN["slow"] else TABLE
        found = [
            one.execute(f"SELECT stock FROM {table} WHERE article = ? AND shop = ?", (article, body["shop"])).fetchone()
            for article in body["articles"]
        ]
        one.execute("COMMIT")
        if table == "old" and is_on("shop"):
            added("shop", since, client=client)
        self.answer({"found": found, "at": now()})


serve("stock", Stock)
