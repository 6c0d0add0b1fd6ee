import { type Answer, liveCase, pause } from "../contract.ts";
import { bodyOf, sendJson } from "../http.ts";

export const live = liveCase({
  story: "An app sends all its operations to one GraphQL endpoint; each operation takes its own, steady time.",
  draw: (draw) => {
    const names = draw.words(6).map((word) => word[0]?.toUpperCase() + word.slice(1));
    return { names, medians: names.map(() => draw.lognormal(35, 0.5)), screens: draw.int(12, 18) };
  },
  causes: () => [],
  service: async ({ names, medians }, run) => {
    await run.serve("graph", async (request, response) => {
      const { operationName, variables } = JSON.parse((await bodyOf(request)).toString());
      await run.work(medians[names.indexOf(operationName)] ?? 10, 0.35);
      const id = `${operationName}-${run.random.text(12)}`;
      sendJson(response, { data: { [operationName]: { id, of: variables.id ?? null, text: run.random.text(120) } } });
    });
  },
  client: async ({ names, screens }, run) => {
    const app = run.actor("app", { userAgent: "app/12.1" });
    const ask = (name: string, variables: object, needs: readonly Answer[]): Promise<Answer> =>
      app.ask("POST", "graph", "/graphql", {
        body: JSON.stringify({
          operationName: name,
          query: `query ${name}($id: ID) { ${name}(id: $id) { id of text } }`,
          variables,
        }),
        headers: { "Content-Type": "application/json" },
        needs,
      });
    const [overview = "", ...parts] = names;
    for (let screen = 0; screen < screens; screen += 1) {
      // A person opens a screen: an overview, then its parts at once.
      const first = await ask(overview, { page: screen }, []);
      const { id } = first.json().data[overview];
      const shown = run.random.shuffled(parts).slice(0, run.random.int(1, 3));
      await Promise.all(shown.map((name) => ask(name, { id }, [first])));
      await pause(run.random.lognormal(450, 0.4));
    }
  },
});
