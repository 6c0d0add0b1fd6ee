"""A client on http.client for the cases beside it: one connection per host and actor, each request logged."""
import http.client, itertools, json, os, ssl, threading, time
from urllib.parse import urlsplit

FACTS = json.loads(os.environ["LIVE"])
PLAN = FACTS["plan"]
COUNT = itertools.count(1)
LOCK = threading.Lock()
PROXY = urlsplit(FACTS["proxy"])
TLS = ssl.create_default_context(cafile=FACTS["ca"]) if FACTS["scheme"] == "https" else None


def is_on(cause):
    return cause not in FACTS["without"]


class Answer:
    def __init__(self, n, status, headers, body):
        self.n, self.status, self.headers, self.body = n, status, headers, body

    def json(self):
        return json.loads(self.body)


class Actor:
    def __init__(self, name, agent, address="127.0.0.1"):
        self.name, self.agent, self.address, self.open = name, agent, address, {}

    def connection(self, host):
        if host not in self.open:
            options = {"source_address": (self.address, 0), "timeout": 20}
            if TLS is None:
                self.open[host] = http.client.HTTPConnection(PROXY.hostname, PROXY.port, **options)
            else:
                self.open[host] = http.client.HTTPSConnection(PROXY.hostname, PROXY.port, context=TLS, **options)
                self.open[host].set_tunnel(f"{host}.{FACTS['domain']}", FACTS["ports"][host])
        return self.open[host]

    def ask(self, method, host, path, headers=None, body=None, needs=()):
        url = f"{FACTS['scheme']}://{host}.{FACTS['domain']}:{FACTS['ports'][host]}{path}"
        sent = {"User-Agent": self.agent, **(headers or {})}
        since = time.time() * 1000
        try:
            answer, data = self.send(method, host, url, path, sent, body)
        except (http.client.RemoteDisconnected, ConnectionError):
            self.open.pop(host).close()
            answer, data = self.send(method, host, url, path, sent, body)
        until = time.time() * 1000
        line = {
            "n": next(COUNT), "method": method, "url": url, "from": since, "to": until, "actor": self.name,
            "client": f"{self.address} {self.agent}", "needs": [need.n for need in needs],
        }
        with LOCK, open(FACTS["log"], "a") as log:
            log.write(json.dumps(line) + "\n")
        return Answer(line["n"], answer.status, answer.headers, data)

    def send(self, method, host, url, path, headers, body):
        connection = self.connection(host)
        connection.request(method, url if TLS is None else path, body=body, headers=headers)
        answer = connection.getresponse()
        return answer, answer.read()
