import random, threading, time
from live import FACTS, PLAN, now
from b4_asking import Asker, together

SHOP = Asker("shop", "shop-payments/2.8")
LOCK = threading.Lock()
kept = {"answer": None, "until": 0}


def signed():
    """The token's answer; asked for anew only when the last one ends."""
    with LOCK:
        if now() > kept["until"]:
            since = now()
            kept["answer"] = SHOP.ask("POST", "api", "/oauth/token", {"client": "shop", "scope": "pay"})
            kept["until"] = since + kept["answer"].json()["expires_in"] * 1000 - 900
        return kept["answer"]


def pay(seed):
    draw = random.Random(seed)
    region, channel = draw.choice(PLAN["regions"]), draw.choice(PLAN["channels"])
    cents, currency = draw.randint(300, 60000), draw.choice(["EUR", "SEK", "PLN", "CHF"])
    token = signed()

    def post(path, body, *needs):
        return SHOP.ask(
            "POST", "api", path, body, [token, *needs], Authorization=f"Bearer {token.json()['access_token']}",
            X_Region=region, X_Channel=channel, Idempotency_Key=f"{draw.getrandbits(96):024x}",
        )

    time.sleep(draw.uniform(0, 0.12))
    quote = post(f"/{PLAN['quotes']}", {"cents": cents, "currency": currency})
    order = {"quote": quote.json()["quote"], "cents": cents, "method": draw.choice(["card", "debit", "wallet"])}
    paid = post(f"/{PLAN['payments']}", order, quote)
    if paid.status == 502:
        time.sleep(draw.uniform(0.01, 0.03))
        paid = post(f"/{PLAN['payments']}", order, quote)
    if paid.status == 201:
        post(f"/{PLAN['payments']}/{paid.json()['payment']}/capture", {"cents": cents}, paid)


def settle():
    time.sleep(3)
    token = signed()
    authorization = f"Bearer {token.json()['access_token']}"
    SHOP.ask("GET", "api", "/settled.csv", needs=[token], Authorization=authorization)


def clumps():
    running = []
    for number, clump in enumerate(PLAN["clumps"]):
        for index in range(clump["size"]):
            running.append(threading.Thread(target=pay, args=(f"{FACTS['seed']} {number} {index}",)))
            running[-1].start()
        time.sleep(clump["pause"] / 1000)
    for thread in running:
        thread.join()


together(clumps, settle)
