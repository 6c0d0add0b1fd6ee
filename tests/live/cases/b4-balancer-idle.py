import time
from live import PLAN, RANDOM
from b4_asking import Asker

till = Asker("till", "till/7.3")
for number, pause in enumerate(PLAN["pauses"]):
    time.sleep(pause / 1000)
    chance = RANDOM.random()
    if chance < 0.6:
        till.ask("POST", "api", f"/{PLAN['sales']}", {"sum": RANDOM.randint(100, 9000), "number": number})
    elif chance < 0.85:
        till.ask("GET", "api", f"/{PLAN['stock']}/{RANDOM.randint(1000, 90000)}")
    else:
        till.ask("POST", "api", f"/{PLAN['shifts']}", {"open": True, "number": number})
