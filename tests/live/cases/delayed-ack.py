import array, fcntl, time
from live import Handler, PLAN, RANDOM, added, is_on, now, serve, work

# Linux: bytes of a TCP socket that are not sent yet (sockios.h).
SIOCOUTQNSD = 0x894B


class Prices(Handler):
    # As http.server does by itself: the head and the body in two small writes, with Nagle's algorithm.
    wbufsize = 0 if is_on("apart") else -1
    disable_nagle_algorithm = not is_on("apart")

    def do_GET(self):
        _, first, name = self.path.split("/")
        # The next price's name, as a cursor.
        body = {first: name, "price": RANDOM.randint(1, 9999), "next": f"p{RANDOM.randrange(16**8):08x}", "at": now()}
        if first != PLAN["path"]:
            work(22, 0.4)
            return self.answer(body)
        work(PLAN["usual"], 0.3)
        self.answer(body)
        since = now()
        while is_on("apart") and self.unsent() > 0:
            time.sleep(0.001)
        if now() - since > 5:
            added("apart", since, client=self.headers["User-Agent"])

    def unsent(self):
        size = array.array("i", [0])
        fcntl.ioctl(self.connection.fileno(), SIOCOUTQNSD, size)
        return size[0]


serve("prices", Prices)
