// The switch between the CPU and the graphics card, with progress and a limit while it begins, then the times of both and their difference.
import { h } from "../base/dom.ts";
import { milliseconds, short } from "../base/text.ts";
import type { GpuTwin } from "../engine/gpu.ts";
import type { Source } from "../engine/library.ts";
import type { SceneSession } from "../engine/session.ts";

export interface EngineHost {
  session: () => SceneSession;
  cpuTime: () => number;
  say: (text: string) => void;
  /** Something else is shown, or values of the session were changed. */
  changed: () => void;
}

/** One attempt to move to the card, which ends with a sentence where it takes too long or is cancelled. */
class Attempt {
  readonly controller = new AbortController();
  private start = performance.now();
  private compiled = 0;
  private all = 0;
  private hasAnswered = false;
  private end: (sentence: string) => void = () => undefined;

  constructor(private show: (words: string, compiled: number, all: number) => void) {}

  /** The card has answered; it has compiled so many of its pipelines. */
  report(compiled: number, all: number): void {
    [this.compiled, this.all, this.hasAnswered] = [compiled, all, true];
    this.tell();
  }

  cancel(): void { this.end("Cancelled: the CPU continues."); }

  private tell(): void {
    const seconds = Math.floor((performance.now() - this.start) / 1000), since = seconds > 0 ? ` (${seconds} s)` : "";
    this.show(!this.hasAnswered ? `Waiting for the GPU${since}` : this.all > 0 ? `Compiling: ${this.compiled} of ${this.all}${since}` : `Opening the GPU${since}`, this.compiled, this.all);
  }

  async until(work: Promise<void>, limits: { answer: number; compile: number }): Promise<void> {
    const watch = window.setInterval(() => {
      const waited = performance.now() - this.start, seconds = Math.round(waited / 1000);
      if (!this.hasAnswered && waited > limits.answer) this.end(`The GPU did not answer within ${seconds} s, so the CPU continues.`);
      else if (waited > limits.compile) this.end(`The GPU had compiled ${this.compiled} of ${this.all} pipelines after ${seconds} s, so the CPU continues.`);
      else this.tell();
    }, 100);
    this.tell();
    // What ends after the limit is released by its signal, and its errors are of no interest.
    work.catch(() => undefined);
    try { await Promise.race([work, new Promise<never>((_, reject) => { this.end = (sentence) => reject(new Error(sentence)); })]); } finally { window.clearInterval(watch); }
  }
}

const list = (words: string[]): string => words.join(", ").replace(/, ([^,]*)$/, " and $1");

export class EngineSwitch {
  twin: GpuTwin | null = null;
  /** What was changed so that both do the same, with what it was before. */
  private changed = new Map<string, { before: unknown; value: unknown; label: string }>();
  private source: Source | null = null;
  private attempt: Attempt | null = null;
  /** Milliseconds until the card must have answered, and until it must have compiled. */
  limits = { answer: 5000, compile: 30000 };
  readonly element: HTMLElement;
  private cpu = h("button", { type: "button", role: "radio", "aria-checked": "true", "data-testid": "engine-cpu" }, "CPU");
  private gpu = h("button", { type: "button", role: "radio", "aria-checked": "false", "data-testid": "engine-gpu" }, "With GPU");
  private words = h("p", { class: "card-line", "data-testid": "engine-reading" });
  private bar = h("progress", { "aria-label": "Compiled pipelines" });
  private cancel = h("button", { class: "button", type: "button", "data-testid": "engine-cancel" }, "Cancel");
  private waiting = h("div", { class: "pair", hidden: true }, this.bar, this.cancel);

  constructor(private host: EngineHost) {
    for (const one of [this.cpu, this.cancel]) one.addEventListener("click", () => { if (this.attempt) this.attempt.cancel(); else this.leave(); });
    this.gpu.addEventListener("click", () => void this.enter());
    this.element = h("div", { "data-testid": "engine" }, h("div", { class: "pair" }, h("span", { id: "engine-label" }, "Run on"), h("div", { class: "choice wide-choice", role: "radiogroup", "aria-labelledby": "engine-label" }, this.cpu, this.gpu)), this.words, this.waiting);
    if (navigator.gpu) return;
    this.gpu.disabled = true;
    this.words.textContent = "No WebGPU here: the CPU does it.";
  }

  private async enter(): Promise<void> {
    if (this.attempt || this.twin) return;
    const attempt = (this.attempt = new Attempt((words, compiled, all) => this.showProgress(words, compiled, all)));
    this.waiting.hidden = false;
    try { await attempt.until(this.prepare(attempt), this.limits); } catch (error) {
      attempt.controller.abort();
      this.leave();
      this.refuse((error as Error).message);
    } finally {
      this.attempt = null;
      this.waiting.hidden = true;
    }
  }

  private async prepare(attempt: Attempt): Promise<void> {
    const { availability, differencesOf, GpuTwin } = await import("../engine/gpu.ts"), there = await availability(), session = this.host.session(), { signal } = attempt.controller;
    if (signal.aborted) return;
    if (!there.available) { this.gpu.disabled = true; throw new Error(there.sentence); }
    const differences = differencesOf(session), lasting = differences.filter((one) => !one.fix);
    if (lasting.length > 0) throw new Error(`The GPU does not support all of this scene, so the CPU continues alone. ${lasting.map((one) => one.sentence).join(" ")}`);
    this.source = session.source;
    for (const { fix } of differences)
      if (fix) this.make(session, fix.path.replace(/^deformables\[(\d+)\]/, (_, i: string) => `deformables.${session.deformables[Number(i)].name}`), fix.value, fix.label);
    const twin = await GpuTwin.start(session, (compiled, all) => attempt.report(compiled, all), signal);
    this.twin = twin;
    this.mark();
    this.host.changed();
  }

  private showProgress(words: string, compiled: number, all: number): void {
    this.words.textContent = words;
    if (all > 0) { this.bar.max = all; this.bar.value = compiled; } else this.bar.removeAttribute("value");
  }

  private refuse(sentence: string): void {
    this.words.textContent = sentence;
    this.host.say(sentence);
  }

  private make(session: SceneSession, path: string, value: unknown, label: string): void {
    this.changed.set(path, { before: session.overrides.get(path), value, label });
    session.set(new Map([[path, value]]), null);
  }

  leave(): void {
    this.twin?.dispose();
    this.twin = null;
    const session = this.host.session();
    for (const [path, { before, value }] of this.changed) if (session.source === this.source && session.overrides.get(path) === value) session.set(new Map([[path, before]]), null);
    this.changed.clear();
    this.mark();
    this.words.textContent = "";
    this.host.changed();
  }

  private mark(): void {
    this.cpu.setAttribute("aria-checked", String(!this.twin));
    this.gpu.setAttribute("aria-checked", String(Boolean(this.twin)));
  }

  /** Before each step of the CPU, and after it. */
  note(): void { this.twin?.note(); }
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
    if (difference === null) { this.words.textContent = "The GPU starts from this frame."; return; }
    const labels = list([...this.changed.values()].map((one) => one.label));
    this.words.textContent = `${count} particles. GPU ${card === null ? "…" : milliseconds(card)}, CPU ${milliseconds(this.host.cpuTime())} a frame; largest difference ${short(1000 * difference, 2)} mm. `
      + `The picture is the GPU's.${labels ? ` Changed for both: ${labels}.` : ""}`;
  }
}
