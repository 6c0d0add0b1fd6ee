import { readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "./support/describe.ts";
import { filesBelow } from "./support/test-files.ts";

/*
 * Allowed imports: a room (ARCHITECTURE.md) may import itself and the rooms and files in its line. The compiler checks
 * only the boundaries between the TypeScript projects (engine, ui, proxy, scripts, tests).
 */
const ENGINE = ["model", "capture", "stats", "insights", "quoting", "hub", "messages", "interchange"] as const;
const SESSION_BASE = ENGINE.map((room) => `src/engine/${room}`);

/** Files of the network that are in none of its rooms: options, origins and host patterns. */
const NETWORK_BASE = [
  "src/engine/model",
  "src/engine/capture",
  "extensions/proxy/process/clock.ts",
  "extensions/proxy/data-thread/network/network-options.ts",
  "extensions/proxy/data-thread/network/origin.ts",
];

const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/engine/model": [],
  "src/engine/capture": ["src/engine/model", "src/engine/quoting"],
  "src/engine/stats": ["src/engine/model"],
  "src/engine/insights": [
    "src/engine/model",
    "src/engine/stats",
    "src/engine/capture",
    "src/engine/messages",
    "package:http-cache-semantics",
  ],
  "src/engine/quoting": [],
  "src/engine/hub": ["src/engine/model", "src/engine/capture", "src/engine/quoting"],
  "src/engine/messages": ["src/engine/model", "src/engine/capture", "src/engine/hub", "package:valibot"],
  "src/engine/interchange": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/insights",
    "src/engine/messages",
    "src/engine/quoting",
  ],
  "src/engine/budget": [
    "src/engine/model",
    "src/engine/stats",
    "src/engine/insights",
    "src/engine/messages",
    "src/engine/interchange",
    "package:valibot",
  ],
  // The folders of a session. Each may import only earlier ones, as listed. `session.ts` comes after tallies.
  "src/engine/session/table": SESSION_BASE,
  "src/engine/session/tallies": [...SESSION_BASE, "src/engine/session/table"],
  "src/engine/session": [...SESSION_BASE, "src/engine/session/table", "src/engine/session/tallies"],
  "src/engine/session/evaluation": [...SESSION_BASE, "src/engine/session/session.ts", "src/engine/session/table"],
  "src/engine/session/filter": [...SESSION_BASE, "src/engine/session/table", "src/engine/session/evaluation"],
  "src/engine/session/lists": [
    ...SESSION_BASE,
    "src/engine/session/session.ts",
    "src/engine/session/table",
    "src/engine/session/evaluation",
    "src/engine/session/filter",
  ],
  "src/engine/session/queries": [
    ...SESSION_BASE,
    "src/engine/session/session.ts",
    "src/engine/session/table",
    "src/engine/session/evaluation",
    "src/engine/session/filter",
    "src/engine/session/lists",
  ],
  "src/engine/report": [...SESSION_BASE, "src/engine/session"],
  "src/ui/format": ["src/engine/model", "src/engine/messages"],
  "src/ui/parts": ["src/engine/messages", "src/ui/theme"],
  "src/ui/channel": ["src/engine/messages"],
  "src/ui/state": ["src/engine/model", "src/engine/capture", "src/engine/messages", "src/ui/channel"],
  "extensions/proxy/event-codec": ["src/engine/model", "src/engine/capture"],
  "extensions/proxy/decoding": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/report/har-text.ts",
    "src/engine/report/zip-archive.ts",
  ],
  "extensions/proxy/storage": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/messages",
    "extensions/proxy/decoding",
    "extensions/proxy/event-codec",
  ],
  "extensions/proxy/certificates": ["src/engine/model", "src/engine/capture", "extensions/proxy/storage"],
  // The rooms of the network; each may import those before it.
  "extensions/proxy/data-thread/network": [
    "src/engine/model",
    "src/engine/capture",
    "extensions/proxy/process/clock.ts",
  ],
  "extensions/proxy/data-thread/network/sockets": NETWORK_BASE,
  "extensions/proxy/data-thread/network/http1": NETWORK_BASE,
  "extensions/proxy/data-thread/network/socks": NETWORK_BASE,
  "extensions/proxy/data-thread/network/websocket": [...NETWORK_BASE, ...networkRooms("sockets", "http1")],
  "extensions/proxy/data-thread/network/http2": [...NETWORK_BASE, ...networkRooms("sockets", "http1")],
  "extensions/proxy/data-thread/network/tls": [...NETWORK_BASE, ...networkRooms("sockets", "http1")],
  "extensions/proxy/data-thread/network/dns": [...NETWORK_BASE, ...networkRooms("sockets")],
  "extensions/proxy/data-thread/network/upstream": [
    ...NETWORK_BASE,
    ...networkRooms("sockets", "http1", "http2", "tls"),
  ],
  "extensions/proxy/data-thread/network/relay": [
    ...NETWORK_BASE,
    ...networkRooms("sockets", "http1", "http2", "websocket", "upstream"),
    "extensions/proxy/decoding",
  ],
  "extensions/proxy/data-thread/network/client": [
    ...NETWORK_BASE,
    ...networkRooms("sockets", "http1", "http2", "socks", "tls", "upstream", "relay"),
  ],
  "extensions/proxy/data-thread": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/messages",
    "src/engine/insights/experiment",
    "extensions/proxy/certificates",
    "extensions/proxy/event-codec",
    "extensions/proxy/process",
    "extensions/proxy/storage/private-file.ts",
    "extensions/proxy/threads.ts",
    "extensions/proxy/window/hub-window.ts",
    "extensions/proxy/data-thread",
  ],
  "extensions/proxy/engine-thread": [
    ...SESSION_BASE,
    "src/engine/session",
    "extensions/proxy/analysis-thread/analysis-messages.ts",
    "extensions/proxy/data-thread/network/network-options.ts",
    "extensions/proxy/engine-thread",
    "extensions/proxy/event-codec",
    "extensions/proxy/process",
    "extensions/proxy/storage",
    "extensions/proxy/threads.ts",
    "extensions/proxy/window",
  ],
  "extensions/proxy/engine-thread/channel": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/messages",
    "extensions/proxy/storage/window-keys.ts",
    "extensions/proxy/threads.ts",
  ],
  "extensions/proxy/engine-thread/client-programs": [
    "src/engine/model",
    "src/engine/capture",
    "extensions/proxy/data-thread/network/network-options.ts",
    "extensions/proxy/process",
  ],
  "extensions/proxy/engine-thread/recording": [
    ...SESSION_BASE,
    "src/engine/session",
    "src/engine/report",
    "extensions/proxy/decoding",
    "extensions/proxy/engine-thread/client-programs",
    "extensions/proxy/export/stored-figures.ts",
    "extensions/proxy/import-thread/import-messages.ts",
    "extensions/proxy/process",
    "extensions/proxy/storage",
    "extensions/proxy/threads.ts",
  ],
  "extensions/proxy/engine-thread/commands": [
    ...SESSION_BASE,
    "src/engine/session",
    "src/engine/report",
    "extensions/proxy/analysis-thread",
    "extensions/proxy/certificates",
    "extensions/proxy/data-thread/network",
    "extensions/proxy/engine-thread/analysis-thread.ts",
    "extensions/proxy/engine-thread/channel/loopback.ts",
    "extensions/proxy/engine-thread/client-programs",
    "extensions/proxy/engine-thread/recording",
    "extensions/proxy/export",
    "extensions/proxy/process",
    "extensions/proxy/storage",
    "extensions/proxy/threads.ts",
  ],
  "extensions/proxy/export": [
    ...SESSION_BASE,
    "src/engine/session",
    "src/engine/report",
    "extensions/proxy/decoding",
    "extensions/proxy/process",
    "extensions/proxy/storage",
    "extensions/proxy/version.ts",
  ],
  "extensions/proxy/analysis-thread": [
    ...SESSION_BASE,
    "src/engine/session",
    "src/engine/report",
    "extensions/proxy/export",
    "extensions/proxy/process",
    "extensions/proxy/storage",
    "extensions/proxy/threads.ts",
  ],
  "extensions/proxy/import-thread": [
    ...SESSION_BASE,
    "src/engine/session",
    "src/engine/report",
    "extensions/proxy/analysis-thread/analysis-messages.ts",
    "extensions/proxy/decoding",
    "extensions/proxy/export/stored-figures.ts",
    "extensions/proxy/storage",
  ],
  "extensions/proxy/process": [
    "src/engine/model",
    "src/engine/messages",
    "extensions/proxy/certificates",
    "extensions/proxy/data-thread/data-plane.ts",
    "extensions/proxy/storage",
    "extensions/proxy/threads.ts",
    "extensions/proxy/window",
  ],
  "extensions/proxy/window": [
    "src/engine/model",
    "src/engine/messages",
    "extensions/proxy/data-thread/network/sockets/free-port.ts",
    "extensions/proxy/engine-thread/channel/loopback.ts",
    "extensions/proxy/process/child-process.ts",
    "extensions/proxy/threads.ts",
  ],
};

