import json, os, sqlite3, threading, time
from live import FACTS, Handler, PLAN, RANDOM, added, is_on, now, serve, work

FILE = os.path.join(FACTS["folder"], "ledger.db")
OWN = threading.Lock()
REFUSED = {}


def opened():
    base = sqlite3.connect(FILE, timeout=0, isolation_level=None)
    base.execute("PRAGMA synchronous = OFF")
    return base


def imports():
    base = sqlite3.connect(FILE, timeout=20, isolation_level=None)
    base.execute("PRAGMA synchronous = OFF")

    def source():
        for _ in range(30):
            time.sleep(PLAN["held"] / 30 / 1000)
            yield (RANDOM.randrange(10 ** 9),)

    while True:
        time.sleep(PLAN["every"] * RANDOM.uniform(0.7, 1.3) / 1000)
        rows = source() if is_on("busy") else list(source())
        base.execute("BEGIN IMMEDIATE")
        for row in rows:
            base.execute("INSERT INTO rates VALUES (?)", row)
        base.execute("COMMIT")


class Ledger(Handler):
    def do_GET(self):
        name = self.path.split("/")[1]
        work(16 + 12 * PLAN["others"].index(name), 0.4)
        self.answer({name: self.path, "note": "%x" % RANDOM.getrandbits(400)})

    def do_POST(self):
        since = now()
        posting = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        work(PLAN["usual"])
        base = opened()
        try:
            with OWN:
                base.execute("INSERT INTO postings VALUES (?, ?)", (posting["ref"], posting["amount"]))
        except sqlite3.OperationalError as error:
            REFUSED.setdefault(posting["ref"], since)
            return self.answer({"error": str(error)}, 503)
        finally:
            base.close()
        if posting["ref"] in REFUSED:
            added("busy", REFUSED.pop(posting["ref"]), since, self.headers["User-Agent"])
        self.answer({"posted": posting["ref"]}, 201)


with sqlite3.connect(FILE) as first:
    first.execute("PRAGMA journal_mode = WAL")
    first.execute("CREATE TABLE postings (ref TEXT, amount INTEGER)")
    first.execute("CREATE TABLE rates (value INTEGER)")
threading.Thread(target=imports, daemon=True).start()
serve("api", Ledger)
