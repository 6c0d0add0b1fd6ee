import { type Answer, liveCase, pause } from "../contract.ts";
import { bodyOf, segmentsOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "A test run signs in once and then calls 40 endpoints, each test on data that it creates itself.",
  draw: (draw) => ({ resources: draw.words(13), setup: draw.int(15, 40), usual: draw.real(8, 25) }),
  causes: () => [],
  service: async ({ usual }, run) => {
    const stored = new Map<string, unknown>();
    let last = 4_000;
    await run.serve("api", async (request, response) => {
      const [resource = "", id] = segmentsOf(request);
      const body = await bodyOf(request);
      await run.work(usual, 0.5);
      if (resource === "sessions") return sendJson(response, { token: run.random.text(24) });
      const key = `${resource}/${id}`;
      if (request.method === "POST") {
        last += 17;
        if (body.length < 20) return response.writeHead(422).end();
        stored.set(`${resource}/${last}`, JSON.parse(body.toString()));
        return sendJson(response, { id: last, resource });
      }
      if (!stored.has(key)) return response.writeHead(404).end();
      if (request.method === "DELETE") {
        stored.delete(key);
        return response.writeHead(204).end();
      }
      return sendJson(response, { id, ...(stored.get(key) as object) });
    });
  },
  client: async ({ resources, setup }, run) => {
    const runner = run.actor("runner", { userAgent: "test-runner/3", sockets: 2 });
    const signed = await runner.ask("POST", "api", "/sessions", {
      body: JSON.stringify({ user: "ci", secret: "not so" }),
    });
    const headers = { Authorization: `Bearer ${signed.json().token}`, "Content-Type": "application/json" };
    const ask = (method: string, path: string, needs: readonly Answer[], body?: object): Promise<Answer> =>
      runner.ask(method, "api", path, {
        headers,
        needs: [signed, ...needs],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    for (const resource of resources) {
      // The runner starts the next test file.
      await pause(run.random.real(0.7, 2) * setup);
      const made = await ask("POST", `/${resource}`, [], { name: run.random.text(12), note: "made by a test" });
      const path = `/${resource}/${made.json().id}`;
      await ask("GET", path, [made]);
      if (run.random.chance(0.5)) await ask("POST", `/${resource}`, [], { name: "" });
      const removed = await ask("DELETE", path, [made]);
      if (run.random.chance(0.5)) await ask("GET", path, [made, removed]);
    }
  },
});
