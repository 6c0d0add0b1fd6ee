import random, time
from live import FACTS, PLAN, is_on
from b4_asking import Asker, together


def phone(number, name):
    draw = random.Random(f"{FACTS['seed']} {number}")
    user = Asker(name, f"bank-app/{name}", f"127.0.0.{30 + number}")
    known = []

    def refresh():
        known.append(user.ask("GET", "config", f"/v2/flags?install={name}", Accept="application/json"))

    def screen():
        account = draw.randint(1000, 99999)
        deep = draw.random() < PLAN["deepShare"]
        offset = 20 * (draw.randint(PLAN["deepest"] // 40, PLAN["deepest"] // 20) if deep else draw.randint(0, 9))
        if draw.random() < PLAN["entriesShare"]:
            return f"/accounts/{account}/{PLAN['entries']}?offset={offset}"
        return f"/{draw.choice([PLAN['limits'], PLAN['cards']])}/{account}"

    def show(path):
        user.ask("GET", "api", path, needs=list(known), X_Variant=known[0].json()["variant"])

    time.sleep(draw.uniform(0, 0.6))
    for index in range(PLAN["screens"]):
        path = screen()
        if is_on("flags") or index == 0:
            refresh()
            show(path)
        else:
            together(lambda: show(path), refresh)
        time.sleep(min(1.9, max(0.15, draw.lognormvariate(-0.7, 0.6))))


together(*(lambda number=number, name=name: phone(number, name) for number, name in enumerate(PLAN["phones"])))
