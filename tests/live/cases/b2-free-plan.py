import random, threading, time
from b2_asking import FACTS, PLAN, Actor


def user(name, plan, address, agent, seed):
    draw = random.Random(seed)
    actor = Actor(name, agent, address)
    headers = {PLAN["header"]: plan, "Accept": "*/*"}
    for turn in range(PLAN["rounds"]):
        if draw.random() < 0.6:
            actor.ask("GET", "data", f"/{PLAN['tables']}/{draw.randint(1, 9999)}", headers)
        time.sleep(draw.uniform(0.04, 0.2))
        size = draw.randint(PLAN["least"], PLAN["most"])
        actor.ask("GET", "data", f"/{PLAN['exports']}/{draw.randint(10000, 99999)}?bytes={size}", headers)
        if draw.random() < 0.3:
            actor.ask("GET", "data", f"/{PLAN['usage']}?turn={turn}", headers)
        time.sleep(draw.uniform(0.08, 0.3))


users = [
    ("free", PLAN["free"], "127.0.0.41", "python-exporter/2.3", FACTS["seed"] + 1),
    ("paid", PLAN["paid"], "127.0.0.42", "python-exporter/2.4", FACTS["seed"] + 2),
]
threads = [threading.Thread(target=user, args=each) for each in users]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
