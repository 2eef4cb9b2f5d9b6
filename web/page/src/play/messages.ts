// Messages over a stage: a sentence, an offer with a button, an error. All but errors disappear by themselves, later where they are
// longer, and never while the pointer or the focus is on them.
import { announce, h } from "../base/dom.ts";
import { icon } from "../pages/shell.ts";

export interface Message { kind: string; text: string }

/** Milliseconds to read a text: a moment to notice it, and 15 characters a second. */
export const readingTime = (text: string): number => 2500 + (1000 * text.length) / 15;

export class Messages {
  now: Message | null = null;
  private timer = 0;

  constructor(private box: HTMLElement) {}

  say(text: string): void {
    this.show("info", text, "status", readingTime(text));
    announce(text);
  }

  /** Stays until it is closed. */
  fail(kind: string, text: string): void {
    this.show(kind, text, "alert", Infinity);
    announce(text);
  }

  offer(kind: string, text: string, label: string, act: () => void): void {
    this.show(kind, text, "status", 3 * readingTime(text), { label, act });
    announce(text);
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.now = null;
    for (const one of this.box.querySelectorAll(".toast")) one.remove();
  }

  private show(kind: string, text: string, role: "status" | "alert", time: number, offered?: { label: string; act: () => void }): void {
    this.clear();
    this.now = { kind, text };
    const close = h("button", { class: "icon", type: "button", "aria-label": "Close the message" }, icon("M6 6l12 12 M18 6L6 18")), button = offered && h("button", { class: "button", type: "button", "data-testid": `message-${kind}-act` }, offered.label);
    close.addEventListener("click", () => this.clear());
    button?.addEventListener("click", () => { this.clear(); offered!.act(); });
    const toast = h("div", { class: role === "alert" ? "toast error" : "toast", role, "data-testid": `message-${kind}` }, h("span", null, text), button, close);
    const wait = (): void => { if (time < Infinity) this.timer = window.setTimeout(() => this.clear(), time); };
    for (const name of ["pointerenter", "focusin"]) toast.addEventListener(name, () => window.clearTimeout(this.timer));
    for (const name of ["pointerleave", "focusout"]) toast.addEventListener(name, () => { window.clearTimeout(this.timer); if (toast.isConnected) wait(); });
    this.box.append(toast);
    wait();
  }
}
