import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import * as assert from "uvu/assert";
import { describe } from "./support/describe.ts";

/*
 * The arrows of the house. A room may import itself and what its line names, rooms and files; nothing else. The compiler's walls
 * (engine, ui, proxy, scripts, tests) stand besides; this table is finer.
 */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  "src/engine/model": [],
  "src/engine/capture": ["src/engine/model"],
  "src/engine/stats": ["src/engine/model"],
  "src/engine/insights": ["src/engine/model", "src/engine/stats", "src/engine/capture", "src/engine/messages"],
  "src/engine/quoting": [],
  "src/engine/hub": ["src/engine/model", "src/engine/capture", "src/engine/quoting"],
  "src/engine/messages": ["src/engine/model", "src/engine/capture", "src/engine/hub", "package:valibot"],
  "src/engine/interchange": ["src/engine/model", "src/engine/capture", "src/engine/messages", "src/engine/quoting"],
  "src/engine/session": ["src/engine/*"],
  "src/ui/format": ["src/engine/model", "src/engine/messages"],
  "src/ui/parts": ["src/engine/messages", "src/ui/theme"],
  "src/ui/channel": ["src/engine/messages"],
  "src/ui/state": ["src/engine/model", "src/engine/capture", "src/engine/messages", "src/ui/channel"],
  "extensions/proxy/storage": ["src/engine/model", "src/engine/capture", "src/engine/messages"],
  "extensions/proxy/certificates": ["src/engine/model", "src/engine/capture", "extensions/proxy/storage"],
  "extensions/proxy/network": ["src/engine/model", "src/engine/capture", "extensions/proxy/clock.ts"],
  "extensions/proxy/channel": [
    "src/engine/model",
    "src/engine/capture",
    "src/engine/messages",
    "extensions/proxy/threads.ts",
  ],
  "extensions/proxy/window": [
    "src/engine/model",
    "src/engine/messages",
    "extensions/proxy/channel",
    "extensions/proxy/network/free-port.ts",
    "extensions/proxy/threads.ts",
  ],
};

/** A package that only some files may know. */
const PACKAGE_OWNERS: Readonly<Record<string, readonly string[]>> = {
  "node:child_process": ["extensions/proxy/window/child-process.ts"],
  "node:net": ["extensions/proxy/network/", "extensions/proxy/channel/loopback.ts"],
  "node:http": ["extensions/proxy/network/", "extensions/proxy/channel/loopback.ts"],
  "node:http2": ["extensions/proxy/network/"],
  "node:dns": ["extensions/proxy/network/"],
  "node:tls": ["extensions/proxy/network/", "extensions/proxy/certificates/"],
  "node:sqlite": ["extensions/proxy/storage/"],
  "node-forge": ["extensions/proxy/certificates/"],
  "lightweight-charts": ["src/ui/parts/chart.ts"],
  "@codemirror/view": ["src/ui/views/inspector/body-"],
  "@codemirror/state": ["src/ui/views/inspector/body-"],
  "@alpinejs/csp": ["src/ui/alpine.ts"],
  "@neutralinojs/lib": ["src/ui/channel/"],
};

const root = fileURLToPath(new URL("..", import.meta.url));
const shipped = sourcesIn("src", "extensions");
const all = [...shipped, ...sourcesIn("bench", "scripts", "tests")];

describe("architecture", (test) => {
  test("there are sources to look at", () => {
    assert.ok(shipped.length > 20);
  });

  test("every room imports only what its line names", () => {
    const wrong = shipped.flatMap((file) => {
      const room = roomOf(file);
      const allowed = room === null ? null : ROOMS[room];
      if (room === null || allowed === undefined || allowed === null) return [];
      return importsOf(file)
        .filter((target) => !mayImport(room, allowed, target))
        .map((target) => `${file} → ${target}`);
    });
    assert.equal(wrong, []);
  });

  test("engine, ui and proxy meet only in the engine", () => {
    const wrong = shipped.flatMap((file) =>
      importsOf(file)
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

  test("a view never imports another view", () => {
    const wrong = shipped.flatMap((file) => {
      const view = /^src\/ui\/views\/([^/]+)\//.exec(file)?.[1];
      if (view === undefined) return [];
      return importsOf(file)
        .filter((target) => (/^src\/ui\/views\/([^/]+)\//.exec(target)?.[1] ?? view) !== view)
        .map((target) => `${file} → ${target}`);
    });
    assert.equal(wrong, []);
  });

  test("packages with power are known only where they belong", () => {
    const wrong = shipped.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          const owners = PACKAGE_OWNERS[target.replace(/^package:/, "")];
          return owners !== undefined && !owners.some((owner) => file.startsWith(owner));
        })
        .map((target) => `${file} → ${target}`),
    );
    assert.equal(wrong, []);
  });

  test("files are written only by storage and certificates", () => {
    const writers = /\b(writeFile|appendFile|createWriteStream|rename|copyFile|mkdir|rm|unlink|symlink|chmod)(Sync)?\(/;
    const wrong = shipped.filter(
      (file) =>
        file.startsWith("extensions/") &&
        !/^extensions\/proxy\/(storage|certificates)\//.test(file) &&
        writers.test(textOf(file)),
    );
    assert.equal(wrong, []);
  });

  test("nothing in the UI makes markup from text", () => {
    const markup = /x-html|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/;
    const pages = filesIn(join(root, "src/ui")).filter((file) => /\.(ts|html)$/.test(file));
    assert.equal(
      pages.filter((file) => markup.test(textOf(file))),
      [],
    );
  });

  test("no file imports itself by way of others, not even for a type", () => {
    const seen = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (seen.has(file)) return;
      seen.add(file);
      for (const target of importsOf(file)) if (all.includes(target)) walk(target, [...path, file]);
    };
    for (const file of all) walk(file, []);
    assert.equal(cycles, []);
  });
});

function mayImport(room: string, allowed: readonly string[], target: string): boolean {
  if (target.startsWith("package:")) return allowed.includes(target) || !room.startsWith("src/engine/");
  return [room, ...allowed].some((name) =>
    name.endsWith("/*") ? target.startsWith(name.slice(0, -1)) : target === name || target.startsWith(`${name}/`),
  );
}

function roomOf(file: string): string | null {
  return Object.keys(ROOMS).find((room) => file.startsWith(`${room}/`)) ?? null;
}

/** Relative imports as paths from the root, others as `package:<name>`; Node's own keep their prefix: `package:node:fs`. */
function importsOf(file: string): string[] {
  // A snippet of the hub is text: its imports are not ours.
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
  return folders.flatMap((folder) => filesIn(join(root, folder))).filter((file) => file.endsWith(".ts"));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
}
