// A control for each kind of row. All are native elements with a name, a value and its unit.
import type { PropertyRow } from "pliant";
import { h } from "../base/dom.ts";
import { length, scale, unit, type V3 } from "../base/math.ts";
import { pretty, short, spoken } from "../base/text.ts";
import { fromSlider, rangeOf, stepOf, toSlider, type Measures, type Range } from "./scale.ts";

export interface Widget { element: HTMLElement; show: (value: unknown) => void }
export interface WidgetContext {
  /** Test id and element id. */
  id: string;
  row: PropertyRow;
  measures: Measures;
  /** A person has set it. */
  set: (value: unknown) => void;
  /** The row has the pointer or the focus. */
  explain: (row: PropertyRow, element: HTMLElement) => void;
}

const mark = (row: PropertyRow): string | false =>
  row.change === "restart" ? "starts again" : row.change === "remake" ? "is made anew; the shape stays" : false;

function frame(context: WidgetContext, control: HTMLElement, value?: HTMLElement): HTMLElement {
  const { id, row } = context, note = mark(row);
  const label = h("label", { for: id, title: row.summary }, row.label, note && h("span", { class: "mark", title: `Changing it: the set ${note}.` }, row.change === "restart" ? "↺" : "⟲"));
  const box = h("div", { class: "row" }, h("div", { class: "row-head" }, label, value), control);
  for (const name of ["pointerenter", "focusin"]) box.addEventListener(name, () => context.explain(row, box));
  return box;
}

function number(context: WidgetContext): Widget {
  const { id, row, measures, set } = context, range = rangeOf(row, measures), step = stepOf(row, range);
  const slider = h("input", { type: "range", id, "data-testid": id, min: 0, max: 1, step: "any", "aria-describedby": "panel-help" });
  const field = h("input", { type: "text", inputmode: "decimal", class: "number", id: `${id}-field`, "data-testid": `${id}-field`, "aria-label": `${row.label}, typed` });
  const text = h("span", { class: "unit" }, pretty(row.unit));
  let now = Number(row.default ?? 0);
  const show = (value: unknown): void => {
    now = value === null || value === undefined ? Infinity : Number(value);
    slider.value = String(toSlider(Math.min(now, range.high), range));
    slider.style.setProperty("--filled", slider.value);
    slider.setAttribute("aria-valuetext", now === 0 && row.zero ? row.zero : spoken(now, row.unit));
    if (document.activeElement !== field) field.value = now === 0 && row.zero ? row.zero : Number.isFinite(now) ? short(now) : "none";
    field.classList.toggle("beyond", Number.isFinite(now) && (now > range.high * 1.001 || (now < range.low * 0.999 && now !== 0)));
  };
  const give = (t: number): void => { set(fromSlider(Math.min(1, Math.max(0, t)), range)); };
  slider.addEventListener("input", () => give(Number(slider.value)));
  slider.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    let next = fromSlider(Math.min(1, Math.max(0, Number(slider.value) + by * step * (event.shiftKey ? 0.1 : 1))), range);
    if (range.whole && next === now) next = now + Math.sign(by);
    set(clampTo(next, range));
  });
  slider.addEventListener("wheel", (event) => {
    if (document.activeElement !== slider) return;
    event.preventDefault();
    give(Number(slider.value) - Math.sign(event.deltaY) * step);
  }, { passive: false });
  field.addEventListener("change", () => {
    const typed = Number(field.value.replace(",", ".")), low = row.minimum ?? -Infinity, high = row.maximum ?? Infinity;
    const good = field.value.trim() !== "" && Number.isFinite(typed) && typed >= low && typed <= high;
    field.setAttribute("aria-invalid", String(!good && field.value !== row.zero));
    if (good) set(range.whole ? Math.round(typed) : typed);
  });
  field.addEventListener("blur", () => { field.removeAttribute("aria-invalid"); show(now); });
  field.addEventListener("focus", () => { if (Number.isFinite(now)) field.value = String(now); field.select(); });
  const element = frame(context, slider, h("span", { class: "value" }, field, text));
  element.querySelector("label")!.addEventListener("dblclick", () => set(row.default));
  show(row.default);
  return { element, show };
}

