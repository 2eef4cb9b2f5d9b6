// The switch between the CPU and the graphics card, with the times of both and how far they are apart.
import { h } from "../base/dom.ts";
import { milliseconds, short } from "../base/text.ts";
import type { GpuTwin } from "../engine/gpu.ts";
import type { Session } from "../engine/session.ts";

export interface EngineHost { session: () => Session; cpuTime: () => number; openScene: (id: string) => Promise<void>; say: (text: string) => void; changed: () => void }

export class EngineSwitch {
  twin: GpuTwin | null = null;
  /** Frame of the session at which the card took over. */
  private start = 0;
  readonly element: HTMLElement;
  private cpu = h("button", { type: "button", role: "radio", "aria-checked": "true", "data-testid": "engine-cpu" }, "CPU");
  private gpu = h("button", { type: "button", role: "radio", "aria-checked": "false", "data-testid": "engine-gpu" }, "GPU");
  private words = h("p", { class: "card-line", "data-testid": "engine-reading" });

  constructor(private host: EngineHost) {
    this.cpu.addEventListener("click", () => this.leave());
    this.gpu.addEventListener("click", () => void this.enter());
    this.element = h("div", { class: "row", "data-testid": "engine" }, h("div", { class: "row-head" }, h("span", { id: "engine-label" }, "Run on")), h("div", { class: "choice", role: "radiogroup", "aria-labelledby": "engine-label" }, this.cpu, this.gpu), this.words);
    void this.look();
  }

  private async look(): Promise<void> {
    if (navigator.gpu) return;
    this.gpu.disabled = true;
    this.words.textContent = "No WebGPU here: the CPU does it.";
  }

  private async enter(): Promise<void> {
    const { availability, GpuTwin } = await import("../engine/gpu.ts"), there = await availability();
    if (!there.available) { this.gpu.disabled = true; this.words.textContent = there.sentence; this.host.say(there.sentence); return; }
    this.leave();
    try { this.take(await GpuTwin.start(this.host.session().world)); } catch (error) {
      await this.host.openScene("sheet");
      this.host.say(`That scene is not one for the GPU (${(error as Error).message}). Here is one that both run.`);
      try { this.take(await GpuTwin.start(this.host.session().world)); } catch (again) { this.words.textContent = (again as Error).message; }
    }
  }

  private take(twin: GpuTwin): void {
    this.twin = twin;
    this.start = this.host.session().frame;
    this.mark();
    this.host.changed();
  }

  leave(): void {
    this.twin?.dispose();
    this.twin = null;
    this.mark();
    this.words.textContent = "";
    this.host.changed();
  }

  private mark(): void {
    this.cpu.setAttribute("aria-checked", String(!this.twin));
    this.gpu.setAttribute("aria-checked", String(Boolean(this.twin)));
  }

  /** After each step of the CPU. */
  step(): void {
    const { twin } = this, session = this.host.session(), one = session.deformables[0];
    if (!twin) return;
    if (one.vertexCount !== twin.count || session.frame !== this.start + twin.frame + 1) { this.leave(); this.words.textContent = "Another state: press GPU to run that."; return; }
    twin.step(1 / session.fps, one.positions, one.stride);
    if (twin.failure) { const why = twin.failure; this.leave(); this.words.textContent = why; this.host.say(why); }
  }

  show(): void {
    if (!this.twin || this.twin.difference === null) return;
    const { milliseconds: card, difference, leftOut, count } = this.twin;
    this.words.textContent = `${count} particles. GPU ${card === null ? "…" : milliseconds(card)}, CPU ${milliseconds(this.host.cpuTime())} a frame; largest difference ${short(1000 * difference, 2)} mm. Shown: the GPU's.${leftOut.length ? ` ${leftOut.join(" ")}` : ""}`;
  }
}
