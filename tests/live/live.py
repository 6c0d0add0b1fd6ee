"""For parts in Python: the facts, and what a part must print and log (contract.ts, Facts, Added, Asked)."""
import json, os, random, ssl, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FACTS = json.loads(os.environ["LIVE"])
PLAN = FACTS["plan"]
RANDOM = random.Random(FACTS["seed"])
now = lambda: time.time() * 1000


def is_on(cause):
    return cause not in FACTS["without"]


def write(**line):
    with open(FACTS["log"], "a") as log:
        log.write(json.dumps(line) + "\n")


def added(cause, since, until=None, client=""):
    """Waiting that a cause added, epoch ms; `until` is now."""
    write(cause=cause, **{"from": since}, to=now() if until is None else until, client=client)


def work(median, sigma=0.3):
    """Ordinary, log-normal work, ms."""
    time.sleep(RANDOM.lognormvariate(0, sigma) * median / 1000)


def secured(server):
    """Puts TLS before a socketserver's server, if the session has it."""
    if FACTS["scheme"] == "https":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(FACTS["folder"] + "/cert.pem", FACTS["folder"] + "/key.pem")
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    return server


def ready(**ports):
    print(json.dumps({"ports": ports}), flush=True)


class Handler(BaseHTTPRequestHandler):
    """Keeps connections, and sends head and body together, so that no acknowledgement is waited for."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def log_message(self, *words):
        pass

    def answer(self, body=b"", status=200, **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content_Type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(b"" if status == 304 else body)


def serve(host, handler):
    """Serves one host for good, with a thread for each connection."""
    server = secured(ThreadingHTTPServer(("127.0.0.1", 0), handler))
    ready(**{host: server.server_address[1]})
    server.serve_forever()