const clampTo = (value: number, range: Range): number => Math.max(range.kind === "log" && !range.notch ? range.low : Math.min(0, range.low), Math.min(range.high, value));

function choice(context: WidgetContext): Widget {
  const { id, row, set } = context, options = row.choices ?? [];
  if (options.length > 3) {
    const select = h("select", { id, "data-testid": id, "aria-describedby": "panel-help" }, ...options.map((one) => h("option", { value: one.name, title: one.summary }, one.label)));
    select.addEventListener("change", () => set(select.value));
    return { element: frame(context, select), show: (value) => { select.value = String(value); } };
  }
  const buttons = options.map((one) => h("button", { type: "button", role: "radio", title: one.summary, "data-value": one.name, onclick: () => set(one.name) }, one.label));
  const group = h("div", { role: "radiogroup", class: "choice", id, "data-testid": id, "aria-label": row.label }, ...buttons);
  group.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const at = buttons.findIndex((one) => one.getAttribute("aria-checked") === "true"), next = buttons[(at + by + buttons.length) % buttons.length];
    next.focus();
    next.click();
  });
  const show = (value: unknown): void => buttons.forEach((one) => {
    const on = one.dataset.value === String(value);
    one.setAttribute("aria-checked", String(on));
    one.tabIndex = on ? 0 : -1;
  });
  show(row.default);
  return { element: frame(context, group), show };
}

function flag(context: WidgetContext): Widget {
  const { id, set } = context, box = h("input", { type: "checkbox", id, "data-testid": id, "aria-describedby": "panel-help" });
  box.addEventListener("change", () => set(box.checked));
  return { element: frame(context, box), show: (value) => { box.checked = Boolean(value); } };
}

/** A slider for the length, and three fields. Gravity has names for some lengths. */
function vector(context: WidgetContext): Widget {
  const { id, row, set } = context, range = rangeOf(row, context.measures);
  let now: V3 = [...(row.default as V3)];
  const slider = h("input", { type: "range", id, "data-testid": id, min: 0, max: range.high, step: range.high / 150, "aria-label": `${row.label}, strength`, "aria-describedby": "panel-help" });
  const fields = ["x", "y", "z"].map((axis, k) => {
    const field = h("input", { type: "text", inputmode: "decimal", class: "number", "aria-label": `${row.label}, ${axis}`, "data-testid": `${id}-${axis}` });
    field.addEventListener("change", () => {
      const typed = Number(field.value);
      if (Number.isFinite(typed)) set(now.map((x, i) => (i === k ? typed : x)));
    });
    return field;
  });
  const reading = h("span", { class: "value" });
  slider.addEventListener("input", () => {
    const fallback: V3 = row.name === "gravity" ? [0, -1, 0] : [0.8, 0, 0.6], direction = length(now) > 0 ? unit(now) : fallback;
    set(scale(direction, Number(slider.value)).map((x) => Number(x.toPrecision(4))));
  });
  const show = (value: unknown): void => {
    now = [...(value as V3)];
    slider.value = String(length(now));
    slider.style.setProperty("--filled", String(length(now) / range.high));
    slider.setAttribute("aria-valuetext", spoken(length(now), row.unit));
    reading.textContent = `${short(length(now))} ${pretty(row.unit)}`;
    fields.forEach((field, k) => { if (document.activeElement !== field) field.value = short(now[k]); });
  };
  const element = frame(context, h("div", null, slider, h("div", { class: "fields" }, ...fields)), reading);
  show(row.default);
  return { element, show };
}

const KINDS: Partial<Record<PropertyRow["kind"], (context: WidgetContext) => Widget>> = { number, integer: number, choice, boolean: flag, vector };

/** Null for kinds that the page does not show (layers). */
export const widget = (context: WidgetContext): Widget | null => KINDS[context.row.kind]?.(context) ?? null;
