import json, random, threading, time
from b2_asking import FACTS, PLAN, Actor

AGENT = "player/3.8 (tv)"
DRAW = random.Random(FACTS["seed"])
ENDED = threading.Event()


def beacons():
    draw = random.Random(FACTS["seed"] + 1)
    actor = Actor("beacon", AGENT, "127.0.0.51")
    count = 0
    while not ENDED.wait(draw.uniform(0.9, 1.9)):
        count += 1
        body = json.dumps({"count": count, "buffer": round(draw.uniform(1, 4), 2), "dropped": draw.randint(0, 3)})
        actor.ask("POST", "media", f"/{PLAN['beacons']}", {"Content-Type": "application/json"}, body.encode())


beacon = threading.Thread(target=beacons)
beacon.start()
player = Actor("player", AGENT, "127.0.0.51")
film = f"/{PLAN['films']}/{PLAN['film']}"
index = player.ask("GET", "media", f"{film}/index.json")
player.ask("GET", "media", f"/{PLAN['captions']}/{PLAN['film']}/en.vtt")
started = time.time()
for at, part in enumerate(index.json()[PLAN["field"]]):
    # The next segment is asked for when the buffer has room: so many are fetched ahead of the picture.
    due = started + (at - PLAN["ahead"]) * PLAN["plays"] / 1000 + DRAW.uniform(-0.05, 0.05)
    time.sleep(max(0, due - time.time()))
    player.ask("GET", "media", f"{film}/main.mp4", {"Range": f"bytes={part}"}, needs=[index])
ENDED.set()
beacon.join()
