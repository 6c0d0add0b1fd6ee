import base64, os, sqlite3
from urllib.parse import parse_qs, urlsplit
from live import FACTS, Handler, PLAN, RANDOM, serve, work

FILE = os.path.join(FACTS["folder"], "data.db")
with sqlite3.connect(FILE) as base:
    base.execute("CREATE TABLE data (id INTEGER PRIMARY KEY, value TEXT)")
    base.executemany("INSERT INTO data (value) VALUES (?)", [("%030x" % RANDOM.getrandbits(120),) for _ in range(PLAN["rows"])])


class Pages(Handler):
    def do_GET(self):
        asked = parse_qs(urlsplit(self.path).query)
        cursor = asked.get(PLAN["cursor"], [""])[0]
        after = int(base64.urlsafe_b64decode(cursor).decode().split(":")[1]) if cursor else 0
        work(PLAN["usual"], 0.35)
        with sqlite3.connect(FILE) as rows:
            found = rows.execute("SELECT id, value FROM data WHERE id > ? ORDER BY id LIMIT ?", (after, PLAN["page"])).fetchall()
        last = base64.urlsafe_b64encode(f"row:{found[-1][0]}:{RANDOM.getrandbits(40):x}".encode()).decode() if len(found) == PLAN["page"] else None
        self.answer({PLAN["column"]: found, "next_" + PLAN["cursor"]: last})


serve("data", Pages)
