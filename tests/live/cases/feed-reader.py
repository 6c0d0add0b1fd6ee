import threading
from live import Handler, PLAN, RANDOM, serve, work

VERSIONS = {}
LOCK = threading.Lock()


class Feeds(Handler):
    def do_GET(self):
        work(PLAN["usual"], 0.4)
        with LOCK:
            # A new entry has been written since, or not.
            if self.path not in VERSIONS or RANDOM.random() < PLAN["news"]:
                VERSIONS[self.path] = VERSIONS.get(self.path, 0) + 1
            version = VERSIONS[self.path]
        tag = f'"{version}"'
        if self.headers.get("If-None-Match") == tag:
            return self.answer(status=304, ETag=tag)
        entries = "".join(f"<item><title>{self.path} {entry}</title></item>" for entry in range(version, version + 9))
        self.answer(f"<rss><channel>{entries}</channel></rss>".encode(), Content_Type="application/rss+xml", ETag=tag)


serve("feeds", Feeds)
