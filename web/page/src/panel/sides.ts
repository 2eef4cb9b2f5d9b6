// The switch between two sets of values, A and B, of one run.
import { h } from "../base/dom.ts";
import type { Side, Sides } from "../state/sides.ts";

export class SideSwitch {
  readonly element: HTMLElement;
  private buttons: Record<Side, HTMLButtonElement>;
  private words = h("span", { class: "second", "data-testid": "side-reading" });

  constructor(private sides: Sides, swap: () => void) {
    const button = (side: Side): HTMLButtonElement => {
      const one = h("button", { type: "button", role: "radio", "data-testid": `side-${side.toLowerCase()}`, title: `Values ${side} (X changes between both; while X is held the other is shown)` }, side);
      one.addEventListener("click", () => { if (this.sides.side !== side) swap(); });
      return one;
    };
    this.buttons = { A: button("A"), B: button("B") };
    this.element = h("div", { class: "pair" }, h("span", { id: "side-label" }, "Values"), h("div", { class: "choice sides", role: "radiogroup", "aria-labelledby": "side-label" }, this.buttons.A, this.buttons.B), this.words);
  }

  show(): void {
    const { sides } = this, count = sides.differences;
    for (const side of ["A", "B"] as const) this.buttons[side].setAttribute("aria-checked", String(sides.side === side));
    this.words.textContent = !sides.isTwo ? "one set" : count === 0 ? "both alike" : `${count} ${count === 1 ? "differs" : "differ"}`;
  }
}
