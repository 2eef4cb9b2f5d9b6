// The switch between the CPU and the graphics card, with the times of both and how far they are apart.
import { h } from "../base/dom.ts";
import { milliseconds, short } from "../base/text.ts";
import type { GpuTwin } from "../engine/gpu.ts";
import type { Source } from "../engine/library.ts";
import type { Session } from "../engine/session.ts";

export interface EngineHost {
  session: () => Session;
  cpuTime: () => number;
  say: (text: string) => void;
  /** Something else is shown, or values of the session were changed. */
  changed: () => void;
}

const list = (words: string[]): string => words.join(", ").replace(/, ([^,]*)$/, " and $1");

export class EngineSwitch {
  twin: GpuTwin | null = null;
  /** What was changed so that both do the same, with what it was before. */
  private changed = new Map<string, { before: unknown; value: unknown; what: string }>();
  private source: Source | null = null;
  private entering = false;
  readonly element: HTMLElement;
  private cpu = h("button", { type: "button", role: "radio", "aria-checked": "true", "data-testid": "engine-cpu" }, "CPU");
  private gpu = h("button", { type: "button", role: "radio", "aria-checked": "false", "data-testid": "engine-gpu" }, "With GPU");
  private words = h("p", { class: "card-line", "data-testid": "engine-reading" });

  constructor(private host: EngineHost) {
    this.cpu.addEventListener("click", () => this.leave());
    this.gpu.addEventListener("click", () => void this.enter());
    this.element = h("div", { "data-testid": "engine" }, h("div", { class: "pair" }, h("span", { id: "engine-label" }, "Run on"), h("div", { class: "choice wide-choice", role: "radiogroup", "aria-labelledby": "engine-label" }, this.cpu, this.gpu)), this.words);
    if (navigator.gpu) return;
    this.gpu.disabled = true;
    this.words.textContent = "No WebGPU here: the CPU does it.";
  }

  private async enter(): Promise<void> {
    if (this.entering || this.twin) return;
    this.entering = true;
    this.words.textContent = "Asking for the GPU.";
    try {
      const { availability, differencesOf, GpuTwin } = await import("../engine/gpu.ts"), there = await availability(), session = this.host.session();
      if (!there.available) { this.gpu.disabled = true; this.refuse(there.sentence); return; }
      const { apart, alike } = differencesOf(session);
      if (apart.length > 0) { this.refuse(`The GPU does not do all of this scene, so the CPU does it. ${apart.join(" ")}`); return; }
      this.source = session.source;
      for (const { path, value, what } of alike) this.make(session, path.replace(/^deformables\[(\d+)\]/, (_, i: string) => `deformables.${session.deformables[Number(i)].name}`), value, what);
      this.twin = await GpuTwin.start(session);
      this.mark();
      this.host.changed();
    } catch (error) {
      this.leave();
      this.refuse((error as Error).message);
    } finally { this.entering = false; }
  }

  private refuse(sentence: string): void {
    this.words.textContent = sentence;
    this.host.say(sentence);
  }

  private make(session: Session, path: string, value: unknown, what: string): void {
    this.changed.set(path, { before: session.overrides.get(path), value, what });
    session.set(path, value, "live");
  }

  leave(): void {
    this.twin?.dispose();
    this.twin = null;
    const session = this.host.session();
    for (const [path, { before, value }] of this.changed) if (session.source === this.source && session.overrides.get(path) === value) session.set(path, before, "live");
    this.changed.clear();
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
    if (!this.twin) return;
    if (this.host.session().source !== this.source) { this.leave(); return; }
    this.twin.step();
    if (this.twin.failure === null) return;
    const why = this.twin.failure;
    this.leave();
    this.refuse(why);
  }

  show(): void {
    if (!this.twin) return;
    const { milliseconds: card, difference, count } = this.twin;
    if (difference === null) { this.words.textContent = "The GPU begins from here."; return; }
    const without = list([...this.changed.values()].map((one) => one.what));
    this.words.textContent = `${count} particles. GPU ${card === null ? "…" : milliseconds(card)}, CPU ${milliseconds(this.host.cpuTime())} a frame; largest difference ${short(1000 * difference, 2)} mm. `
      + `Shown: the GPU's.${without ? ` Both go without ${without}.` : ""}`;
  }
}
