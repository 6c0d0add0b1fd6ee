"""For parts in Python: the facts, and what a part must print and log (contract.ts, Facts, Added, Asked)."""
import json, os, random, ssl, time

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
