import fcntl, json, os, threading, time
from live import FACTS, Handler, PLAN, serve, work

LOCK = os.path.join(FACTS["folder"], "index.lock")
COUNT = threading.Lock()
NUMBER = [0]


def number():
    with COUNT:
        NUMBER[0] += 1
        return NUMBER[0]


class Store(Handler):
    def do_GET(self):
        work(PLAN["usual"], 0.4)
        self.answer({"id": self.path.split("/")[-1], "seen": time.time()})

    def do_POST(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        mine = number()
        work(PLAN["usual"], 0.2)
        # Without the cause each picture has an index of its own.
        file = LOCK if "lock" not in FACTS["without"] else f"{LOCK}.{mine}"
        with open(file, "a") as lock:
            since = time.time() * 1000
            fcntl.flock(lock, fcntl.LOCK_EX)
            line = {"cause": "lock", "from": since, "to": time.time() * 1000, "client": "writer"}
            work(PLAN["held"], 0.1)
            index = f"{file}.index.{mine}"
            with open(index, "w") as written:
                written.write(json.dumps({"id": mine, "name": sent[PLAN["field"]]}))
                written.flush()
                os.fsync(written.fileno())
            os.replace(index, f"{file}.index")
            fcntl.flock(lock, fcntl.LOCK_UN)
        if "lock" not in FACTS["without"]:
            with COUNT, open(FACTS["log"], "a") as log:
                log.write(json.dumps(line) + "\n")
        self.answer({"id": mine, PLAN["field"]: sent[PLAN["field"]]})


serve("store", Store)