/** Packages that only the named files may import. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  "node:child_process": ["extensions/proxy/process/child-process.ts"],
  "node:net": ["extensions/proxy/data-thread/network/", "extensions/proxy/engine-thread/channel/loopback.ts"],
  "node:http": ["extensions/proxy/data-thread/network/", "extensions/proxy/engine-thread/channel/loopback.ts"],
  "node:http2": ["extensions/proxy/data-thread/network/"],
  "node:dns": ["extensions/proxy/data-thread/network/dns/dns-query.ts"],
  // Only for a helper process that cannot be started: it takes libuv's threads.
  "node:dns/promises": ["extensions/proxy/data-thread/network/dns/name-resolver.ts"],
  "node:tls": ["extensions/proxy/data-thread/network/", "extensions/proxy/certificates/"],
  "node:sqlite": ["extensions/proxy/storage/"],
  "http-cache-semantics": ["src/engine/insights/findings/cache-verdict.ts"],
  "node-forge": ["extensions/proxy/certificates/"],
  "lightweight-charts": ["src/ui/parts/line-chart.ts"],
  "@codemirror/view": ["src/ui/views/inspector/body-"],
  "@codemirror/state": ["src/ui/views/inspector/body-"],
  "@alpinejs/csp": ["src/ui/alpine.ts"],
  "@neutralinojs/lib": ["src/ui/channel/"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const shipped = sourcesIn("src", "extensions");
const all = [...shipped, ...sourcesIn("bench", "scripts", "tests")];

/** By file, what it imports. */
const imports = new Map(all.map((file) => [file, importsOf(file)]));

