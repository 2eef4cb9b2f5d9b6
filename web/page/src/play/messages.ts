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
  private isOver = false;
  private pointed: ((event: PointerEvent) => void) | null = null;

  /** The text lets drags through to the stage, so that the pointer is followed by the box. */
  constructor(private box: HTMLElement) { box.addEventListener("pointermove", (event) => this.pointed?.(event)); }

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
    this.now = this.pointed = null;
    this.isOver = false;
    for (const one of this.box.querySelectorAll(".toast")) one.remove();
  }

  private show(kind: string, text: string, role: "status" | "alert", time: number, offered?: { label: string; act: () => void }): void {
    this.clear();
    this.now = { kind, text };
    const close = h("button", { class: "icon", type: "button", "aria-label": "Close the message" }, icon("M6 6l12 12 M18 6L6 18")), button = offered && h("button", { class: "button", type: "button", "data-testid": `message-${kind}-act` }, offered.label);
    close.addEventListener("click", () => this.clear());
    button?.addEventListener("click", () => { this.clear(); offered!.act(); });
    const toast = h("div", { class: role === "alert" ? "toast error" : "toast", role, "data-testid": `message-${kind}` }, h("span", null, text), button, close);
    const wait = (): void => {
      window.clearTimeout(this.timer);
      if (time < Infinity && toast.isConnected) this.timer = window.setTimeout(() => this.clear(), time);
    };
    toast.addEventListener("focusin", () => window.clearTimeout(this.timer));
    toast.addEventListener("focusout", wait);
    this.pointed = (event) => {
      const { left, right, top, bottom } = toast.getBoundingClientRect(), isOver = event.clientX > left && event.clientX < right && event.clientY > top && event.clientY < bottom;
      if (isOver !== this.isOver) { if (isOver) window.clearTimeout(this.timer); else wait(); }
      this.isOver = isOver;
    };
    this.box.append(toast);
    wait();
  }
}
