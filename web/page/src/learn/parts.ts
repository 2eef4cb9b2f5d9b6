// What figures share: code in tabs, sliders, points that can be dragged, rows of readings.
import { Mesh } from "pliant";
import { h, s } from "../base/dom.ts";

export interface Figure {
  element: HTMLElement;
  caption: string;
  /** Called for each picture while it is in sight: `step` moves what it shows on, `tick` draws it. */
  step?: (seconds: number) => void;
  tick?: (seconds: number) => void;
  /** Frees what it holds; the figure is made anew when the reader comes near again. */
  dispose?: () => void;
}
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

/** Buttons of which one is pressed. */
export function choice<T extends string>(id: string, label: string, options: [T, string][], value: T, set: (value: T) => void): HTMLElement {
  const made = h("div", { class: "choice", role: "radiogroup", "aria-label": label }, ...options.map(([one, text]) => {
    const press = h("button", { type: "button", role: "radio", "aria-checked": String(one === value), "data-testid": `${id}-${one}` }, text);
    press.addEventListener("click", () => { for (const other of made.children) other.setAttribute("aria-checked", String(other === press)); set(one); });
    return press;
  }));
  return made;
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

/** A button that opens a mesh file, which may also be dropped on `target`; `take` disposes of the mesh. */
export function meshOpener(id: string, target: HTMLElement, take: (mesh: Mesh, name: string) => void, say: (text: string) => void): HTMLElement {
  const file = h("input", { type: "file", accept: ".obj,.ply,.stl,.gltf,.glb", "data-testid": `${id}-file`, class: "offscreen", tabindex: -1, "aria-label": "Your mesh" });
  const open = async (one: File): Promise<void> => {
    try { take(Mesh.read(new Uint8Array(await one.arrayBuffer()), one.name, { policy: "repair", weld: true }), one.name); } catch (error) { say((error as Error).message); }
  };
  file.addEventListener("change", () => { if (file.files?.[0]) void open(file.files[0]); file.value = ""; });
  target.addEventListener("dragover", (event) => event.preventDefault());
  target.addEventListener("drop", (event) => { event.preventDefault(); if (event.dataTransfer?.files[0]) void open(event.dataTransfer.files[0]); });
  return h("span", null, button(`${id}-open`, "Open your mesh", () => file.click()), file);
}
