// Dialogs: text to copy, and the table of keys.
import { copy, h } from "../base/dom.ts";

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

const KEYS: [string, string][] = [
  ["Space", "play, pause"], ["Right, Left", "one frame on, back; with Shift ten"], ["Backspace", "start over"], ["+ -", "faster, slower"],
  ["G P N C B V U", "grab, pin, paint pins, cut, ball, blow, pump"], ["X", "values A or B; held: the other while it is down"], ["[ ]", "smaller, larger hand"], ["F", "frame everything"], ["W", "wireframe"], ["M", "next colours"], ["H", "hide everything but the stage"],
  ["Ctrl Z, Ctrl Shift Z", "undo, redo"], ["I", "say what is there"], ["Enter on the stage", "keyboard hand: arrows walk, Enter holds, arrows pull"], ["Esc", "let go; back to grab"], ["?", "this table"],
  ["Drag on cloth, beside it", "use the tool, turn"], ["Right drag, wheel", "move, closer"], ["Double click", "turn about that point"],
];

let lettersOn = true;
/** Whether single letters are keys; a person can turn them off here. */
export const letters = (): boolean => lettersOn;

export function keyDialog(): void {
  if (document.querySelector("dialog[open]")) return;
  const dialog = h("dialog", { "aria-label": "Keys" }), close = h("button", { class: "button", type: "button" }, "Close");
  const toggle = h("input", { type: "checkbox", id: "letters" });
  toggle.checked = lettersOn;
  toggle.addEventListener("change", () => { lettersOn = toggle.checked; });
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  dialog.append(h("h2", null, "Keys"), h("table", null, h("tbody", null, ...KEYS.map(([key, what]) => h("tr", null, h("th", { scope: "row" }, key), h("td", null, what))))),
    h("p", { style: "margin:12px 0" }, toggle, " ", h("label", { for: "letters" }, "Single letters are keys")), close);
  document.body.append(dialog);
  dialog.showModal();
}
