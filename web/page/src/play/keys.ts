// Keys of the stage: they work while the stage or nothing has focus, never in a field.
import { TOOLS } from "../tools/tools.ts";
import { keyDialog, letters } from "../pages/dialogs.ts";
import type { Playground } from "./playground.ts";

const ARROWS: Record<string, [number, number, number]> = { ArrowRight: [1, 0, 0], ArrowLeft: [-1, 0, 0], ArrowUp: [0, 1, 0], ArrowDown: [0, -1, 0], PageUp: [0, 0, 1], PageDown: [0, 0, -1] };

export function keys(page: Playground): void {
  const redraw = (): void => page.bench.changed();
  const table: Record<string, (event: KeyboardEvent) => void> = {
    " ": () => page.toggle(), ArrowRight: (e) => page.stepBy(e.shiftKey ? 10 : 1), ArrowLeft: (e) => page.stepBy(e.shiftKey ? -10 : -1), ".": () => page.stepBy(1), ",": () => page.stepBy(-1),
    Backspace: () => page.reset(), "+": () => page.faster(1), "-": () => page.faster(-1), "?": () => keyDialog(), F1: () => keyDialog(), Escape: () => { page.keyboard.away(page.bench); page.choose("grab"); page.messages.clear(); redraw(); },
  };
  const lettersTable: Record<string, (event: KeyboardEvent) => void> = {
    ...Object.fromEntries(TOOLS.map((tool) => [tool.key, () => page.choose(tool.id)])), f: () => { page.stage.fit(); redraw(); }, w: () => page.root.querySelector<HTMLElement>("[data-testid=view-wireframe]")?.click(),
    m: (e) => nextMeasure(page, e.shiftKey ? -1 : 1), h: () => { page.hideAll(); redraw(); }, i: () => page.describe(), x: (e) => { if (!e.repeat) page.changes.swapSides(); },
    "[": () => { page.radius = Math.max(0, (page.radius || 0.04 * page.stage.rig.size) / 1.25); }, "]": () => { page.radius = (page.radius || 0.04 * page.stage.rig.size) * 1.25; },
  };
  // While X is held the other side is shown; a tap leaves it there.
  let pressed = 0;
  document.addEventListener("keydown", (event) => { if (event.key.toLowerCase() === "x" && !event.repeat) pressed = event.timeStamp; });
  document.addEventListener("keyup", (event) => {
    if (event.key.toLowerCase() === "x" && pressed > 0 && letters() && event.timeStamp - pressed > 400 && isFree(event.target as HTMLElement)) page.changes.swapSides();
    pressed = 0;
  });
  document.addEventListener("keydown", (event) => {
    const at = event.target as HTMLElement, stage = at.classList.contains("stage");
    if (!isFree(at)) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== "z") return;
      event.preventDefault();
      if (event.shiftKey) page.changes.redo(); else page.changes.undo();
      return;
    }
    if (event.altKey) return;
    if (stage && event.key === "Enter") { event.preventDefault(); const said = page.keyboard.enter(page.cell, page.bench, page.tool); if (said) page.say(said); redraw(); return; }
    const arrow = ARROWS[event.key];
    if (stage && page.keyboard.active && arrow) { event.preventDefault(); page.keyboard.arrow(page.cell, page.bench, ...arrow); redraw(); return; }
    const act = table[event.key] ?? (letters() ? lettersTable[event.key.toLowerCase()] : undefined);
    if (!act) return;
    event.preventDefault();
    act(event);
  });
}

/** The stage, or nothing, has the focus. */
const isFree = (at: HTMLElement): boolean => at === document.body || at.classList.contains("stage");

function nextMeasure(page: Playground, by: number): void {
  const names = ["", ...page.engine.descriptors.measures.map((one) => one.name)];
  page.setMeasure(names[(names.indexOf(page.colours.name) + by + names.length) % names.length]);
}
