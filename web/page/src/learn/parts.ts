// What figures share: a frame with a caption, code in tabs, and running only while they are seen.
import { h, s, calm } from "../base/dom.ts";

export interface Figure { element: HTMLElement; caption: string; /** Called for each picture while it is in sight. */ tick?: (seconds: number) => void }
export type Maker = (slots: Record<string, HTMLElement>) => Figure | Promise<Figure>;

/** Functions' texts with the comment above each, cut from the file that runs: JavaScript or C. */
export function cut(source: string, ...names: string[]): string {
  const lines = source.split("\n");
  return names.map((name) => {
    const at = lines.findIndex((line) => new RegExp(`^\\S.*\\b${name}\\(`).test(line)), end = lines.indexOf("}", at);
    let from = at;
    while (/^(\/\/|\/\*\*)/.test(lines[from - 1])) from--;
    return lines.slice(from, end + 1).join("\n").replaceAll("export ", "");
  }).join("\n\n");
}

/** Code in tabs. `parts` are label and text. */
export function code(...parts: [string, string][]): HTMLElement {
  const body = h("pre", { class: "code", tabindex: 0 }), tabs = parts.map(([label]) => h("button", { type: "button", role: "tab" }, label));
  const show = (i: number): void => {
    body.textContent = parts[i][1];
    tabs.forEach((tab, k) => { tab.setAttribute("aria-selected", String(k === i)); tab.tabIndex = k === i ? 0 : -1; });
  };
  tabs.forEach((tab, i) => {
    tab.addEventListener("click", () => show(i));
    tab.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (by) { const next = (i + by + tabs.length) % tabs.length; show(next); tabs[next].focus(); }
    });
  });
  show(0);
  const details = h("details", { class: "listing" }, h("summary", null, "The code that runs"), h("div", { role: "tablist", class: "tabs" }, ...tabs), body);
  return details;
}

export function button(id: string, label: string, act: () => void): HTMLButtonElement {
  const made = h("button", { class: "button", type: "button", "data-testid": id }, label);
  made.addEventListener("click", act);
  return made;
}

/** A slider with its value beside it. */
export function slider(id: string, label: string, low: number, high: number, value: number, show: (value: number) => string, set: (value: number) => void, step: number | "any" = "any"): HTMLElement {
  const input = h("input", { type: "range", min: low, max: high, step, value, "data-testid": id, "aria-label": label }), text = h("output", null, show(value));
  const fill = (): void => input.style.setProperty("--filled", String((Number(input.value) - low) / (high - low)));
  input.addEventListener("input", () => { text.textContent = show(Number(input.value)); input.setAttribute("aria-valuetext", show(Number(input.value))); fill(); set(Number(input.value)); });
  fill();
  return h("label", { class: "slide" }, h("span", null, label), input, text);
}

/** A row of a table of readings. */
export const row = (name: string, value: string): HTMLElement => h("tr", null, h("th", { scope: "row" }, name), h("td", { class: "figure" }, value));

export interface Point { x: number; y: number }
/** Lets the pointer and the arrow keys move points of a drawing, which `redraw` draws with the knobs that are returned: by number, test id, letters, name and radius. */
export function movable(drawing: SVGElement, wide: number, tall: number, points: Point[], redraw: () => void): (i: number, id: string, letters: string, name: string, radius: number) => SVGElement {
  let held = -1;
  const place = (event: PointerEvent): Point => { const box = drawing.getBoundingClientRect(); return { x: ((event.clientX - box.left) / box.width) * wide, y: ((event.clientY - box.top) / box.height) * tall }; };
  drawing.addEventListener("pointerdown", (event) => {
    const p = place(event), far = points.map((one) => Math.hypot(one.x - p.x, one.y - p.y)), least = Math.min(...far);
    if (least > 40) return;
    held = far.indexOf(least);
    drawing.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  drawing.addEventListener("pointermove", (event) => { if (held >= 0) { Object.assign(points[held], place(event)); redraw(); } });
  for (const name of ["pointerup", "pointercancel"]) drawing.addEventListener(name, () => { held = -1; });
  return (i, id, letters, name, radius) => {
    const one = s("g", { class: "knob", tabindex: 0, role: "button", "aria-label": `${name}: arrow keys move it`, "data-testid": id }, s("circle", { cx: points[i].x, cy: points[i].y, r: radius }), s("text", { x: points[i].x, y: points[i].y + 5 }, letters));
    one.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] }[(event as KeyboardEvent).key];
      if (!by) return;
      event.preventDefault();
      points[i].x += by[0]; points[i].y += by[1];
      redraw();
      drawing.querySelectorAll<SVGElement>(".knob")[i].focus();
    });
    return one;
  };
}

/** Puts figures into the page and ticks those that are in sight. */
export function run(figures: Map<Element, Figure>): void {
  const seen = new Set<Element>();
  const watch = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) { if (isIntersecting) seen.add(target); else seen.delete(target); } }, { rootMargin: "80px" });
  for (const [place] of figures) watch.observe(place);
  let before = performance.now(), drawn = new Set<Element>();
  const tick = (now: number): void => {
    requestAnimationFrame(tick);
    const seconds = Math.min(0.05, (now - before) / 1000);
    before = now;
    if (document.hidden) return;
    for (const place of seen) {
      // With reduced motion each figure is drawn once, and again when it is touched.
      if (calm() && drawn.has(place) && !place.matches(":hover, :focus-within")) continue;
      figures.get(place)?.tick?.(seconds);
      drawn.add(place);
    }
  };
  requestAnimationFrame(tick);
}
