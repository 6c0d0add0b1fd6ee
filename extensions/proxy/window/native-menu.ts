/** An entry for `window.setMainMenu`. Only macOS supports `action` and a working `shortcut`. */
interface MenuEntry {
  readonly id?: string;
  readonly text: string;
  readonly action?: string;
  readonly shortcut?: string;
  readonly menuItems?: readonly MenuEntry[];
}

/*
 * The entries that the engine thread carries out (engine-thread/worker.ts, `onMenu`). The window carries out every other
 * (ui/views/shell/ui-intents.ts, `intentOfMenu`).
 */
export const OPEN_HUB = "setup-hub";
export const QUIT = "quit";

const LINE: MenuEntry = { text: "-" };

/** Without an Edit menu of system actions, Command+C and similar shortcuts do nothing in a macOS web view. */
const MAC_EDIT: readonly MenuEntry[] = [
  { id: "undo", text: "Undo", action: "undo:", shortcut: "z" },
  { id: "redo", text: "Redo", action: "redo:", shortcut: "Z" },
  LINE,
  { id: "cut", text: "Cut", action: "cut:", shortcut: "x" },
  { id: "copy", text: "Copy", action: "copy:", shortcut: "c" },
  { id: "paste", text: "Paste", action: "paste:", shortcut: "v" },
  { id: "select-all", text: "Select All", action: "selectAll:", shortcut: "a" },
  LINE,
];

const EDIT: readonly MenuEntry[] = [
  { id: "filter", text: "Filter" },
  { id: "clear", text: "Clear session" },
];

const VIEW: readonly MenuEntry[] = [
  { id: "traffic", text: "Traffic" },
  { id: "performance", text: "Performance" },
  { id: "timeline", text: "Timeline" },
  { id: "sessions", text: "Sessions" },
  { id: "settings", text: "Settings" },
  LINE,
  { id: "shortcuts", text: "Keyboard shortcuts" },
];

/**
 * The menu of the main window. On macOS, the first menu has the program's name and the entries that the system expects.
 */
export function nativeMenu(platform: NodeJS.Platform): readonly MenuEntry[] {
  const isMac = platform === "darwin";
  // macOS adds Command to a letter and acts on it. Elsewhere a shortcut is text, and the page acts on the key.
  const key = (letter: string) => (isMac ? letter : `Ctrl+${letter.toUpperCase()}`);
  const about: MenuEntry = { id: "about", text: "About Weir" };
  const hub: MenuEntry = { id: OPEN_HUB, text: "Setup Hub" };
  const quit: MenuEntry = {
    id: QUIT,
    text: isMac ? "Quit Weir" : "Quit",
    shortcut: key("q"),
    ...(isMac ? { action: "terminate:" } : {}),
  };
  const session: readonly MenuEntry[] = [
    { id: "new-session", text: "New session", shortcut: key("n") },
    LINE,
    { id: "import", text: "Import HAR…", shortcut: key("o") },
    { id: "export", text: "Export traffic…", shortcut: key("s") },
  ];
  return [
    { id: "weir", text: "Weir", menuItems: [about, hub, LINE, quit] },
    { id: "session", text: "Session", menuItems: session },
    { id: "edit", text: "Edit", menuItems: isMac ? [...MAC_EDIT, ...EDIT] : EDIT },
    { id: "view", text: "View", menuItems: VIEW },
  ];
}
