// Elements in one call: h("button", { class: "key", onclick: go }, "Go"). Attributes that are false, null or undefined are left out.
export type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes?: Attributes | null, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes?: Attributes | null, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes | null | undefined, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on") && typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value" && element instanceof HTMLInputElement) element.value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(typeof child === "number" ? String(child) : child);
  return element;
}

/** The element of that id, which the page's HTML has. */
export function need<E extends Element = HTMLElement>(selector: string, within: ParentNode = document): E {
  const found = within.querySelector<E>(selector);
  if (!found) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Whether the reader has asked for less motion. */
export const calm = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A moment of the start, for `node tests/load.mjs` and the browser's own tools. */
export const mark = (name: string): void => { performance.mark(`pliant: ${name}`); };

let spokenAt = 0, pending = 0;
/** Says a sentence to screen readers, at most one in two seconds; the last one wins. */
export function announce(text: string): void {
  const region = document.getElementById("spoken");
  if (!region) return;
  window.clearTimeout(pending);
  const wait = Math.max(0, spokenAt + 2000 - performance.now());
  pending = window.setTimeout(() => { region.textContent = text; spokenAt = performance.now(); }, wait);
}

/** Puts text on the clipboard, or selects it in a dialog where that is not allowed. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = h("textarea", { class: "offscreen" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}
