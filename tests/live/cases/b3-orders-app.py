import json, os, sqlite3
from live import FACTS, Handler, PLAN, added, is_on, now, serve, work

FILE = os.path.join(FACTS["folder"], "data.db")
KNOWN = set()
NEWEST_FIRST = "SELECT o.id, c.name, o.note FROM orders o JOIN customers c ON c.id = o.customer WHERE o.state != 'draft' "
with sqlite3.connect(FILE) as base:
    base.execute("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT)")
    base.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY, placed INTEGER, customer INTEGER, state TEXT, note TEXT)")
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
    base.execute("INSERT INTO customers " + numbers + "SELECT i, 'name ' || i FROM n", (2000,))
    base.execute("INSERT INTO orders " + numbers + "SELECT i, i, 1 + abs(random()) % 2000, 'open', hex(randomblob(12)) FROM n", (PLAN["rows"],))
    base.execute("CREATE INDEX by_placed ON orders (placed)")


class Orders(Handler):
    def allowed(self):
        return {"Access_Control_Allow_Origin": self.headers["Origin"], "Vary": "Origin"}

    def do_OPTIONS(self):
        since = now()
        work(PLAN["middleware"], 0.2)
        self.answer(b"", 204, **self.allowed(), Access_Control_Allow_Methods="GET, POST", Access_Control_Allow_Headers="authorization, content-type",
                    Access_Control_Max_Age="0" if is_on("preflight") else "7200")
        client = self.headers["User-Agent"]
        if is_on("preflight") and client in KNOWN:
            added("preflight", since, client=client)
        KNOWN.add(client)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        work(PLAN["usual"])
        offset, limit = asked[PLAN["offset"]], 25
        with sqlite3.connect(FILE) as base:
            since = now()
            if is_on("offset"):
                found = base.execute(NEWEST_FIRST + "ORDER BY o.placed DESC LIMIT ? OFFSET ?", (limit, offset)).fetchall()
                if offset > 0:
                    added("offset", since, client=self.headers["User-Agent"])
            else:
                found = base.execute(NEWEST_FIRST + "AND o.placed <= ? ORDER BY o.placed DESC LIMIT ?", (PLAN["rows"] - offset, limit)).fetchall()
        self.answer({"rows": found}, **self.allowed())


serve("api", Orders)
