import hashlib, os, random, sqlite3, threading, time
from http.server import ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit
from live import FACTS, Handler, PLAN, added, is_on, now, ready, secured

FILE = os.path.join(FACTS["folder"], "bank.db")
LOCAL = threading.local()
PAGE = 20

# One table for each month, the newest first; `months` knows how many entries each holds.
made = sqlite3.connect(FILE, isolation_level=None)
made.execute("PRAGMA synchronous = OFF")
made.execute("CREATE TABLE months (month INTEGER PRIMARY KEY, held INTEGER)")
for month in range(PLAN["months"]):
    made.execute(f"CREATE TABLE entries_{month} (id INTEGER PRIMARY KEY, memo TEXT, cents INTEGER)")
    made.execute(
        f"""WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {PLAN["held"]})
        INSERT INTO entries_{month} SELECT i, hex(randomblob(9)), random() % 90000 FROM n"""
    )
    made.execute(f"INSERT INTO months VALUES ({month}, {PLAN['held']})")


def take(median, sigma):
    """Ordinary work, ms, which is the same for the same request in each session."""
    time.sleep(LOCAL.draw.lognormvariate(0, sigma) * median / 1000)


def read(rows, *values):
    """Each read goes to the disk of another computer."""
    if not hasattr(LOCAL, "database"):
        LOCAL.database = sqlite3.connect(FILE)
    take(PLAN["disk"], 0.2)
    return LOCAL.database.execute(rows, values).fetchall()


def page_of(offset):
    """Without the cause, one read finds the month; with it, the entries of each month are counted on the way."""
    if is_on("offset"):
        since, month = now(), 0
        while offset >= (held := read(f"SELECT count(*) FROM entries_{month}")[0][0]):
            offset, month = offset - held, month + 1
        if month > 0:
            added("offset", since + PLAN["disk"], client=LOCAL.client)
    else:
        before = 0
        for month, held in read("SELECT month, held FROM months ORDER BY month"):
            if offset < before + held:
                break
            before += held
        offset -= before
    return read(f"SELECT id, memo, cents FROM entries_{month} LIMIT {PAGE} OFFSET ?", offset)


class Api(Handler):
    def do_GET(self):
        LOCAL.client = self.headers["User-Agent"]
        LOCAL.draw = random.Random(f"{FACTS['seed']} {self.path}")
        url = urlsplit(self.path)
        take(PLAN["usual"], 0.25)
        if url.path.endswith(PLAN["entries"]):
            rows = page_of(int(parse_qs(url.query)["offset"][0]))
            return self.answer({"rows": rows, "at": now()}, Cache_Control="no-store")
        self.answer({"path": url.path, "at": now()}, Cache_Control="no-store")


class Config(Handler):
    seen = {}

    def do_GET(self):
        since, client = now(), self.headers["User-Agent"]
        install = parse_qs(urlsplit(self.path).query)["install"][0]
        Config.seen[install] = Config.seen.get(install, 0) + 1
        LOCAL.draw = random.Random(f"{FACTS['seed']} {install} {Config.seen[install]}")
        take(PLAN["flags"], 0.2)
        variant = hashlib.sha256(f"{FACTS['seed']} {install}".encode()).hexdigest()[:20]
        # An app that has just started has to wait for its flags.
        if is_on("flags") and Config.seen[install] > 1:
            added("flags", since, client=client)
        flags = {"variant": variant, "darkMode": True, "newLimits": False}
        self.answer(flags, Cache_Control="private, max-age=600", Vary="User-Agent")


KINDS = {"api": Api, "config": Config}
SERVERS = {host: secured(ThreadingHTTPServer(("127.0.0.1", 0), kind)) for host, kind in KINDS.items()}
for server in SERVERS.values():
    threading.Thread(target=server.serve_forever).start()
ready(**{host: server.server_address[1] for host, server in SERVERS.items()})
