import os, sqlite3
from urllib.parse import parse_qs, urlsplit
from live import FACTS, Handler, PLAN, RANDOM, added, is_on, now, serve, work

FILE = os.path.join(FACTS["folder"], "stock.db")
COLUMNS = PLAN["columns"]
with sqlite3.connect(FILE) as base:
    base.execute("PRAGMA synchronous = OFF")
    base.execute(f"CREATE TABLE stock (id INTEGER PRIMARY KEY, {', '.join(f'{name} TEXT' for name in COLUMNS)})")
    base.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) INSERT INTO stock "
                 "SELECT i, " + ", ".join("hex(randomblob(7))" for _ in COLUMNS) + " FROM n", (PLAN["rows"],))
    for name in COLUMNS[1:] if is_on("sort") else COLUMNS:
        base.execute(f"CREATE INDEX by_{name} ON stock ({name} COLLATE NOCASE)")


class Stock(Handler):
    def do_GET(self):
        url = urlsplit(self.path)
        name = url.path.split("/")[1]
        asked = {key: values[0] for key, values in parse_qs(url.query).items()}
        if name in PLAN["panels"]:
            work(PLAN["panel"], 0.25)
            return self.answer({"panel": name, "value": RANDOM.random(), "of": RANDOM.randrange(10 ** 9)})
        if name == PLAN["sites"]:
            work(PLAN["usual"])
            return self.answer({"key": "%016x" % RANDOM.getrandbits(64)})
        work(PLAN["usual"])
        column = asked[PLAN["sort"]]
        assert column in COLUMNS
        base = sqlite3.connect(FILE)
        since = now()
        rows = base.execute(f"SELECT * FROM stock ORDER BY {column} COLLATE NOCASE LIMIT 25 OFFSET ?", (25 * int(asked["page"]) - 25,)).fetchall()
        if column == COLUMNS[0] and is_on("sort"):
            added("sort", since, client=self.headers["User-Agent"])
        base.close()
        self.answer({"rows": rows})


serve("api", Stock)
