import * as assert from "uvu/assert";
import type { Endpoint } from "../../../../src/engine/model/endpoint.ts";
import type { ExchangeId } from "../../../../src/engine/model/units.ts";
import { Selection } from "../../../../src/ui/state/selection.ts";
import { type ShellDependencies, shell } from "../../../../src/ui/views/shell/shell.ts";
import type { UiIntent } from "../../../../src/ui/views/shell/ui-intents.ts";
import { describe } from "../../../support/describe.ts";

/** What is selected after a wish, and which members of the shell it called. */
function fulfilled(wish: UiIntent | null) {
  const selection = new Selection();
  selection.set({ exchange: 7 as ExchangeId, filter: "dur>1s" });
  const called: string[] = [];
  const copied: string[] = [];
  const deps = {
    selection,
    openHub: null,
    announce: () => void called.push("announce"),
    openReplay: (exchange: ExchangeId) => void called.push(`replay ${exchange}`),
    linkHere: () => "http://127.0.0.1/#traffic",
    copy: async (text: string) => void copied.push(text),
    downloads: { start: ({ format }: { readonly format: string }) => void called.push(`save ${format}`) },
  } as unknown as ShellDependencies;
  const members = Object.assign(shell(deps), { $refs: {} });
  const watched = new Proxy(members, {
    get: (target, name, receiver) => {
      const member = Reflect.get(target, name, receiver);
      const isCommand = typeof member === "function" && name !== "fulfil" && name !== "go" && name !== "showHost";
      return isCommand && name !== "tellsCutOff" ? () => void called.push(String(name)) : member;
    },
  });
  const before = Reflect.get(globalThis, "requestAnimationFrame");
  Reflect.set(globalThis, "requestAnimationFrame", () => 0);
  watched.fulfil(wish);
  Reflect.set(globalThis, "requestAnimationFrame", before);
  return { now: selection.now, called, copied };
}

describe("intents of the window", (test) => {
  test("given a wish for a command, runs that command alone", () => {
    const commands = {
      clear: "clear",
      undo: "undo",
      shortcuts: "openDialog",
      hub: "openHub",
      palette: "openDialog",
      search: "openSearch",
      export: "openExport",
      recording: "toggleRecording",
      proxy: "toggleProxy",
      "copy-address": "copyAddress",
      "new-session": "newSession",
      quit: "quit",
      delete: "deleteChosen",
      slow: "openDialog",
      theme: "nextTheme",
      report: "copyReport",
      replay: "replay 7",
    } as const;
    for (const [kind, command] of Object.entries(commands))
      assert.equal(fulfilled({ kind: kind as keyof typeof commands }).called, [command], kind);
    assert.equal(fulfilled({ kind: "set-theme", theme: "dark" }).called, ["setTheme"]);
    assert.equal(fulfilled({ kind: "hub-target", target: "curl" }).called, ["openHub"]);
    assert.equal(fulfilled({ kind: "session", session: "s" }).called, ["openSession"]);
    assert.equal(fulfilled({ kind: "export-report" }).called, ["announce", "save html"]);
    assert.equal(fulfilled(null).called, []);
  });

  test("given a wish for a place, selects it", () => {
    const endpoint = "GET https://a.test/b" as Endpoint;
    assert.is(fulfilled({ kind: "go", view: "timeline" }).now.view, "timeline");
    assert.is(fulfilled({ kind: "inspector-tab", tab: "timing" }).now.inspectorTab, "timing");
    assert.is(fulfilled({ kind: "host", host: "a.test" }).now.view, "traffic");
    assert.is(fulfilled({ kind: "close" }).now.exchange, null);
    for (const kind of ["import", "about"] as const)
      assert.is(fulfilled({ kind }).now.view, kind === "import" ? "sessions" : "settings");
    assert.is(fulfilled({ kind: "setting", words: "port" }).now.view, "settings");
    const tab = fulfilled({ kind: "tab", tab: "chains" }).now;
    assert.equal([tab.view, tab.performanceTab, tab.exchange, tab.filter], ["performance", "chains", null, "dur>1s"]);
    const cause = fulfilled({ kind: "cause", cause: "polling" }).now;
    assert.equal([cause.performanceTab, cause.filter], ["findings", "finding:polling"]);
    const opened = fulfilled({ kind: "endpoint", endpoint }).now;
    assert.equal([opened.performanceTab, opened.endpoint, opened.filter], ["latency", endpoint, ""]);
    assert.equal(fulfilled({ kind: "copy-link" }).copied, ["http://127.0.0.1/#traffic"]);
  });
});
