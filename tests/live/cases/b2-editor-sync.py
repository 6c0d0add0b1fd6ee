import json, time
from live import Handler, PLAN, RANDOM, serve, work


class Cloud(Handler):
    def do_GET(self):
        work(PLAN["syncs"], 0.35)
        tag = self.headers.get("If-None-Match")
        self.send_response(304)
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "no-cache")
        self.end_headers()

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == f"/{PLAN['completions']}":
            work(PLAN["completes"], 0.35)
            self.answer({"items": [f"{RANDOM.getrandbits(60):x}" for _ in range(6)], "at": time.time()})
        else:
            work(PLAN["usual"], 0.35)
            self.answer({"ok": f"{RANDOM.getrandbits(40):x}"})

    def do_PUT(self):
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        work(PLAN["syncs"], 0.35)
        self.answer({"revision": sent["revision"], "at": time.time()})


serve("cloud", Cloud)
