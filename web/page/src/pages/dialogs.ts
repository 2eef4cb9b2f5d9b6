// Dialogs: text to copy, and the table of keys.
import { copy, h } from "../base/dom.ts";
import { POINTER, type Key } from "../play/keymap.ts";

export function codeDialog(title: string, parts: { label: string; text: string }[]): void {
  const body = h("pre"), dialog = h("dialog", { "aria-label": title });
  const tabs = parts.map((part) => h("button", { type: "button", role: "radio", "data-tab": part.label.toLowerCase() }, part.label));
  let now = 0;
  const show = (i: number): void => {
    now = i;
    body.textContent = parts[i].text;
    tabs.forEach((tab, k) => tab.setAttribute("aria-checked", String(k === i)));
  };
  tabs.forEach((tab, i) => tab.addEventListener("click", () => show(i)));
  const take = h("button", { class: "button strong", type: "button" }, "Copy"), close = h("button", { class: "button", type: "button" }, "Close");
  take.addEventListener("click", () => void copy(parts[now].text).then((done) => { take.textContent = done ? "Copied" : "Select and copy by hand"; }));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(h("h2", null, title), h("div", { class: "choice", role: "radiogroup", style: "margin-bottom:12px" }, ...tabs), body, h("div", { style: "display:flex;gap:8px;margin-top:12px" }, take, close));
  document.body.append(dialog);
  show(0);
  dialog.showModal();
}

let lettersOn = true;
/** Whether single letters are keys; a person can turn them off here. */
export const letters = (): boolean => lettersOn;

/** Lists keys, in the order of the key map, and pointers. */
export function keyDialog(keys: Key[]): void {
  if (document.querySelector("dialog[open]")) return;
  const row = (name: (Node | string)[], what: string): HTMLElement => h("div", null, h("dt", null, ...name), h("dd", null, what));
  const rows = [...keys.map((one) => row(one.shown.split(" ").flatMap((key) => [h("kbd", null, key), " "]), one.label)), ...POINTER.map(([input, what]) => row([input], what))];
  const dialog = h("dialog", { class: "wide-dialog", "aria-label": "Keys" }), close = h("button", { class: "button", type: "button", autofocus: true }, "Close");
  const toggle = h("input", { type: "checkbox", id: "letters" });
  toggle.checked = lettersOn;
  toggle.addEventListener("change", () => { lettersOn = toggle.checked; });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(h("div", { class: "dialog-head" }, h("h2", null, "Keys"), toggle, h("label", { for: "letters" }, "Single letters are keys"), close), h("dl", { class: "keys" }, ...rows));
  document.body.append(dialog);
  dialog.showModal();
}
