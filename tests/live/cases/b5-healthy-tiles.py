import hashlib, os, random, sqlite3
from live import FACTS, Handler, PLAN, RANDOM, serve, work

FILE = os.path.join(FACTS["folder"], "map.mbtiles")
with sqlite3.connect(FILE) as base:
    base.execute("CREATE TABLE tiles (zoom INTEGER, x INTEGER, y INTEGER, tile BLOB, PRIMARY KEY (zoom, x, y))")


def tile_of(zoom, x, y):
    """A tile is drawn at its first use, as the file has only what was asked for."""
    base = sqlite3.connect(FILE, timeout=10)
    found = base.execute("SELECT tile FROM tiles WHERE zoom = ? AND x = ? AND y = ?", (zoom, x, y)).fetchone()
    base.close()
    if found is not None:
        return found[0]
    drawn = random.Random(zoom * 10 ** 8 + x * 10 ** 4 + y)
    return b"\x89PNG\r\n\x1a\n" + drawn.randbytes(int(PLAN["bytes"] * drawn.uniform(0.5, 1.5)))


class Tiles(Handler):
    def do_GET(self):
        if self.path.startswith("/" + PLAN["places"]):
            work(PLAN["searched"], 0.35)
            return self.answer({"places": [{"x": RANDOM.randrange(999), "y": RANDOM.randrange(999)} for _ in range(3)]}, Cache_Control="no-store")
        _, _, zoom, x, y = self.path.split("/")
        work(PLAN["read"], 0.45)
        tile = tile_of(int(zoom), int(x), int(y.removesuffix(".png")))
        tag = '"%s"' % hashlib.sha1(tile).hexdigest()[:16]
        if self.headers["If-None-Match"] == tag:
            return self.answer(b"", 304, ETag=tag)
        self.answer(tile, Content_Type="image/png", ETag=tag, Cache_Control="no-cache")


serve("tiles", Tiles)