describe("architecture", (test) => {
  test("given the repository, finds sources to check", () => {
    assert.ok(shipped.length > 20);
  });

  test("given the imports of each folder, finds only those that the folder's row in ROOMS allows", () => {
    const wrong = shipped.flatMap((file) => {
      const room = roomOf(file);
      const allowed = room === null ? null : ROOMS[room];
      if (room === null || allowed === undefined || allowed === null) return [];
      return (imports.get(file) ?? [])
        .filter((target) => !mayImport(room, allowed, target))
        .map((target) => `${file} → ${target}`);
    });
    assert.equal(wrong, []);
  });

  test("given a folder of the engine or the proxy, finds it or a parent of it in ROOMS", () => {
    const unlisted = shipped.filter(
      (file) => /^(src\/engine|extensions\/proxy)\/[^/]+\//.test(file) && roomOf(file) === null,
    );
    assert.equal(unlisted, []);
    const inner = /^(?:src\/engine\/session|extensions\/proxy(?:\/data-thread\/network|\/engine-thread)?)\/[^/]+(?=\/)/;
    const folders = new Set(shipped.flatMap((file) => inner.exec(file)?.[0] ?? []));
    assert.equal(
      [...folders].filter((folder) => ROOMS[folder] === undefined),
      [],
    );
  });

  test("given the imports of engine, UI and proxy, UI and proxy meet only in the engine, which imports neither", () => {
    const wrong = shipped.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter(
          (target) =>
            (file.startsWith("src/engine/") && /^(src\/ui|extensions)\//.test(target)) ||
            (file.startsWith("src/ui/") && target.startsWith("extensions/")) ||
            (file.startsWith("extensions/") && target.startsWith("src/ui/")),
        )
        .map((target) => `${file} → ${target}`),
    );
    assert.equal(wrong, []);
  });

  test("given the imports of a view, finds no other view among them", () => {
    const wrong = shipped.flatMap((file) => {
      const view = /^src\/ui\/views\/([^/]+)\//.exec(file)?.[1];
      if (view === undefined) return [];
      return (imports.get(file) ?? [])
        .filter((target) => (/^src\/ui\/views\/([^/]+)\//.exec(target)?.[1] ?? view) !== view)
        .map((target) => `${file} → ${target}`);
    });
    assert.equal(wrong, []);
  });

  test("given a package with an owner, only its owner's folders import it", () => {
    const wrong = shipped.flatMap((file) =>
      (imports.get(file) ?? [])
        .filter((target) => {
          const owners = PACKAGE_OWNERS[target.replace(/^package:/, "")];
          return owners !== undefined && !owners.some((owner) => file.startsWith(owner));
        })
        .map((target) => `${file} → ${target}`),
    );
    assert.equal(wrong, []);
  });

  test("given the extension's sources, only storage and certificates write files", () => {
    const writers = /\b(writeFile|appendFile|createWriteStream|rename|copyFile|mkdir|rm|unlink|symlink|chmod)(Sync)?\(/;
    const wrong = shipped.filter(
      (file) =>
        file.startsWith("extensions/") &&
        !/^extensions\/proxy\/(storage|certificates)\//.test(file) &&
        writers.test(textOf(file)),
    );
    assert.equal(wrong, []);
  });

  test("given the UI's sources, finds no call that makes markup or code from text", () => {
    const markup = /x-html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
    const pages = filesBelow("src/ui").filter((file) => /\.(ts|html)$/.test(file));
    assert.equal(
      pages.filter((file) => markup.test(textOf(file))),
      [],
    );
  });

  test("given the imports of all files, type imports included, finds no cycle", () => {
    const [ours, seen] = [new Set(all), new Set<string>()];
    const cycles: string[] = [];
    /** The files whose imports are being followed, outermost first. */
    const path = new Set<string>();
    const walk = (file: string): void => {
      if (path.has(file)) cycles.push([...[...path].slice([...path].indexOf(file)), file].join(" → "));
      if (seen.has(file)) return;
      seen.add(file);
      path.add(file);
      for (const target of imports.get(file) ?? []) if (ours.has(target)) walk(target);
      path.delete(file);
    };
    for (const file of all) walk(file);
    assert.equal(cycles, []);
  });
});

function networkRooms(...rooms: readonly string[]): string[] {
  return rooms.map((room) => `extensions/proxy/data-thread/network/${room}`);
}

function mayImport(room: string, allowed: readonly string[], target: string): boolean {
  if (target.startsWith("package:")) return allowed.includes(target) || !room.startsWith("src/engine/");
  return roomOf(target) === room || allowed.some((name) => target === name || target.startsWith(`${name}/`));
}

/** The innermost room of the table that contains a file. */
function roomOf(file: string): string | null {
  const rooms = Object.keys(ROOMS).filter((room) => file.startsWith(`${room}/`));
  return rooms.reduce<string | null>((inner, room) => (room.length > (inner?.length ?? 0) ? room : inner), null);
}

/**
 * Relative imports as paths from the root, others as `package:<name>`; Node's own keep their prefix: `package:node:fs`.
 */
function importsOf(file: string): string[] {
  // Snippets of the hub are text, so their imports do not count.
  const code = textOf(file).replaceAll(/`(?:\\.|[^`\\])*`/gs, "``");
  const statements = code.matchAll(
    /(?:^|\n)\s*(?:import|export)\s+(?:[^"';]*?from\s+)?"([^"]+)"|\bimport\("([^"]+)"\)/g,
  );
  return [...statements].map(([, from, dynamic]) => {
    const target = from ?? dynamic ?? "";
    if (!target.startsWith(".")) return `package:${target}`;
    return relative(root, join(root, dirname(file), target)).replaceAll(sep, "/");
  });
}

function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8");
}

function sourcesIn(...folders: readonly string[]): string[] {
  return folders.flatMap(filesBelow).filter((file) => file.endsWith(".ts"));
}
