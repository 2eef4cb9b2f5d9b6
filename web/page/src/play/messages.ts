// What the playground says over its stage: a sentence that goes by itself, a fault that stays, an offer with a button.
import { announce, h } from "../base/dom.ts";
import { icon } from "../pages/shell.ts";

export interface Message { kind: string; text: string }

const SECONDS = 3.5;

export class Messages {
  now: Message | null = null;
  private timer = 0;

  constructor(private box: HTMLElement) {}

  say(text: string): void {
    this.show("info", text, { role: "status" });
    this.timer = window.setTimeout(() => this.clear(), 1000 * SECONDS);
    announce(text);
  }

  /** Stays until it is closed. */
  fail(kind: string, text: string): void {
    this.show(kind, text, { role: "alert", style: "error" });
    announce(text);
  }

  /** Stays until it is closed or taken. */
  offer(kind: string, text: string, label: string, act: () => void): void {
    const button = h("button", { class: "button", type: "button", "data-testid": `message-${kind}-act` }, label);
    button.addEventListener("click", () => { this.clear(); act(); });
    this.show(kind, text, { role: "alert", button });
  }

  clear(): void {
    window.clearTimeout(this.timer);
    this.now = null;
    for (const one of this.box.querySelectorAll(".toast")) one.remove();
  }

  private show(kind: string, text: string, how: { role: "status" | "alert"; style?: string; button?: HTMLElement }): void {
    this.clear();
    this.now = { kind, text };
    const close = h("button", { class: "icon", type: "button", "aria-label": "Close" }, icon("M6 6l12 12 M18 6L6 18"));
    close.addEventListener("click", () => this.clear());
    this.box.append(h("div", { class: `toast ${how.style ?? ""}`, role: how.role, "data-testid": `message-${kind}` }, h("span", null, text), how.button, how.role === "alert" && close));
  }
}
