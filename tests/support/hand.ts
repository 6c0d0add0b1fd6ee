import { setTimeout as pause } from "node:timers/promises";
import type { Page } from "playwright-core";

/** What a user does in a page, in any browser. */
export interface Hand {
  /** Runs `script` in the page as the body of a function, and returns the result. */
  run<Value>(script: string): Promise<Value>;
  /** A key or a combination: "Enter", "Shift+Tab", "/". */
  press(combination: string): Promise<void>;
  clickAt(x: number, y: number): Promise<void>;
}

/** What a user does by mouse alone, or by keyboard alone. Both can type text. */
export interface InputMode {
  readonly hand: Hand;
  /** Opens a view of the main window; `key` is the view's place in the sidebar. */
  goTo(view: string, key: string): Promise<void>;
  /** Activates the button, checkbox or slider with that name. */
  use(name: string): Promise<void>;
  /** Selects the tab with that name. */
  choose(tab: string): Promise<void>;
  /** Opens the visible row of a list that contains the text. */
  open(text: string): Promise<void>;
  /** Replaces the text of the field with that name. */
  write(field: string, text: string): Promise<void>;
  /** Waits until the page shows the text. */
  sees(text: string): Promise<void>;
  /** Waits until the page no longer shows the text. */
  sawLast(text: string): Promise<void>;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

const LOOK_EVERY = 25;
const LOOK_FOR = 15_000;
/** More Tab stops than any page has, and more rows than any test makes. */
const MOST_STEPS = 200;

/** An expression for the page: its visible text, including shadow roots. */
export const SHOWN_TEXT = `[document.body, ...[...document.querySelectorAll("*")].flatMap(({ shadowRoot }) => [...(shadowRoot?.children ?? [])])].map(({ innerText }) => innerText).join("\\n")`;

/** The visible elements and their accessible names. */
const WORDS = `
  const isSeen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
  const nameOf = (element) =>
    (element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText ?? "").trim();
  const called = (kinds, name) => [...document.querySelectorAll(kinds)].filter(isSeen)
    .filter((element) => element.closest("dialog") === document.querySelector("dialog[open]"))
    .find((element) => nameOf(element).replace(/\\s+/g, " ").startsWith(name)) ?? null;
  const grid = () => [...document.querySelectorAll("[role=grid], [role=listbox]")].filter(isSeen)[0] ?? null;
`;
const CONTROLS = "button, input, textarea, select, [role=slider], [role=option]";

export function chromiumHand(page: Page): Hand {
  return {
    run: (script) => page.evaluate(`(() => { ${script} })()`),
    press: (combination) => page.keyboard.press(combination),
    clickAt: (x, y) => page.mouse.click(x, y),
  };
}

export function mouse(hand: Hand): InputMode {
  const placeOf = (what: string) =>
    hand.run<Place>(`${WORDS}
      const element = ${what};
      element.scrollIntoView({ block: "nearest" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return { x: left + Math.min(width / 2, 120), y: top + height / 2 };`);
  const clickOn = async (what: string) => {
    await until(hand, `return ${what} !== null`);
    // A change above the element may still move it.
    let place = await placeOf(what);
    for (let last: Place | null = null; last?.x !== place.x || last.y !== place.y; ) {
      last = place;
      await drawn(hand);
      place = await placeOf(what);
    }
    await hand.clickAt(place.x, place.y);
  };
  const use = (name: string) => clickOn(controlOf(name));
  return {
    ...seeing(hand),
    hand,
    goTo: (view) => use(view),
    use,
    choose: async (tab) => {
      const wanted = `called("[role=tab]", ${JSON.stringify(tab)})`;
      const isChosen = `return ${wanted}?.getAttribute("aria-selected") === "true"`;
      // A panel that grows with new content may move the tab before the click.
      for (let step = 0; step < MOST_STEPS && !(await settled(hand, isChosen)); step += 1) await clickOn(wanted);
      await until(hand, isChosen);
    },
    open: (text) => clickOn(`${rowWith(text)}`),
    write: async (field, text) => {
      const hasFocus = `return document.activeElement === ${controlOf(field)}`;
      for (let step = 0; step < MOST_STEPS && !(await settled(hand, hasFocus)); step += 1) await use(field);
      await typed(hand, text);
    },
  };
}

export function keys(hand: Hand): InputMode {
  const isAt = (what: string) =>
    hand.run<boolean>(`${WORDS} const wanted = ${what}; return wanted !== null && wanted === document.activeElement`);
  const tabTo = async (what: string) => {
    await until(hand, `return ${what} !== null`);
    for (let step = 0; step < MOST_STEPS; step += 1) {
      if (await isAt(what)) return;
      await hand.press("Tab");
    }
    throw new Error(`the Tab key never comes to ${what}`);
  };
  /** Moves by Tab, and then by arrow keys to a row, because a list is one Tab stop. */
  const goToControl = async (what: string) => {
    await until(hand, `return ${what} !== null`);
    const isRow = await hand.run<boolean>(`${WORDS} return ${what}.tabIndex < 0`);
    await tabTo(isRow ? `${what}.closest("[tabindex='0']")` : what);
    for (let step = 0; isRow && step < MOST_STEPS && !(await isAt(what)); step += 1) await hand.press("ArrowDown");
    if (!(await isAt(what))) throw new Error(`the arrow keys never come to ${what}`);
  };
  return {
    ...seeing(hand),
    hand,
    goTo: async (_, key) => {
      await hand.press(key);
    },
    use: async (name) => {
      await goToControl(controlOf(name));
      const isBox = await hand.run<boolean>(`return document.activeElement.type === "checkbox"`);
      await hand.press(isBox ? " " : "Enter");
    },
    choose: async (tab) => {
      const wanted = `called("[role=tab]", ${JSON.stringify(tab)})`;
      await until(hand, `return ${wanted} !== null`);
      await tabTo(`${wanted}.closest("[role=tablist]").querySelector("[aria-selected=true]")`);
      for (let step = 0; step < MOST_STEPS && !(await isAt(wanted)); step += 1) await hand.press("ArrowRight");
      await until(hand, `return ${wanted}.getAttribute("aria-selected") === "true"`);
    },
    open: async (text) => {
      await until(hand, `return ${rowWith(text)} !== null`);
      await tabTo("grid()");
      const isActive = `const id = grid().getAttribute("aria-activedescendant"); return id !== null && document.getElementById(id) === ${rowWith(text)}`;
      await hand.press("Home");
      for (let step = 0; step < MOST_STEPS && !(await settled(hand, isActive)); step += 1)
        await hand.press("ArrowDown");
      await until(hand, isActive);
      await hand.press("Enter");
    },
    write: async (field, text) => {
      await tabTo(controlOf(field));
      await typed(hand, text);
    },
  };
}

function seeing(hand: Hand): Pick<InputMode, "sees" | "sawLast"> {
  const isThere = (text: string) => `${SHOWN_TEXT}.includes(${JSON.stringify(text)})`;
  return {
    sees: (text) => until(hand, `return ${isThere(text)}`),
    sawLast: (text) => until(hand, `return !${isThere(text)}`),
  };
}

function controlOf(name: string): string {
  return `called(${JSON.stringify(CONTROLS)}, ${JSON.stringify(name)})`;
}

function rowWith(text: string): string {
  return `([...document.querySelectorAll(".list-row[role=row], [role=option]")].filter(isSeen).find((row) => row.innerText.includes(${JSON.stringify(text)})) ?? null)`;
}

async function typed(hand: Hand, text: string): Promise<void> {
  await hand.press("Control+a");
  for (const sign of text) await hand.press(sign);
}

/** Whether `script` is also true after the page's next frame. */
async function settled(hand: Hand, script: string): Promise<boolean> {
  await drawn(hand);
  return hand.run<boolean>(`${WORDS} ${script}`);
}

/** Resolves after the page's next frame. */
async function drawn(hand: Hand): Promise<void> {
  await hand.run(
    "delete document.documentElement.dataset.drawn; requestAnimationFrame(() => { document.documentElement.dataset.drawn = '' })",
  );
  await until(hand, "return document.documentElement.dataset.drawn !== undefined");
}

async function until(hand: Hand, script: string): Promise<void> {
  for (let waited = 0; waited < LOOK_FOR; waited += LOOK_EVERY) {
    if (await hand.run<boolean>(`${WORDS} ${script}`)) return;
    await pause(LOOK_EVERY);
  }
  throw new Error(`never came true: ${script}\n${await hand.run<string>(`return ${SHOWN_TEXT}`)}`);
}
