// The panel beside the stage, which on phones is a sheet that one draws up and down.
import { h } from "../base/dom.ts";

const LEAST = 40, MOST = 0.7, STEP = 80;

export function sheet(root: HTMLElement, resized: () => void, ...children: (Node | null)[]): HTMLElement {
  const handle = h("button", { class: "handle", type: "button", "aria-label": "Panel: taller or shorter" });
  const side = h("aside", { class: "panel", "aria-label": "Knobs" }, handle, ...children);
  const set = (height: number): void => {
    root.style.setProperty("--sheet", `${Math.min(MOST * innerHeight, Math.max(LEAST, height))}px`);
    resized();
  };
  let from: { y: number; height: number } | null = null;
  handle.addEventListener("pointerdown", (event) => { from = { y: event.clientY, height: side.clientHeight }; handle.setPointerCapture(event.pointerId); });
  handle.addEventListener("pointermove", (event) => { if (from) set(from.height + from.y - event.clientY); });
  for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => { from = null; });
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    set(side.clientHeight + by);
  });
  return side;
}
