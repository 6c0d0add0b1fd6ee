import json, os, random, sqlite3, threading, time
from live import FACTS, Handler, PLAN, RANDOM, now, serve

FILE = os.path.join(FACTS["folder"], "payments.db")
LOCAL = threading.local()
LOCK = threading.Lock()
ENDS = {}
COUNTS = {"payment": 0, "failed": 0}
QUOTE, PAYMENT, CAPTURE = PLAN["usual"]

made = sqlite3.connect(FILE, isolation_level=None)
made.executescript(
    f"""PRAGMA journal_mode = WAL;
    CREATE TABLE payments (id TEXT PRIMARY KEY, cents INTEGER, captured INTEGER DEFAULT 0);
    CREATE TABLE settled (id INTEGER PRIMARY KEY, cents INTEGER, memo TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAN["settled"]})
    INSERT INTO settled SELECT i, random() % 90000, hex(randomblob(8)) FROM n;"""
)


def database():
    if not hasattr(LOCAL, "database"):
        LOCAL.database = sqlite3.connect(FILE, isolation_level=None, timeout=20)
        LOCAL.database.execute("PRAGMA synchronous = OFF")
    return LOCAL.database


def take(median):
    """The ordinary time of other banks, which varies much but never beyond a third of a second."""
    with LOCK:
        drawn = RANDOM.lognormvariate(0, PLAN["spread"]) * median
    time.sleep(min(drawn, 330) / 1000)


def token():
    with LOCK:
        made = f"{RANDOM.getrandbits(120):030x}"
        ENDS[made] = now() + PLAN["valid"]
    return made


class Payments(Handler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])) or b"{}")
        kinds = self.path.split("/")[1:]
        if kinds[0] == "oauth":
            take(CAPTURE)
            answer = {"access_token": token(), "expires_in": round(PLAN["valid"] / 1000, 1)}
            return self.answer(answer, Cache_Control="no-store")
        if ENDS.get(self.headers["Authorization"].split()[1], 0) < now():
            return self.answer({"error": "token"}, 401)
        if kinds[0] == PLAN["quotes"]:
            take(QUOTE)
            rate = round(random.uniform(0.8, 1.3), 4)
            return self.answer({"quote": f"q_{random.getrandbits(64):016x}", "rate": rate})
        if len(kinds) == 3:
            take(CAPTURE)
            database().execute("UPDATE payments SET captured = 1 WHERE id = ?", (kinds[1],))
            return self.answer({"captured": kinds[1], "at": now()})
        return self.pay(body)

    def pay(self, body):
        with LOCK:
            COUNTS["payment"] += 1
            number = COUNTS["payment"]
        if number == PLAN["failing"]:
            return self.answer({"error": "gateway"}, 502)
        take(PAYMENT)
        if number == PLAN["refused"]:
            return self.answer({"error": "declined"}, 402)
        made = f"p_{random.getrandbits(64):016x}"
        database().execute("INSERT INTO payments (id, cents) VALUES (?, ?)", (made, body["cents"]))
        self.answer({"payment": made, "at": now()}, 201)

    def do_GET(self):
        rows = database().execute("SELECT id, cents, memo FROM settled").fetchall()
        lines = "\n".join(",".join(map(str, row)) for row in rows).encode()
        self.answer(lines, Content_Type="text/csv", Content_Disposition='attachment; filename="settled.csv"')


serve("api", Payments)
