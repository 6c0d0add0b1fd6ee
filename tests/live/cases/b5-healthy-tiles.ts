import { type Answer, type ClientRun, liveCase, pause } from "../contract.ts";

/**
 * Nothing is wrong: a map asks for the tiles of what it shows, all at once and each once; a tile that comes into view
 * again is validated. Tiles come from an MBTiles file in SQLite; the burst of a view is what a map does, and no tile's
 * name comes from an answer.
 */
export const live = liveCase({
  story: "Healthy: a map loads a burst of tiles at each move, and validates those that it has.",
  draw: (draw) => {
    const [layer = "", places = ""] = draw.words(2);
    return {
      layer,
      places,
      read: draw.int(16, 30),
      searched: draw.int(50, 80),
      bytes: draw.int(5_000, 9_000),
      across: draw.int(3, 4),
      moves: draw.int(11, 14),
      zoom: draw.int(11, 15),
    };
  },
  causes: () => [],
  service: { python: "b5-healthy-tiles.py" },
  client: async ({ layer, places, across, moves, zoom }, run) => {
    const view = (name: string, index: number): Promise<void> =>
      look(run, { name, address: `127.0.0.${131 + index}`, layer, places, across, moves, zoom });
    await Promise.all(run.random.words(2).map(view));
  },
});

interface Viewer {
  readonly name: string;
  readonly address: string;
  readonly layer: string;
  readonly places: string;
  readonly across: number;
  readonly moves: number;
  readonly zoom: number;
}

async function look(run: ClientRun, { name, address, layer, places, across, moves, zoom }: Viewer): Promise<void> {
  const map = run.actor(name, { userAgent: `map-app/3.3 (${name})`, address, sockets: 24 });
  const steps = Array.from({ length: moves }, () => ({
    east: run.random.int(-2, 2),
    south: run.random.int(-2, 2),
    searches: run.random.chance(0.25),
    word: run.random.text(7),
    gap: run.random.real(400, 1_100),
  }));
  const kept = new Map<string, Answer>();
  let [x, y] = [run.random.int(200, 900), run.random.int(200, 900)];
  for (const { east, south, searches, word, gap } of steps) {
    await pause(gap);
    if (searches) await map.ask("GET", "tiles", `/${places}?q=${word}`);
    x += east;
    y += south;
    const shown = Array.from({ length: across * 3 }, (_, at) => [x + (at % across), y + Math.floor(at / across)]);
    const load = async ([column, row]: readonly number[]): Promise<void> => {
      const path = `/${layer}/${zoom}/${column}/${row}.png`;
      const before = kept.get(path);
      const answer = await map.ask("GET", "tiles", path, {
        headers: before === undefined ? {} : { "If-None-Match": String(before.headers["etag"]) },
        needs: before === undefined ? [] : [before],
      });
      if (answer.status === 200) kept.set(path, answer);
    };
    await Promise.all(shown.map(load));
  }
}
