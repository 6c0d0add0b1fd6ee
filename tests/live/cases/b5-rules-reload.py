import threading, time
from live import Handler, PLAN, RANDOM, added, is_on, now, serve, work


class ReadWriteLock:
    """Many readers or one writer; a writer that waits keeps new readers out."""

    def __init__(self):
        self.condition = threading.Condition()
        self.readers, self.is_writing = 0, False

    def read(self):
        with self.condition:
            self.condition.wait_for(lambda: not self.is_writing)
            self.readers += 1

    def done(self):
        with self.condition:
            self.readers -= 1
            self.condition.notify_all()

    def write(self):
        with self.condition:
            self.is_writing = True
            self.condition.wait_for(lambda: self.readers == 0)

    def written(self):
        with self.condition:
            self.is_writing = False
            self.condition.notify_all()


LOCK = ReadWriteLock()
RULES = {"version": 0}


def reload():
    while True:
        time.sleep(PLAN["every"] * RANDOM.uniform(0.85, 1.15) / 1000)
        if is_on("reload"):
            LOCK.write()
        time.sleep(PLAN["reading"] * RANDOM.uniform(0.9, 1.1) / 1000)
        RULES["version"] += 1
        if is_on("reload"):
            LOCK.written()


class Checkout(Handler):
    def do_GET(self):
        since = now()
        LOCK.read()
        if now() - since > 2:
            added("reload", since, client=self.headers["User-Agent"])
        name = self.path.split("/")[1]
        work(PLAN["usual"] + 12 * PLAN["names"].index(name), 0.35)
        answer = {"of": self.path, "value": RANDOM.randrange(10 ** 12)}
        LOCK.done()
        self.answer(answer)


threading.Thread(target=reload, daemon=True).start()
serve("api", Checkout)
