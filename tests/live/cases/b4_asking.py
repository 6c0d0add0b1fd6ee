"""Requests of a client in Python through Weir, logged as contract.ts (Asked) says; there is none without Weir."""
import http.client, itertools, json, ssl, threading
from urllib.parse import urlsplit
from live import FACTS, now, write

NUMBERS = itertools.count(1)
LOCK = threading.Lock()
PROXY = urlsplit(FACTS["proxy"])


class Answer:
    def __init__(self, n, response, body):
        self.n, self.status, self.headers, self.body = n, response.status, response.headers, body

    def json(self):
        return json.loads(self.body)


class Asker:
    """One independent user or worker, in any number of threads; its connections are kept and used again."""

    def __init__(self, actor, agent, address="127.0.0.1"):
        self.actor, self.agent, self.address, self.idle = actor, agent, address, {}

    def opened(self, name):
        with LOCK:
            idle = self.idle.setdefault(name, [])
            if idle:
                return idle.pop()
        source = (self.address, 0)
        if FACTS["scheme"] == "http":
            return http.client.HTTPConnection(PROXY.hostname, PROXY.port, source_address=source)
        context = ssl.create_default_context(cafile=FACTS["ca"])
        connection = http.client.HTTPSConnection(PROXY.hostname, PROXY.port, context=context, source_address=source)
        connection.set_tunnel(name, 443)
        return connection

    def ask(self, method, host, path, body=None, needs=(), **headers):
        """Sends one request; `body`: bytes, or what becomes JSON."""
        with LOCK:
            n = next(NUMBERS)
        name = f"{host}.{FACTS['domain']}"
        url = f"{FACTS['scheme']}://{name}{path}"
        sent = {"Host": name, "User-Agent": self.agent, "Accept-Encoding": "gzip"}
        sent |= {key.replace("_", "-"): value for key, value in headers.items()}
        if body is not None and not isinstance(body, bytes):
            body, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
        since = now()
        connection = self.opened(name)
        target = path if FACTS["scheme"] == "https" else url
        try:
            connection.request(method, target, body, sent)
            response = connection.getresponse()
        except (http.client.RemoteDisconnected, ConnectionError):
            # A kept connection may have been closed from the other side.
            connection.close()
            connection.request(method, target, body, sent)
            response = connection.getresponse()
        answer = Answer(n, response, response.read())
        with LOCK:
            self.idle[name].append(connection)
            write(
                n=n, method=method, url=url, **{"from": since}, to=now(), actor=self.actor,
                client=f"{self.address} {self.agent}", needs=[needed.n for needed in needs],
            )
        return answer


def together(*works):
    """Runs these at the same time; ends when all have."""
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
