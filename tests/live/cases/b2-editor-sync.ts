import { liveCase, pause } from "../contract.ts";

export const live = liveCase({
  story: "An editor asks for completions, sends bursts of telemetry, and syncs with growing pauses; nothing is wrong.",
  draw: (draw) => {
    const [events = "", completions = "", sync = "", files = "", since = ""] = draw.words(5);
    return {
      events,
      completions,
      sync,
      files,
      since,
      usual: draw.real(8, 18),
      completes: draw.real(60, 120),
      syncs: draw.real(25, 50),
      keys: draw.int(28, 36),
      think: draw.int(180, 320),
      first: draw.int(400, 700),
    };
  },
  causes: () => [],
  service: { python: "b2-editor-sync.py" },
  client: async ({ events, completions, sync, files, since, keys, think, first }, run) => {
    const json = { "Content-Type": "application/json" };
    const options = { userAgent: "editor/1.99 (linux)", address: "127.0.0.61" };
    const typist = run.actor("typist", options);
    const telemetry = run.actor("telemetry", options);
    const syncer = run.actor("sync", options);
    let [isOpen, revision, wait] = [true, 1, first];
    const syncing = (async () => {
      while (isOpen) {
        const tag = `"${revision}"`;
        await syncer.ask("GET", "cloud", `/${sync}?${since}=${revision}`, { headers: { "If-None-Match": tag } });
        await pause(wait * run.random.real(0.8, 1.2));
        wait = Math.min(wait * 1.7, 3_500);
      }
    })();
    const sending: Promise<unknown>[] = [];
    for (let key = 0; key < keys; key += 1) {
      const body = JSON.stringify({
        file: `src/${run.random.text(6)}.ts`,
        line: key * 3,
        before: run.random.text(120),
      });
      await typist.ask("POST", "cloud", `/${completions}`, { headers: json, body });
      await pause(run.random.real(0.5, 1.5) * think);
      if (run.random.chance(0.3)) {
        for (let event = run.random.int(3, 6); event > 0; event -= 1) {
          const sent = JSON.stringify({
            name: run.random.pick(["edit", "focus", "lint", "fold"]),
            id: run.random.text(16),
          });
          sending.push(telemetry.ask("POST", "cloud", `/${events}`, { headers: json, body: sent }));
        }
      }
      if (run.random.chance(0.12)) {
        const saved = JSON.stringify({ revision: revision + 1, text: run.random.text(run.random.int(400, 1_200)) });
        await typist.ask("PUT", "cloud", `/${files}/${run.random.text(8)}`, { headers: json, body: saved });
        [revision, wait] = [revision + 1, first];
      }
      if (run.random.chance(0.08)) await pause(run.random.real(600, 1_200));
    }
    isOpen = false;
    await Promise.all([...sending, syncing]);
  },
});
