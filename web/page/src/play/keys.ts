// Keys of a page with a stage. They act unless the control that has the focus uses the key itself.
import { keyDialog, letters } from "../pages/dialogs.ts";
import { keyFor, KEYS, type Action } from "./keymap.ts";
import type { Playground } from "./playground.ts";

export type Actions = Partial<Record<Action, (event: KeyboardEvent) => void>>;

const ARROWS: Record<string, [number, number, number]> = { ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1] };
const HELD = 400;

/** Whether a control uses a key itself: text fields and lists use all, sliders and groups of buttons the arrows, buttons Space. */
function usesKey(at: HTMLElement, key: string): boolean {
  if (at.closest("dialog")) return true;
  if (at instanceof HTMLInputElement && at.type === "range") return key.startsWith("Arrow") || key === "Home" || key === "End";
  if (at instanceof HTMLInputElement && at.type !== "checkbox") return true;
  if (at instanceof HTMLSelectElement || at instanceof HTMLTextAreaElement || at.isContentEditable) return true;
  if (at.closest("[role=radiogroup]") && key.startsWith("Arrow")) return true;
  return key === " " && at.matches("button, a, summary, input");
}

/** Binds the table to what a page can do; rows that it lacks are left out, also in the dialog. */
export function bindKeys(actions: Actions): void {
  const all: Actions = {
    learn: () => { location.href = new URL("learn/", new URL(document.documentElement.dataset.root ?? ".", document.baseURI)).href; },
    keys: () => keyDialog(KEYS.filter((one) => all[one.act])), ...actions,
  };
  document.addEventListener("keydown", (event) => {
    const row = event.defaultPrevented ? undefined : keyFor(event), act = row && all[row.act], isLetter = event.key.length === 1 && event.key !== " ";
    if (!row || !act || usesKey(event.target as HTMLElement, event.key) || (isLetter && !row.ctrl && !letters())) return;
    event.preventDefault();
    act(event);
  });
}

/** The menu of pages on phones closes; returns whether it was open. */
export function closeMenu(): boolean {
  const menu = document.getElementById("menu"), isOpen = menu?.getAttribute("aria-expanded") === "true";
  if (isOpen) menu!.click();
  return isOpen;
}

export function keys(page: Playground): void {
  const redraw = (): void => page.redraw(), by = (event: KeyboardEvent): number => (event.shiftKey ? 10 : 1);
  // Enter and the arrows first: on the stage they belong to the keyboard's cursor while that is shown.
  document.addEventListener("keydown", (event) => {
    if (!(event.target as HTMLElement).classList.contains("stage") || event.ctrlKey || event.metaKey || event.altKey) return;
    const arrow = ARROWS[event.key];
    if (event.key === "Enter") { const said = page.keyboard.enter(page.cell, page.tool.id); if (said) page.say(said); page.needTime(page.keyboard.holds(page.session)); }
    else if (page.keyboard.active && arrow) page.keyboard.arrow(page.cell, ...arrow);
    else return;
    event.preventDefault();
    redraw();
  });
  bindKeys({
    toggle: () => page.toggle(), step: (e) => page.stepBy(by(e)), back: (e) => page.stepBy(-by(e)), reset: () => page.reset(), faster: () => page.faster(1), slower: () => page.faster(-1),
    tool: (e) => page.choose(page.tools.find((tool) => tool.key === e.key.toLowerCase())!.id), smaller: () => page.resize(1 / 1.25), larger: () => page.resize(1.25),
    swap: (e) => { if (!e.repeat) page.changes.swapSides(); }, sideBySide: () => page.sideBySide(),
    frame: () => { page.stage.frame(page.region); redraw(); }, home: () => { page.stage.home(page.region); redraw(); },
    wireframe: () => page.setWires(!page.stage.isWired), nextColours: () => nextMeasure(page, 1), previousColours: () => nextMeasure(page, -1),
    hide: () => { page.hideAll(); redraw(); }, describe: () => page.describe(), undo: () => page.changes.undo(), redo: () => page.changes.redo(), escape: () => { page.escape(); redraw(); },
  });
  // While X is held the other side is shown; a tap leaves it there.
  let pressed = 0;
  const isX = (event: KeyboardEvent): boolean => event.key.toLowerCase() === "x";
  document.addEventListener("keydown", (event) => { if (isX(event) && !event.repeat && !event.shiftKey) pressed = event.timeStamp; });
  document.addEventListener("keyup", (event) => {
    if (isX(event) && pressed > 0 && letters() && event.timeStamp - pressed > HELD && !usesKey(event.target as HTMLElement, "x")) page.changes.swapSides();
    if (isX(event)) pressed = 0;
  });
}

function nextMeasure(page: Playground, by: number): void {
  const names = ["", ...page.engine.descriptors.measures.map((one) => one.name)];
  page.setMeasure(names[(names.indexOf(page.colours.name) + by + names.length) % names.length]);
}
