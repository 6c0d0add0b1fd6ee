import json, os, random, re, sqlite3, time
from urllib.parse import parse_qs, urlsplit
from live import FACTS, Handler, PLAN, serve, work

FILE = os.path.join(FACTS["folder"], "notes.db")
OWNERS = 900
RANDOM = random.Random(FACTS["seed"])
with sqlite3.connect(FILE) as base:
    base.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, owner INTEGER, note TEXT)")
    base.executemany(
        "INSERT INTO notes (owner, note) VALUES (?, ?)",
        ((at % OWNERS, f"{RANDOM.getrandbits(256):064x} of {at}") for at in range(PLAN["rows"])),
    )
    base.execute("CREATE INDEX owners ON notes (owner)")


class Notes(Handler):
    def do_GET(self):
        target = urlsplit(self.path)
        asked = parse_qs(target.query)
        cookie = self.headers.get("Cookie", "")
        user = int(re.search(r"sid=u(\d+)", cookie).group(1))
        work(PLAN["usual"], 0.35)
        if target.path == f"/{PLAN['list']}":
            with sqlite3.connect(FILE) as rows:
                self.answer({"rows": self.listed(rows, user, int(asked["page"][0]), asked, cookie)})
        elif target.path.startswith(f"/{PLAN['list']}/"):
            with sqlite3.connect(FILE) as rows:
                found = rows.execute("SELECT * FROM notes WHERE id = ?", (target.path.split("/")[2],)).fetchone()
            self.answer({"id": found[0], PLAN["column"]: found[2], "seen": time.time()})
        else:
            self.answer({"user": f"u{user}", "at": time.time()})

    def listed(self, rows, user, page, asked, cookie):
        flag = PLAN["flag"]
        has_feature = f"{flag}=1" in cookie or self.headers.get(f"X-{flag}") == "1" or flag in asked
        own = "SELECT id, note FROM notes WHERE owner = ? ORDER BY id LIMIT 12 OFFSET ?"
        if has_feature and "scan" not in FACTS["without"]:
            since = time.time() * 1000
            rows.execute("SELECT count(*) FROM notes WHERE note LIKE ?", (f"%{user}f{page % 10}e{page}%",)).fetchone()
            line = {"cause": "scan", "from": since, "to": time.time() * 1000, "client": f"u{user}"}
            with open(FACTS["log"], "a") as log:
                log.write(json.dumps(line) + "\n")
        found = rows.execute(own, (user, page * 12)).fetchall()
        return [{"id": id, PLAN["column"]: note} for id, note in found]


serve("app", Notes)
