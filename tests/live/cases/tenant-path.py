import os, sqlite3, threading
from live import FACTS, Handler, PLAN, RANDOM, added, is_on, now, serve, work

FILE = os.path.join(FACTS["folder"], "tenants.db")
LOCAL = threading.local()

# Each tenant has tables of its own, as created when it joined; those of one have lost their index in a migration.
made = sqlite3.connect(FILE, isolation_level=None)
made.execute("PRAGMA synchronous = OFF")
made.execute("BEGIN")
for tenant in PLAN["tenants"]:
    made.execute(f"CREATE TABLE {tenant}_lines (bill INTEGER, amount REAL)")
    made.execute(
        f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAN["rows"]})
        INSERT INTO {tenant}_lines SELECT abs(random()) % 900, i FROM n"""
    )
    if tenant != PLAN["slow"] or not is_on("tenant"):
        made.execute(f"CREATE INDEX {tenant}_by_bill ON {tenant}_lines (bill)")
made.execute("COMMIT")


def sums(tenant, first):
    if not hasattr(LOCAL, "database"):
        LOCAL.database = sqlite3.connect(FILE)
    since = now()
    rows = [
        LOCAL.database.execute(f"SELECT total(amount) FROM {tenant}_lines WHERE bill = ?", (bill,)).fetchone()[0]
        for bill in range(first, first + PLAN["bills"])
    ]
    if tenant == PLAN["slow"] and is_on("tenant"):
        added("tenant", since, client=LOCAL.client)
    return rows


class Bills(Handler):
    def do_GET(self):
        LOCAL.client = self.headers["User-Agent"]
        _, first, *rest = self.path.split("/")
        if first != "t":
            work(22, 0.4)
            return self.answer({"path": self.path, "note": RANDOM.random()})
        work(16, 0.35)
        tenant, _, page = rest
        self.answer({"tenant": tenant, "sums": sums(tenant, int(page)), "at": now()})


serve("api", Bills)
