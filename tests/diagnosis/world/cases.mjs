// A class of sessions: a name, and a function from a random generator to a HAR file with its labels.
import { background, isoDate, quiet } from "./sites.mjs";
import { World } from "./traffic.mjs";

/**
 * A class of sessions with a cause. `plan(world, rng)` adds the cause to the background traffic and returns its labels:
 * `truth`, findings that must be reported, and `allowed`, true side effects that may be reported. A label is `{ kind,
 * origin?, path?, client?, operation?, attribute? }`, or a list of alternatives.
 */
export const scenario = (name, plan, { minutes = 6, surround = background, hostWords } = {}) => ({
  name,
  async make(rng) {
    const world = new World(rng, { minutes, hostWords });
    surround(world);
    const { truth = [], allowed = [] } = plan(world, rng) ?? {};
    await world.run();
    return { har: world.har(), truth, allowed };
  },
});

/**
 * A scenario of one endpoint that clients call repeatedly, with pauses. `plan(world, rng)` returns `reply(request)` and
 * either `ask(client)`, which returns `{ query, headers, json, … }`, or `call(client, send)` for a sequence of
 * requests; `label({ api, at, clients })` returns the labels, where `at(kind, more)` makes one for the endpoint.
 */
export const endpoint = (name, route, plan, options) =>
  scenario(
    name,
    (world, rng) => {
      const [method, path] = route.split(" ");
      const {
        server = {},
        clients = fleet(world, 3),
        pause = [3_000, 9_000],
        reply,
        ask = () => ({}),
        call,
        label,
      } = plan(world, rng);
      const api = world.origin(rng.pick(["api", "svc", "app", "data", "edge"]), server);
      api.on(route, (request) => ({ json: freshJson(world), ...reply(request) }));
      const send = (client, { query, ...request } = ask(client)) =>
        client.request(method, api.url(path, query), request);
      busy(world, clients, pause, (client) => (call ? call(client, send) : send(client)));
      const pattern = new RegExp(`^${path.replaceAll(".", "\\.")}$`);
      return label?.({ api, clients, at: (kind, more) => ({ kind, origin: api.name, path: pattern, ...more }) });
    },
    options,
  );

/**
 * A class of sessions with known dependencies between one client and one server, plus background traffic. `plan({
 * world, rng, client, api, soon })` returns an async function that runs one sequence and returns pairs of responses:
 * `proven` by a value or the protocol, `sequential` by order alone, `also` for dependencies that do not count, and
 * `forbidden`, which must not be reported as proven.
 */
export const chain = (
  name,
  plan,
  { kind = "app", server, rounds = 2, minutes = 2, surround = quiet, hostWords } = {},
) => ({
  name: `chain/${name}`,
  async make(rng) {
    const world = new World(rng, { minutes, hostWords });
    surround(world);
    const client = world.client(kind);
    const round = plan({
      world,
      rng,
      client,
      api: world.origin("svc", server),
      soon: () => world.sleep(rng.between(2, 14)),
    });
    const pairs = { proven: [], sequential: [], also: [], forbidden: [] };
    world.spawn(async () => {
      for (let done = 0; done < rounds; done += 1) {
        await world.sleep(rng.between(9_000, 20_000));
        for (const [kind, found] of Object.entries(await round())) pairs[kind].push(...found);
      }
    });
    await world.run();
    const har = world.har();
    const judged = har.log.entries.flatMap(({ _client }, index) => (_client === client.address ? [index + 1] : []));
    const numberOf = ({ entry }) => har.log.entries.indexOf(entry) + 1;
    const numbered = (list) => list.map(([from, to]) => ({ from: numberOf(from), to: numberOf(to) }));
    return { har, judged, ...Object.fromEntries(Object.entries(pairs).map(([kind, list]) => [kind, numbered(list)])) };
  },
});

/**
 * A chain class of two requests in which the second uses a value of the first response that proves nothing. `known` is
 * a query that the client sent before, `json` the first response, `query` the second request's query.
 */
export const trap = (name, { known, json = {}, query = known }, options) =>
  chain(
    name,
    ({ world, client, api, soon }) => {
      for (const path of ["/a/overview", "/b/entries"])
        api.on(`GET ${path}`, () => ({ json: { ...json, ...freshJson(world) }, wait: world.latency(55) }));
      return async () => {
        if (known) await client.get(api.url("/b/entries", known));
        await world.sleep(900);
        const first = await client.get(api.url("/a/overview", known));
        await soon();
        return { forbidden: [[first, await client.get(api.url("/b/entries", query))]] };
      };
    },
    { rounds: 3, ...options },
  );

/** A response that differs each time. */
export const freshJson = (world, records = 2) => ({ at: isoDate(world), items: world.rng.records(records) });

export const fleet = (world, count, kind = "app", options = {}) =>
  Array.from({ length: count }, () => world.client(kind, options));

/** Each client calls repeatedly, with pauses. */
export function busy(world, clients, pause, call) {
  for (const client of clients) world.repeat(pause, () => call(client));
}

/** Sends one request after another, as a loop with `await` does, and returns the responses. */
export async function inTurn(client, urls, options) {
  const responses = [];
  for (const url of urls) {
    await client.world.sleep(client.world.rng.between(1, 7));
    responses.push(await client.get(url, options));
  }
  return responses;
}
