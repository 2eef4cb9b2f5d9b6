// The panel beside the stage, which on phones is a sheet below it that can be drawn up.
import { h } from "../base/dom.ts";

const LEAST = 40, MOST = 0.6, STEP = 80;

export interface Sheet {
  element: HTMLElement;
  /** Puts a sheet that was drawn up back to its first height; returns whether it was. */
  lower: () => boolean;
}

export function sheet(root: HTMLElement, resized: () => void, ...children: (Node | null)[]): Sheet {
  const handle = h("button", { class: "handle", type: "button", "aria-label": "Panel: taller or shorter" }), element = h("aside", { class: "panel", "aria-label": "Controls" }, handle, ...children);
  let isRaised = false;
  const set = (height: number): void => {
    isRaised = true;
    root.style.setProperty("--sheet", `${Math.min(MOST * innerHeight, Math.max(LEAST, height))}px`);
    resized();
  };
  let from: { y: number; height: number } | null = null;
  handle.addEventListener("pointerdown", (event) => { from = { y: event.clientY, height: element.clientHeight }; handle.setPointerCapture(event.pointerId); });
  handle.addEventListener("pointermove", (event) => { if (from) set(from.height + from.y - event.clientY); });
  for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, () => { from = null; });
  handle.addEventListener("keydown", (event) => {
    const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    set(element.clientHeight + by);
  });
  const lower = (): boolean => {
    const was = isRaised;
    isRaised = false;
    if (was) { root.style.removeProperty("--sheet"); resized(); }
    return was;
  };
  return { element, lower };
}
